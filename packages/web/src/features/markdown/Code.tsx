import { memo } from "react"
import { CodeFrame } from "./CodeFrame.tsx"
import { stretchesOf } from "./stretches.ts"

/** A code block, rendered in chunks: while it streams, only the last chunk is laid out again. */
export const Code = memo(function Code({ language, text }: { readonly language: string; readonly text: string }) {
  return (
    <CodeFrame language={language} text={text}>
      <code>
        {stretchesOf(text).map((stretch, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: chunks are identified by index
          <Stretch key={index} text={stretch} />
        ))}
      </code>
    </CodeFrame>
  )
})

const Stretch = memo(function Stretch({ text }: { readonly text: string }) {
  return <span className="block min-h-[1lh]">{text}</span>
})
