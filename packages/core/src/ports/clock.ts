import type { Millis } from "@parlor/protocol"

export interface Clock {
  now(): Millis
  /** Calls back once after `ms`. Returns a function that cancels it. */
  after(ms: number, call: () => void): () => void
}
