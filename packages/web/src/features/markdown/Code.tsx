import { memo } from "react"
import { CodeFrame } from "./CodeFrame.tsx"
import { stretchesOf } from "./stretches.ts"

/** Code that stands by itself. It is shown in stretches: while it is written only the last one is laid out again. */
export const Code = memo(function Code({ language, text }: { readonly language: string; readonly text: string }) {
  return (
    <CodeFrame language={language} text={text}>
      <code>
        {stretchesOf(text).map((stretch, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stretch is known by its place
          <Stretch key={index} text={stretch} />
        ))}
      </code>
    </CodeFrame>
  )
})

const Stretch = memo(function Stretch({ text }: { readonly text: string }) {
  return <span className="block min-h-[1lh]">{text}</span>
})
