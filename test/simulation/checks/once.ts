/**
 * [QUE-9, QUE-14] A message runs once: it leaves the queue by starting, joining a turn or being removed by someone, and
 * what has started is what was stored last and never changes.
 */
import type { ChangeEvent, ComposerInput, MessageRow } from "@parlor/protocol"
import type { MakeCheck } from "../check.ts"
import type { Commit } from "../journal.ts"
import { startOf } from "./start-of.ts"

export const once: MakeCheck = (it, wrong) => {
  const gone = new Map<string, "ran" | "removed">()
  const answered = new Set<string>()
  return {
    commit(commit) {
      const { entries } = commit
      const started = entries.flatMap(({ event }) => (isPersons(event) ? [event.value] : []))
      for (const { stored, event } of entries) {
        const seq = stored.seq
        if (event.type === "queue") queueEvent(event, seq, started, commit)
        if (event.type === "turns" && event.headers.operation === "insert") {
          const isOther = isAnotherGuest(commit, event.value.message) || startOf(it, commit)?.by === "retry"
          const isNext = answered.has(event.value.message) && !isOther
          if (isNext) wrong("QUE-14", `${seq}: ${event.value.message} starts a second turn`)
          answered.add(event.value.message)
        }
        if (!isPersons(event)) continue
        if (event.headers.operation !== "insert") wrong("QUE-9", `${seq}: ${event.key} changes after it started`)
        const before = gone.get(event.key)
        if (before !== undefined) wrong(before === "ran" ? "QUE-14" : "QUE-9", `${seq}: ${event.key} had ${before}`)
        if (it.rows.messages.has(event.key)) wrong("QUE-14", `${seq}: ${event.key} comes twice`)
        const waiting = it.rows.queue.get(event.key)
        if (waiting !== undefined && textOf(event.value) !== (waiting.payload as unknown as ComposerInput).source)
          wrong("QUE-9", `${seq}: ${event.key} starts with another text than it had`)
        if (waiting !== undefined && !leaves(entries, event.key))
          wrong("QUE-14", `${seq}: ${event.key} starts and stays in the queue`)
        gone.set(event.key, "ran")
      }
    },
    end() {
      for (const row of it.queue) wrong("QUE-14", `${row.id} is left in the queue (${row.mode})`)
    },
  }

  function queueEvent(
    event: Extract<ChangeEvent, { type: "queue" }>,
    seq: number,
    started: readonly MessageRow[],
    commit: Commit,
  ): void {
    const { operation } = event.headers
    const before = gone.get(event.key)
    if (before !== undefined) wrong("QUE-9", `${seq}: ${event.key} is in the queue and had ${before}`)
    if (operation === "insert" && it.rows.queue.has(event.key)) wrong("QUE-14", `${seq}: ${event.key} queues twice`)
    if (operation === "update" && !it.rows.queue.has(event.key)) wrong("QUE-9", `${seq}: ${event.key} is not waiting`)
    if (operation !== "delete" || started.some((row) => row.id === event.key)) return
    gone.set(event.key, "removed")
    if (!mayRemove(commit)) wrong("QUE-14", `${seq}: ${event.key} vanishes and nobody removed it`)
  }

  function mayRemove({ append, entries }: Commit): boolean {
    const kind = it.opBy.get(append.txid)?.command.kind
    if (kind === "remove" || kind === "clear") return true
    const stops = entries.some(({ event }) => event.type === "turns" && event.value.state === "stopped")
    return stops && it.opsOf("stop").some((op) => op.command.onQueue === "clear" || op.command.onQueue === undefined)
  }
}

/** Who is named with a message answers it when the one before is done; `guests.ts` looks at who and how often. */
function isAnotherGuest({ entries }: Commit, message: string): boolean {
  return entries.some(
    ({ event }) => event.type === "turns" && event.value.message === message && event.value.state === "done",
  )
}

function isPersons(event: ChangeEvent): event is Extract<ChangeEvent, { type: "messages" }> {
  return event.type === "messages" && event.value.role === "person" && event.value.turn !== null
}

function leaves(entries: Commit["entries"], key: string): boolean {
  return entries.some(
    ({ event }) => event.type === "queue" && event.key === key && event.headers.operation === "delete",
  )
}

function textOf(row: MessageRow): string {
  return row.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
}
