import type { ReactNode } from "react"
import { t } from "../../texts/en/markdown.ts"
import { CopyButton } from "../../ui/CopyButton.tsx"

export type CodeFrameProps = { readonly language: string; readonly text: string; readonly children: ReactNode }

/** The frame of a code block: its language and a copy button. */
export function CodeFrame({ language, text, children }: CodeFrameProps) {
  return (
    <figure
      className="my-3 overflow-hidden rounded-lg border border-line bg-sunken"
      aria-label={t("codeIn", { language })}
    >
      <figcaption className="flex h-8 items-center justify-between gap-3 border-line border-b pr-1 pl-3.5 text-muted text-xs">
        <span className="truncate font-mono">{language}</span>
        <CopyButton text={text} label={t("copyCode")} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide block must scroll from the keyboard */}
      <pre tabIndex={0}>{children}</pre>
    </figure>
  )
}
