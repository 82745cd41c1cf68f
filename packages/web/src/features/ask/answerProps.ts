import type { AskRow } from "@parlor/protocol"
import type { Json } from "./askView.ts"

/** What every kind of ask is answered through. */
export type AnswerProps = {
  readonly ask: AskRow
  /** On its way: nothing more can be done until the server has said. */
  readonly isSent: boolean
  readonly onAnswer: (value: Json) => void
  readonly onDraft: (text: string) => void
}
