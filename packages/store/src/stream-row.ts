/** Converts a row of the `streams` table to the port's `Stream`, and a `StreamKey` to its columns. */
import type { Stream, StreamKey } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"

/** How long an import may exist before its first lease. */
export const UNCLAIMED_MS = 60_000

export type StreamRow = {
  readonly id: number
  readonly kind: string
  readonly agent: string
  readonly person: string
  readonly branch: string
  readonly head: number
  readonly control: number
  readonly epoch: number
}

export const STREAM_COLUMNS = "id, kind, agent, person, branch, head, control, epoch"

export function toStream(row: StreamRow): Stream {
  const { person } = row
  const kind = row.kind === "import" ? "import" : "conversation"
  const key: StreamKey =
    row.kind === "feed" ? { kind: "feed", person } : { kind, agent: row.agent, person, branch: row.branch }
  return { id: row.id as StreamId, key, head: row.head, control: row.control, epoch: row.epoch }
}

/** kind, agent, person, branch. A feed has no agent and no branch. */
export function keyColumns(key: StreamKey): readonly [string, string, string, string] {
  return key.kind === "feed" ? ["feed", "", key.person, ""] : [key.kind, key.agent, key.person, key.branch]
}
