import type { ProblemNote } from "@parlor/protocol"
import { CircleAlert } from "lucide-react"
import { t } from "../../texts/en/timeline.ts"
import { problemWords } from "../status/problemWords.ts"

/** Below a message that nobody answered: it stays when the conversation goes on (MSG-9). */
export function FailureLine({ note }: { readonly note: ProblemNote }) {
  const { title } = problemWords(note)
  return (
    <p className="mt-1.5 flex items-center justify-end gap-1.5 text-bad text-xs" title={note.detail}>
      <CircleAlert aria-hidden className="size-3.5 shrink-0" />
      <span className="min-w-0">{t("noReplyTitle", { title })}</span>
    </p>
  )
}
