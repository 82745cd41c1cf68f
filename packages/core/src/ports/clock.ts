import type { Millis } from "@parlor/protocol"

export interface Clock {
  now(): Millis
  /** Calls back once after so long; the answer cancels it. */
  after(ms: number, call: () => void): () => void
}
