import type { AnswerOptions } from "@parlor/client"
import type { AskRow } from "@parlor/protocol"
import type { Json } from "./askView.ts"

/** Props shared by the answer controls of every kind of ask. */
export type AnswerProps = {
  readonly ask: AskRow
  /** The answer was sent; the controls are disabled until the server responds. */
  readonly isSent: boolean
  /** `always`: the tool needs no approval any more. */
  readonly onAnswer: (value: Json, always?: AnswerOptions["always"]) => void
  readonly onDraft: (text: string) => void
}
