/** The commands of a conversation, shared by `Conversation` and its live view. */
import type { AnswerOf, AskRow, BodyInputOf, QueueRow, SendMode, Sent } from "@parlor/protocol"
import type { EditLease } from "./lease.ts"

export type SendOptions = {
  /** The idempotency key: a repeat with the same key returns the first response (QUE-11). Random by default. */
  readonly key?: string
  readonly signal?: AbortSignal
  /** Maximum attempts; by default as for other requests. */
  readonly attempts?: number
  /** What happens if the conversation is busy (QUE-12). Overrides the body. */
  readonly mode?: SendMode
  /** The position in the queue (QUE-3). */
  readonly position?: string
  /** One agent that replies instead of the conversation's own: short for `guests` with one name. */
  readonly guest?: string
  /** Agents that reply instead of the conversation's own, in this order (GST-6). Overrides the body. */
  readonly guests?: readonly string[]
  /** The message it replaces, after a rollback to edit it (RBK-3). */
  readonly editedFrom?: string
}

export type Stop = BodyInputOf<"stop">
/** Changes to a queued message, and the version they are based on (QUE-7). */
export type Edit = BodyInputOf<"editQueued">
export type Answer = BodyInputOf<"answerAsk">["answer"]
/** `always`: the tool needs no approval any more, in this conversation or for this agent (ASK-4). */
export type AnswerOptions = Omit<BodyInputOf<"answerAsk">, "answer">

export type LeaseOptions = {
  /** Identifies the editor to others. Random by default. */
  readonly holder?: string
  /** Stops renewing the lease when aborted. */
  readonly signal?: AbortSignal
}

export type Commands = {
  stop(body?: Stop): Promise<AnswerOf<"stop">>
  edit(message: string, change: Edit): Promise<QueueRow>
  remove(message: string): Promise<void>
  clearQueue(): Promise<AnswerOf<"clearQueue">>
  sendNow(message: string): Promise<Sent>
  lease(message: string, options?: LeaseOptions): Promise<EditLease>
  hold(): Promise<AnswerOf<"holdQueue">>
  resume(): Promise<AnswerOf<"resumeQueue">>
  answer(ask: string, answer: Answer, options?: AnswerOptions): Promise<AskRow>
  answerOpen(answer: Answer, options?: AnswerOptions): Promise<AskRow>
}
