import type { ComponentProps } from "react"
import type { ExtraProps } from "streamdown"
import { CodeFrame } from "./CodeFrame.tsx"
import { codeOf } from "./codeOf.ts"

/** A code block inside a list or a quote. */
export function CodeBlock({ children, node }: ComponentProps<"pre"> & ExtraProps) {
  return <CodeFrame {...codeOf(node)}>{children}</CodeFrame>
}
