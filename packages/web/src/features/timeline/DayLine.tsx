import { dayWords } from "../message/days.ts"

/** The line between messages of different days. */
export function DayLine({ at }: { readonly at: number }) {
  return (
    <p className="flex items-center gap-3 pb-1 text-muted text-xs">
      <span aria-hidden className="h-px flex-1 bg-line" />
      <time dateTime={new Date(at).toISOString().slice(0, 10)}>{dayWords(at, Date.now())}</time>
      <span aria-hidden className="h-px flex-1 bg-line" />
    </p>
  )
}
