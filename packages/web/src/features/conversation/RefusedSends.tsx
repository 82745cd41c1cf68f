import type { PendingSend } from "@parlor/client"
import { Button } from "../../ui/Button.tsx"
import { problemWords } from "../status/problemWords.ts"

export type RefusedSendsProps = {
  readonly refused: readonly PendingSend[]
  readonly onRetry: (key: string) => void
  readonly onDismiss: (key: string) => void
}

/** Messages from before a reload that the server would not take. */
export function RefusedSends({ refused, onRetry, onDismiss }: RefusedSendsProps) {
  return refused.map((send) => (
    <div key={send.key} role="alert" className="mb-2 rounded-xl bg-bad-tint px-3.5 py-2.5 text-sm">
      <p className="font-semibold text-bad">Not sent. {problemWords(send.error).title}.</p>
      <p className="mt-0.5 truncate">{send.text}</p>
      <p className="mt-2 flex gap-2">
        <Button onClick={() => onRetry(send.key)}>Try again</Button>
        <Button onClick={() => onDismiss(send.key)}>Discard</Button>
      </p>
    </div>
  ))
}
