/**
 * How much of what is stored belongs to whom (SEC-23).
 *
 * Kept in the same transaction as what it counts, for all processes that share the store. Content that a person holds
 * several times (attached, in files of several conversations, in old versions) counts once. Logs written before there was
 * such a count are counted little by little, by `upkeep`.
 */
import type { Millis } from "@parlor/protocol"

export type Stored = {
  /** Those that somebody wrote to. */
  readonly conversations: number
  /** Their logs: the bytes of each event's row, and `EVENT_BYTES` for the rest of it. */
  readonly conversationBytes: number
  /** Files with their history, attachments, long tool output. */
  readonly fileBytes: number
  readonly memoryBytes: number
  /** Triggers, and what is kept of what they did. */
  readonly triggerBytes: number
}

/** What an event takes beside its row's value: key, number, time, and its place in the index. */
export const EVENT_BYTES = 100

/** Idempotency keys are forgotten after this, by the store's clock (QUE-11). */
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
   * A small piece of what a store has to do now and then: counts logs that were never counted, forgets idempotency keys
   * that are too old. True when there is more to do.
   */
  upkeep(): Promise<boolean>
}
