import type { ComponentProps } from "react"
import type { ExtraProps } from "streamdown"
import { CodeFrame } from "./CodeFrame.tsx"
import { codeOf } from "./codeOf.ts"
import { Tokens } from "./Tokens.tsx"

/** A code block inside a list or a quote. */
export function CodeBlock({ node }: ComponentProps<"pre"> & ExtraProps) {
  const code = codeOf(node)
  return (
    <CodeFrame {...code}>
      <code>
        <Tokens {...code} />
      </code>
    </CodeFrame>
  )
}
