/** Converts rows of the `triggers` and `firings` tables to the port's records. */
import type { FiringKind, FiringRecord, TriggerKind, TriggerRecord } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"

export type TriggerRow = {
  readonly id: string
  readonly kind: TriggerKind
  readonly person: string
  readonly stream: StreamId | null
  readonly look_at: number | null
  /** A number in SQLite. */
  readonly live: boolean | number
  readonly version: number
  readonly created_at: number
  readonly value: string
}

export const TRIGGER_COLUMNS = "id, kind, person, stream, look_at, live, version, created_at, value"

export function toTrigger(row: TriggerRow): TriggerRecord {
  const { id, kind, person, stream, version, value } = row
  const times = { lookAt: row.look_at, createdAt: row.created_at }
  return { id, kind, person, stream, live: Boolean(row.live), version, value, ...times }
}

export type FiringRow = {
  readonly trigger_id: string
  readonly id: string
  readonly at: number
  readonly kind: FiringKind
  readonly value: string
}

export const FIRING_COLUMNS = "trigger_id, id, at, kind, value"

export function toFiring({ trigger_id: trigger, id, at, kind, value }: FiringRow): FiringRecord {
  return { trigger, id, at, kind, value }
}

/** The statement takes two kinds: a single one is passed twice. */
export function kindPair(kinds: readonly TriggerKind[]): readonly [TriggerKind, TriggerKind] {
  const [first, second = first] = kinds
  if (first === undefined || second === undefined || kinds.length > 2) throw new Error("one or two kinds")
  return [first, second]
}
