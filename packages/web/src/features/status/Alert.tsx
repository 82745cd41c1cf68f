import { cx } from "../../ui/cx.ts"
import { type Note, problemWords } from "./problemWords.ts"

/** An error: what happened, and what to do. */
export function Alert({ note, className }: { readonly note: Note; readonly className?: string }) {
  const { title, detail } = problemWords(note)
  return (
    <p role="alert" className={cx("rounded-xl bg-bad-tint px-3.5 py-2 text-bad text-sm", className)}>
      <strong className="font-semibold">{title}.</strong> {detail}
    </p>
  )
}
