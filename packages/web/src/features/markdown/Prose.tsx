/** Markdown without top-level code blocks, as safe elements (SEC-6). Parsed again only when its text changes. */
import { memo } from "react"
import { type Components, defaultRehypePlugins, Streamdown, type StreamdownProps } from "streamdown"
import { CodeBlock } from "./CodeBlock.tsx"
import { MarkedLink } from "./MarkedLink.tsx"
import { PictureLink } from "./PictureLink.tsx"
import { rawAsText } from "./rawAsText.ts"
import { TaskBox } from "./TaskBox.tsx"

/** Plain tags styled by `.prose`; our own components where a tag could load something, link out or needs a button. */
const components: Components = {
  a: MarkedLink,
  img: PictureLink,
  input: TaskBox,
  pre: CodeBlock,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must scroll from the keyboard
    <div tabIndex={0} className="my-3 overflow-x-auto rounded-lg border border-line">
      <table>{children}</table>
    </div>
  ),
  ...plain(["code", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "section", "strong"]),
  ...plain(["sub", "sup", "tbody", "td", "th", "thead", "tr", "ul"]),
}

const rehypePlugins: NonNullable<StreamdownProps["rehypePlugins"]> = [
  rawAsText,
  ...(defaultRehypePlugins.sanitize === undefined ? [] : [defaultRehypePlugins.sanitize]),
]

/** An unfinished formula is not typeset, because half of one is usually an error. */
const mending: NonNullable<StreamdownProps["remend"]> = { katex: false, inlineKatex: false }
/** It was already split: see pieces.ts. */
const asOne = (text: string) => [text]

export type ProseProps = {
  readonly text: string
  readonly streaming: boolean
  readonly plugins?: StreamdownProps["plugins"]
}

export const Prose = memo(function Prose({ text, streaming, plugins }: ProseProps) {
  return (
    <Streamdown
      components={components}
      rehypePlugins={rehypePlugins}
      parseIncompleteMarkdown={streaming}
      parseMarkdownIntoBlocksFn={asOne}
      remend={mending}
      isAnimating={streaming}
      controls={false}
      {...(plugins && { plugins })}
    >
      {text}
    </Streamdown>
  )
})

function plain<K extends keyof React.JSX.IntrinsicElements>(tags: readonly K[]): Components {
  return Object.fromEntries(tags.map((tag) => [tag, tag]))
}
