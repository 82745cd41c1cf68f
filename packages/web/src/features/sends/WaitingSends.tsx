import type { LiveState, PendingSend } from "@parlor/client"
import { CloudOff } from "lucide-react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/sends.ts"
import { Button } from "../../ui/Button.tsx"
import { useOnline } from "../../ui/useOnline.ts"
import { Countdown } from "../status/Countdown.tsx"
import { inputOfSend } from "./sendOnce.ts"
import { sendTitle, waitingWords } from "./waitingWords.ts"

export type WaitingSendsProps = {
  /** In sending order. */
  readonly sending: readonly PendingSend[]
  readonly connection: LiveState["connection"]
  readonly onRetry: (key: string) => void
  /** Cancels it and moves its text into the composer. */
  readonly onCancel: (send: PendingSend) => void
}

/** Messages that are not delivered yet (LOG-12). */
export function WaitingSends({ sending, connection, onRetry, onCancel }: WaitingSendsProps) {
  const isOnline = useOnline()
  const [first] = sending
  if (first === undefined) return null
  const words = waitingWords(first, connection, isOnline)
  return (
    <section
      aria-label={t("waitingToBeSent")}
      className="mb-2 animate-arrive rounded-xl bg-warn-tint px-3.5 py-2.5 text-sm"
    >
      <div className="flex items-center gap-2">
        <CloudOff aria-hidden className="size-4 shrink-0 text-warn" />
        <p role="status" className="min-w-0 flex-1 text-warn">
          {words}
          {first.retryAt !== null && words.endsWith("Retrying") && <Countdown until={first.retryAt} />}
        </p>
        <Button className="shrink-0" onClick={() => onRetry(first.key)}>
          {t("tryNow")}
        </Button>
      </div>
      <ul className="mt-1">
        {sending.map((send) => (
          <li key={send.key} className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate">{sendTitle(inputOfSend(send.body), send.text)}</span>
            <button
              type="button"
              onClick={() => onCancel(send)}
              aria-label={t("cancelText", { text: send.text })}
              className="shrink-0 rounded-sm px-1 py-0.5 text-accent hover:underline"
            >
              {common("cancel")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
