import type { AskRow } from "@parlor/protocol"
import type { Json } from "./askView.ts"

/** Props shared by the answer controls of every kind of ask. */
export type AnswerProps = {
  readonly ask: AskRow
  /** The answer was sent; the controls are disabled until the server responds. */
  readonly isSent: boolean
  readonly onAnswer: (value: Json) => void
  readonly onDraft: (text: string) => void
}
