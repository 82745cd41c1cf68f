/** The queue's rows as the page shows them. */
import type { QueueRow } from "@parlor/protocol"
import { t } from "../../texts/en/queue.ts"
import { ordinalForm } from "../../texts/format.ts"
import type { PlainKey } from "../../texts/texts.ts"

export type Waiting = {
  readonly id: string
  readonly text: string
  readonly place: string
  /** The label of its source (QUE-13). */
  readonly from: string
  readonly source: string
  /** The agents that answer it instead of the conversation's own (GST-6). */
  readonly guests: readonly string[]
  /** The number of attachments. */
  readonly attached: number
  readonly paused: boolean
  /** It steers the current reply, from the next step on (TRN-9). */
  readonly joining: boolean
  /** When its edit lease ends. */
  readonly editedUntil: number | null
  /** The messages it can swap places with. */
  readonly above: string | undefined
  readonly below: string | undefined
}

/** `running`: whether a turn runs, which a steering message needs. */
export function waitingList(queue: readonly QueueRow[], running: boolean): readonly Waiting[] {
  let place = 0
  return queue.map((row, index) => {
    const paused = row.mode === "paused"
    const joining = isJoining(row, running)
    if (!paused && !joining) place += 1
    return {
      id: row.id,
      text: textOf(row.payload) || otherWords(row),
      place: joining
        ? t("addingToCurrentReply")
        : paused
          ? t("skipped")
          : place === 1
            ? t("next")
            : t(inLine[ordinalForm(place)] ?? "nthInLine", { count: place }),
      from: fromOf(row),
      guests: row.guests,
      attached: row.attachments.length,
      source: row.source,
      paused,
      joining,
      editedUntil: row.lease?.until ?? null,
      above: joining ? undefined : neighbor(queue[index - 1], running),
      below: joining ? undefined : neighbor(queue[index + 1], running),
    }
  })
}

export function textOf(payload: QueueRow["payload"]): string {
  if (typeof payload === "string") return payload
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return ""
  const said = payload.source ?? payload.text
  return typeof said === "string" ? said : ""
}

/** For a message without text: its attachments or its type (CMP-1). */
function otherWords({ attachments, type }: QueueRow): string {
  return attachments.map(({ name }) => name).join(", ") || t("messageOfTypeType", { type })
}

/** The source, with the trigger's subject if it has one. */
function fromOf({ source, trigger }: QueueRow): string {
  const subject = trigger?.subject ?? null
  return subject === null || subject === "" ? fromWords(source) : `${fromWords(source)}: ${subject}`
}

export function fromWords(source: string): string {
  const key = sources[source]
  return key === undefined ? t("fromSource", { source }) : t(key)
}

const inLine: { readonly [form in Intl.LDMLPluralRule]?: "firstInLine" | "secondInLine" | "thirdInLine" } = {
  one: "firstInLine",
  two: "secondInLine",
  few: "thirdInLine",
}

const sources: Readonly<Record<string, PlainKey<typeof t>>> = {
  person: "fromYou",
  api: "fromTheApi",
  schedule: "fromASchedule",
  webhook: "fromAWebhook",
  "mcp-event": "fromAnMcpEvent",
  agent: "fromAnotherAgent",
  observation: "fromSomethingTheAgentObserves",
  self: "fromTheAgent",
  spawn: "fromAnotherAgent",
  sidecar: "fromASideChat",
  import: "imported",
}

function isJoining(row: QueueRow, running: boolean): boolean {
  return running && row.mode === "steer"
}

/** A steering message goes before all queued ones, so nothing swaps places with it. */
function neighbor(row: QueueRow | undefined, running: boolean): string | undefined {
  return row === undefined || isJoining(row, running) ? undefined : row.id
}
