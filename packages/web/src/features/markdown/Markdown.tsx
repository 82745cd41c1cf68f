/** Text written by a model or a person, as safe markdown (SEC-6). Loaded as its own chunk: see LazyMarkdown.tsx. */
import { type Components, defaultRehypePlugins, Streamdown, type StreamdownProps } from "streamdown"
import { CodeBlock } from "./CodeBlock.tsx"
import { MarkedLink } from "./MarkedLink.tsx"
import { PictureLink } from "./PictureLink.tsx"
import { rawAsText } from "./rawAsText.ts"
import { TaskBox } from "./TaskBox.tsx"

/** Plain tags styled by `.prose`; ours where a tag could load, lead away or want a button. */
const components: Components = {
  a: MarkedLink,
  img: PictureLink,
  input: TaskBox,
  pre: CodeBlock,
  table: ({ children }) => (
    <div className="my-3 overflow-x-auto rounded-lg border border-line">
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

export type MarkdownProps = { readonly text: string; readonly streaming: boolean }

export function Markdown({ text, streaming }: MarkdownProps) {
  return (
    <Streamdown
      className="prose"
      components={components}
      rehypePlugins={rehypePlugins}
      parseIncompleteMarkdown={streaming}
      isAnimating={streaming}
      controls={false}
    >
      {text}
    </Streamdown>
  )
}

function plain<K extends keyof React.JSX.IntrinsicElements>(tags: readonly K[]): Components {
  return Object.fromEntries(tags.map((tag) => [tag, tag]))
}
