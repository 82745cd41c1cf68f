import { lazy, memo, Suspense } from "react"
import { CodeFrame } from "./CodeFrame.tsx"
import { stretchesOf } from "./stretches.ts"
import { Tokens } from "./Tokens.tsx"

const Diagram = lazy(() => import("./Diagram.tsx"))

/** The longest source of a diagram that is drawn. */
const MAX_DIAGRAM_CHARS = 50_000

export type CodeProps = {
  readonly language: string
  readonly text: string
  /** More of it may follow. */
  readonly streaming?: boolean
}

/** A code block; a diagram once it is complete (MSG-18). */
export const Code = memo(function Code({ language, text, streaming = false }: CodeProps) {
  const code = <Block language={language} text={text} />
  if (language !== "mermaid" || streaming || text.length > MAX_DIAGRAM_CHARS) return code
  return (
    <Suspense fallback={code}>
      <Diagram text={text}>{code}</Diagram>
    </Suspense>
  )
})

/** Rendered in chunks: while it streams, only the last chunk is laid out again. */
function Block({ language, text }: StretchProps) {
  return (
    <CodeFrame language={language} text={text}>
      <code>
        {stretchesOf(text).map((stretch, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: chunks are identified by index
          <Stretch key={index} language={language} text={stretch} />
        ))}
      </code>
    </CodeFrame>
  )
}

type StretchProps = { readonly language: string; readonly text: string }

const Stretch = memo(function Stretch({ language, text }: StretchProps) {
  return (
    <span className="block min-h-[1lh]">
      <Tokens language={language} text={text} />
    </span>
  )
})
