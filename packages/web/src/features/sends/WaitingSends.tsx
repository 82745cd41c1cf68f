import type { LiveState, PendingSend } from "@parlor/client"
import { CloudOff } from "lucide-react"
import { Button } from "../../ui/Button.tsx"
import { useOnline } from "../../ui/useOnline.ts"
import { Countdown } from "../status/Countdown.tsx"
import { inputOfSend } from "./sendOnce.ts"
import { sendTitle, waitingWords } from "./waitingWords.ts"

export type WaitingSendsProps = {
  /** In the order in which they go. */
  readonly sending: readonly PendingSend[]
  readonly connection: LiveState["connection"]
  readonly onRetry: (key: string) => void
  /** Takes it back: its words go into the box. */
  readonly onCancel: (send: PendingSend) => void
}

/** Messages that wait to be delivered: nothing is lost, and one sees what becomes of them (LOG-12). */
export function WaitingSends({ sending, connection, onRetry, onCancel }: WaitingSendsProps) {
  const isOnline = useOnline()
  const [first] = sending
  if (first === undefined) return null
  const words = waitingWords(first, connection, isOnline)
  return (
    <section
      aria-label="Waiting to be sent"
      className="mb-2 animate-arrive rounded-xl bg-warn-tint px-3.5 py-2.5 text-sm"
    >
      <div className="flex items-center gap-2">
        <CloudOff aria-hidden className="size-4 shrink-0 text-warn" />
        <p role="status" className="min-w-0 flex-1 text-warn">
          {words}
          {first.retryAt !== null && words.endsWith("again") && <Countdown until={first.retryAt} />}
        </p>
        <Button className="shrink-0" onClick={() => onRetry(first.key)}>
          Try now
        </Button>
      </div>
      <ul className="mt-1">
        {sending.map((send) => (
          <li key={send.key} className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate">{sendTitle(inputOfSend(send.body), send.text)}</span>
            <button
              type="button"
              onClick={() => onCancel(send)}
              aria-label={`Take back: ${send.text}`}
              className="shrink-0 rounded-sm px-1 py-0.5 text-accent hover:underline"
            >
              Take back
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
