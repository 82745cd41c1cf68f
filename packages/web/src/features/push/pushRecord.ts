/** What this browser remembers of its subscription, for the person who is signed in. */
import { attempt, type Keep } from "../keep/keep.ts"

const KEPT_AS = "push"

export type PushRecord = {
  readonly id: string
  /** Whether notifications show the beginning of messages. */
  readonly showsText: boolean
  /** When the server was last told that it is in use. */
  readonly at: number
}

export function recordIn(keep: Keep): PushRecord | undefined {
  const kept = keep.read(KEPT_AS)
  return kept === undefined ? undefined : attempt(() => JSON.parse(kept) as PushRecord)
}

export function keepRecord(record: PushRecord | undefined, keep: Keep): void {
  keep.write(KEPT_AS, record && JSON.stringify(record))
}
