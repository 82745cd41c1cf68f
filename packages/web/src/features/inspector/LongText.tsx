import { useState } from "react"
import { t } from "../../texts/en/inspector.ts"
import { CopyButton } from "../../ui/CopyButton.tsx"

const SHOWN_CHARS = 1_200

export type LongTextProps = {
  readonly text: string
  /** What it is, as the object of "Copy". */
  readonly label: string
}

/** Verbatim text. A long one shows its beginning, and the rest on request. */
export function LongText({ text, label }: LongTextProps) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > SHOWN_CHARS
  return (
    <div className="group/text relative">
      <pre className="whitespace-pre-wrap break-words rounded-lg bg-sunken px-3 py-2 pr-10 font-mono text-xs leading-relaxed">
        {isLong && !isWhole ? `${text.slice(0, SHOWN_CHARS).toWellFormed()}…` : text}
      </pre>
      <span className="absolute top-1 right-1">
        <CopyButton text={text} label={t("copyIt", { what: label })} />
      </span>
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="mt-1 rounded text-accent text-xs hover:underline pointer-coarse:min-h-10"
        >
          {isWhole ? t("showLess") : t("showAll", { count: text.length })}
        </button>
      )}
    </div>
  )
}
