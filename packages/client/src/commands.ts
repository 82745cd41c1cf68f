/** What can be done to a conversation besides reading it: the same on `Conversation` and on its live view. */
import type { AnswerOf, AskRow, BodyInputOf, QueueRow, SendMode, Sent } from "@parlor/protocol"
import type { EditLease } from "./lease.ts"

export type SendOptions = {
  /** The idempotency key: a repeat with the same one gives the first answer (QUE-11). Made when not given. */
  readonly key?: string
  readonly signal?: AbortSignal
  /** How often it is tried before its caller hears of a fault. As often as other requests, when not given. */
  readonly attempts?: number
  /** How it goes if the conversation is busy (QUE-12). In place of the body's own. */
  readonly mode?: SendMode
  /** A position in the queue, as queued messages have one (QUE-3). */
  readonly position?: string
  /** Agents that answer instead of the conversation's own, in this order (GST-6). In place of the body's own. */
  readonly guests?: readonly string[]
  /** The message it takes the place of, after a rollback to edit that (RBK-3). */
  readonly editedFrom?: string
}

export type Stop = BodyInputOf<"stop">
/** Changes to a waiting message, and the version they were made to (QUE-7). */
export type Edit = BodyInputOf<"editQueued">
export type Answer = BodyInputOf<"answerAsk">["answer"]

export type LeaseOptions = {
  /** Who edits, for others to see. Made up when not given. */
  readonly holder?: string
  /** Ends the renewals when it falls. */
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
  answer(ask: string, answer: Answer): Promise<AskRow>
}
