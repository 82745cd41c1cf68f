/** What waits its turn, in words, from the queue's rows. */
import type { QueueRow } from "@parlor/protocol"

export type Waiting = { readonly id: string; readonly text: string; readonly place: string; readonly paused: boolean }

export function waitingList(queue: readonly QueueRow[]): readonly Waiting[] {
  return queue.map((row, index) => ({
    id: row.id,
    text: textOf(row.payload),
    place: row.mode === "paused" ? "paused" : index === 0 ? "next" : `${ordinal(index + 1)} in line`,
    paused: row.mode === "paused",
  }))
}

function textOf(payload: QueueRow["payload"]): string {
  if (typeof payload === "string") return payload
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return ""
  const said = payload.source ?? payload.text
  return typeof said === "string" ? said : ""
}

function ordinal(n: number): string {
  const rule = new Intl.PluralRules("en", { type: "ordinal" }).select(n)
  const endings: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" }
  return `${n}${endings[rule] ?? "th"}`
}
