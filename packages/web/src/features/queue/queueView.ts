/** What waits its turn, in words, from the queue's rows. */
import type { QueueRow } from "@parlor/protocol"

export type Waiting = {
  readonly id: string
  readonly text: string
  readonly place: string
  /** Where it came from, in words (QUE-13). */
  readonly from: string
  readonly source: string
  /** Who answers it instead of the conversation's own agent (GST-6). */
  readonly guests: readonly string[]
  /** How many files go along. */
  readonly attached: number
  readonly paused: boolean
  /** It steers the answer being written, and goes into it at the next step (TRN-9). */
  readonly joining: boolean
  /** Until when somebody may be editing it. */
  readonly editedUntil: number | null
  /** The messages it may change places with. */
  readonly above: string | undefined
  readonly below: string | undefined
}

/** `running`: whether a turn runs, which is what a steering message needs to join. */
export function waitingList(queue: readonly QueueRow[], running: boolean): readonly Waiting[] {
  let place = 0
  return queue.map((row, index) => {
    const paused = row.mode === "paused"
    const joining = isJoining(row, running)
    if (!paused && !joining) place += 1
    return {
      id: row.id,
      text: textOf(row.payload) || otherWords(row),
      place: joining ? "joining the answer" : paused ? "paused" : place === 1 ? "next" : `${ordinal(place)} in line`,
      from: fromOf(row),
      guests: row.guests,
      attached: row.attachments.length,
      source: row.source,
      paused,
      joining,
      editedUntil: row.lease?.until ?? null,
      above: joining ? undefined : neighbour(queue[index - 1], running),
      below: joining ? undefined : neighbour(queue[index + 1], running),
    }
  })
}

export function textOf(payload: QueueRow["payload"]): string {
  if (typeof payload === "string") return payload
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return ""
  const said = payload.source ?? payload.text
  return typeof said === "string" ? said : ""
}

/** For a message that says nothing itself: what goes along, or what kind of message it is (CMP-1). */
function otherWords({ attachments, type }: QueueRow): string {
  return attachments.map(({ name }) => name).join(", ") || `A message of the kind “${type}”`
}

/** Where it came from; a trigger that has a subject says it. */
function fromOf({ source, trigger }: QueueRow): string {
  const subject = trigger?.subject ?? null
  return subject === null || subject === "" ? fromWords(source) : `${fromWords(source)}: ${subject}`
}

export function fromWords(source: string): string {
  return sources[source] ?? `From ${source}`
}

const sources: Readonly<Record<string, string>> = {
  person: "From you",
  api: "By API",
  schedule: "On schedule",
  webhook: "By webhook",
  "mcp-event": "By MCP event",
  self: "From itself",
  spawn: "From another agent",
  sidecar: "From what was asked aside",
  import: "Imported",
}

function isJoining(row: QueueRow, running: boolean): boolean {
  return running && row.mode === "steer"
}

/** What joins the answer goes before everything that waits, so nothing changes places with it. */
function neighbour(row: QueueRow | undefined, running: boolean): string | undefined {
  return row === undefined || isJoining(row, running) ? undefined : row.id
}

function ordinal(n: number): string {
  const rule = new Intl.PluralRules("en", { type: "ordinal" }).select(n)
  const endings: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" }
  return `${n}${endings[rule] ?? "th"}`
}
