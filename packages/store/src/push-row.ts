/** Converts rows of the `pushes` table to the port's `PushRecord`. Everything that no query looks into is one value. */
import type { PushKeysRecord, PushRecord } from "@parlor/core"

export type PushRow = {
  readonly id: string
  readonly person: string
  readonly seen_at: number
  readonly value: string
}

export const PUSH_COLUMNS = "id, person, seen_at, value"

/** The row of `meta` with the key pair. */
export const PUSH_KEYS = "push_keys"

export function pushCells({ id, person, seenAt, ...rest }: PushRecord): [string, string, number, string] {
  return [id, person, seenAt, JSON.stringify(rest)]
}

export function toPush({ id, person, seen_at: seenAt, value }: PushRow): PushRecord {
  return { ...(JSON.parse(value) as Omit<PushRecord, "id" | "person" | "seenAt">), id, person, seenAt }
}

export function toPushKeys(value: string | undefined): PushKeysRecord | undefined {
  return value === undefined ? undefined : (JSON.parse(value) as PushKeysRecord)
}
