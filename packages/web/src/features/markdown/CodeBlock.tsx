import type { ComponentProps } from "react"
import type { ExtraProps } from "streamdown"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { codeOf } from "./codeOf.ts"

export function CodeBlock({ children, node }: ComponentProps<"pre"> & ExtraProps) {
  const { language, text } = codeOf(node)
  return (
    <figure className="my-3 overflow-hidden rounded-lg border border-line bg-sunken" aria-label={`${language} code`}>
      <figcaption className="flex h-8 items-center justify-between border-line border-b pr-1 pl-3.5 text-muted text-xs">
        <span className="font-mono">{language}</span>
        <CopyButton text={text} label="Copy code" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide block must scroll from the keyboard */}
      <pre tabIndex={0}>{children}</pre>
    </figure>
  )
}
