import type { PendingSend } from "@parlor/client"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/sends.ts"
import { Button } from "../../ui/Button.tsx"
import { refusalOfSend } from "../attachment/attached.ts"
import { problemWords } from "../status/problemWords.ts"
import { inputOfSend } from "./sendOnce.ts"
import { sendTitle } from "./waitingWords.ts"

export type RefusedSendsProps = {
  readonly refused: readonly PendingSend[]
  readonly onRetry: (key: string) => void
  readonly onDismiss: (key: string) => void
  /** Restores it to the composer, including chips. */
  readonly onKeep?: (send: PendingSend) => void
}

/** Messages from before a reload that the server rejected, with the reason. */
export function RefusedSends({ refused, onRetry, onDismiss, onKeep }: RefusedSendsProps) {
  return refused.map((send) => {
    const input = inputOfSend(send.body)
    const { title, detail } = problemWords(send.error && refusalOfSend(send.error, input))
    return (
      <div key={send.key} role="alert" className="mb-2 rounded-xl bg-bad-tint px-3.5 py-2.5 text-sm">
        <p className="font-semibold text-bad">{t("notSentTitle", { title })}</p>
        {detail !== "" && <p className="text-bad">{detail}</p>}
        <p className="mt-0.5 line-clamp-3 whitespace-pre-wrap break-words">{sendTitle(input, send.text)}</p>
        <p className="mt-2 flex flex-wrap gap-2">
          <Button onClick={() => onRetry(send.key)}>{common("tryAgain")}</Button>
          {onKeep && <Button onClick={() => onKeep(send)}>{t("moveToMessageBox")}</Button>}
          <Button onClick={() => onDismiss(send.key)}>{t("discard")}</Button>
        </p>
      </div>
    )
  })
}
