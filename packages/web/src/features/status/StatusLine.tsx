import { cx } from "../../ui/cx.ts"
import { Countdown } from "./Countdown.tsx"
import type { StatusWords, Tone } from "./statusWords.ts"

const dots: Readonly<Record<Tone, string>> = {
  calm: "bg-accent",
  busy: "bg-accent animate-breathe",
  warn: "bg-warn animate-breathe",
  bad: "bg-bad",
}

export function StatusLine({ words }: { readonly words: StatusWords }) {
  return (
    <p role="status" className="flex min-w-0 items-center gap-2 text-muted text-xs">
      <span aria-hidden="true" data-dot className={cx("size-1.5 shrink-0 rounded-full", dots[words.tone])} />
      <span
        className={cx(
          "truncate max-md:sr-only",
          words.tone === "bad" && "text-bad",
          words.tone === "warn" && "text-warn",
        )}
      >
        {words.text}
        {words.until !== undefined && <Countdown until={words.until} />}
      </span>
    </p>
  )
}
