/**
 * The events of a turn, in the form that every protocol adapter uses: started, step, text, tools, questions, ended.
 *
 * `offset` is that of the change an event was read from. Several events may come from one change; `n` numbers them, so
 * that (offset, n) identifies one event permanently.
 */
import type { MessageId, Millis, TurnId } from "../ids.ts"
import type { AskRow } from "../rows/ask.ts"
import type { ProblemNote } from "../rows/fields.ts"
import type { MessageRow, ToolPart } from "../rows/message.ts"
import type { TurnState } from "../rows/turn.ts"
import type { Usage } from "../rows/usage.ts"

export type TurnEvent = TurnEventBody & {
  readonly turn: TurnId
  readonly offset: string
  readonly n: number
}

/** How a turn may have ended. */
export type EndedState = Extract<TurnState, "done" | "stopped" | "failed" | "interrupted">

export type TurnEventBody =
  | {
      readonly type: "turn-started"
      /** The message that the turn answers. */
      readonly message: MessageId
      readonly agent: string
      readonly guest: string | null
      /** Who answers after it, each in a turn of its own (GST-6). */
      readonly guestsNext: readonly string[]
      /** It summarizes the conversation instead of answering. */
      readonly compaction: boolean
      readonly startedAt: Millis
    }
  | {
      readonly type: "turn-ended"
      readonly state: EndedState
      readonly error: ProblemNote | null
      readonly usage: Usage
    }
  /** A step is one model call and the tools it calls: one message of the agent. */
  | { readonly type: "step-started"; readonly message: MessageId; readonly author: string }
  | {
      readonly type: "step-ended"
      readonly message: MessageId
      readonly state: Exclude<MessageRow["state"], "streaming">
      readonly usage: Usage | null
    }
  /** The step's text was abandoned, and another attempt follows: discard its text. */
  | { readonly type: "attempt-reset"; readonly message: MessageId }
  /** The model could not be called, or failed; it is called again at `retryAt`. */
  | {
      readonly type: "retrying"
      readonly attempt: number
      readonly retryAt: Millis | null
      readonly error: ProblemNote | null
    }
  | TextEvent
  | ToolEvent
  | { readonly type: "notice"; readonly message: MessageId; readonly code: string; readonly text: string }
  | { readonly type: "ask-opened"; readonly ask: AskRow }
  | { readonly type: "ask-closed"; readonly ask: AskRow }
  /** A message of the person that was added to the running turn (TRN-9). */
  | { readonly type: "steering-message"; readonly message: MessageRow }

export type TextEvent =
  | {
      readonly type: "text-started" | "text-ended"
      readonly message: MessageId
      readonly part: number
      readonly kind: TextKind
    }
  | {
      readonly type: "text-delta"
      readonly message: MessageId
      readonly part: number
      readonly kind: TextKind
      readonly text: string
      /** How many deltas it stands for, if they are no longer in the log (LOG-36). */
      readonly deltas?: number
    }
export type TextKind = "text" | "reasoning"

export type ToolEvent =
  | {
      readonly type: "tool-input"
      readonly message: MessageId
      readonly call: string
      readonly name: string
      readonly input: ToolPart["input"]
    }
  | { readonly type: "tool-started"; readonly message: MessageId; readonly call: string; readonly name: string }
  | {
      readonly type: "tool-output"
      readonly message: MessageId
      readonly call: string
      readonly name: string
      /** `unknown`: it was running when the server stopped. */
      readonly state: "done" | "failed" | "unknown"
      readonly output: ToolPart["output"]
      readonly error: ProblemNote | null
    }
