import type { PendingSend } from "@parlor/client"
import { Clock } from "lucide-react"
import { cx } from "../../ui/cx.ts"
import type { Waiting } from "./queueView.ts"

export type QueueListProps = { readonly waiting: readonly Waiting[]; readonly sending: readonly PendingSend[] }

/** What will be said next, above the composer. */
export function QueueList({ waiting, sending }: QueueListProps) {
  if (waiting.length + sending.length === 0) return null
  return (
    <section aria-label="Queue" className="mb-2 rounded-xl border border-line bg-raised px-1.5 py-1.5 text-sm">
      <ol className="max-h-36 overflow-y-auto">
        {waiting.map((message) => (
          <Row key={message.id} text={message.text} place={message.place} faint={message.paused} />
        ))}
        {sending.map((send) => (
          <Row key={send.key} text={send.text} place="sending…" faint />
        ))}
      </ol>
    </section>
  )
}

function Row({ text, place, faint }: { readonly text: string; readonly place: string; readonly faint: boolean }) {
  return (
    <li className={cx("flex items-center gap-2.5 rounded-lg px-2.5 py-1", faint && "opacity-60")}>
      <Clock aria-hidden className="size-3.5 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate">{text}</span>
      <span className="shrink-0 text-muted text-xs">{place}</span>
    </li>
  )
}
