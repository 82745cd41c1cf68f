/**
 * How much storage each person uses (SEC-23).
 *
 * Updated in the same transaction as the data it counts, for all processes that share the store. Content that a person
 * has several times (attached, in files of several conversations, in old versions) counts once. Logs that predate this
 * count are counted step by step, by `upkeep`.
 */
import type { Millis } from "@parlor/protocol"

export type Stored = {
  /** Conversations with at least one message. */
  readonly conversations: number
  /** Their logs: the bytes of each event's row, plus `EVENT_BYTES` per event. */
  readonly conversationBytes: number
  /** Files with their history, attachments, long tool output. */
  readonly fileBytes: number
  readonly memoryBytes: number
  /** Triggers and their firings. */
  readonly triggerBytes: number
}

/** The size of an event besides its row's value: key, number, time, and its index entry. */
export const EVENT_BYTES = 100

/** Idempotency keys are deleted after this, by the store's clock (QUE-11). */
export const ONCE_KEPT_MS: Millis = 7 * 24 * 60 * 60_000

export const nothingStored: Stored = {
  conversations: 0,
  conversationBytes: 0,
  fileBytes: 0,
  memoryBytes: 0,
  triggerBytes: 0,
}

export interface StoredBytes {
  stored(person: string): Promise<Stored>
  /**
   * One small piece of periodic work: counts logs that were never counted, deletes expired idempotency keys. True if
   * there is more to do.
   */
  upkeep(): Promise<boolean>
}
