/**
 * A conversation as JSON Lines, out and in again with the same visible result (LOG-15). Of a branch the messages above its
 * fork go out with its own. What is dimmed says so, and comes in as rolled back again.
 *
 *   {"parlor":1,"agent":…,"branch":…,"title":…}    first line
 *   {"turn":{…}}  {"message":{…}}                  in the order of the conversation
 *
 * Import also takes plain lines { "role": "person"|"agent", "text": … }, which go to the end of an idle conversation; an
 * export goes into an empty one, because its messages keep their ids. All lines are checked before anything is
 * stored, and all are stored in one append.
 */
import {
  type Address,
  type DeltaRow,
  feedKey,
  isWithin,
  limits,
  type MessageId,
  type MessageRow,
  type NewChange,
  type OrdRange,
  type Part,
  Refusal,
  type RollbackRow,
  type StatusRow,
  type TurnRow,
  type TxId,
  withDeltas,
} from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { makeConversation } from "../conversation/create.ts"
import { conversationAt, feedStream } from "../log/address.ts"
import { type Section, sectionsOf } from "../log/line.ts"
import type { LogAccess } from "../log/log-access.ts"
import { readTurn } from "../log/read-turn.ts"
import { isBusy, stateOf, stateQueries, statusChange } from "../log/state.ts"
import { writeDecision } from "../log/write.ts"
import type { StoredRow } from "../ports/store.ts"
import { newRollback } from "../rollback/plan.ts"
import { excerpt, titleFrom } from "../text/excerpt.ts"
import { textOf } from "../text/text-of.ts"
import { parseLine, withoutRecord } from "./import-line.ts"

const PAGE = 500

export async function* exportLines(node: LogAccess & Agents, address: Address): AsyncGenerator<string> {
  const stream = await conversationAt(node, address)
  const read = await node.store.read(stream.id, [...stateQueries, { collection: "deltas" }])
  if (read === undefined) throw new Refusal("conversation.unknown", "The conversation was deleted.")
  const deltas = (read.lists[stateQueries.length] ?? []).map((row) => JSON.parse(row.value) as DeltaRow)
  const { title } = stateOf(read).status
  yield JSON.stringify({ parlor: 1, agent: address.agent, branch: address.branch, title })
  const sections = await sectionsOf(node.store, stream.id)
  const dimmed = sections.at(-1)?.dimmed ?? []
  for (const section of [...sections].reverse())
    for await (const line of sectionLines(node, section, deltas, dimmed)) yield line
}

async function* sectionLines(
  node: LogAccess & Agents,
  section: Section,
  deltas: readonly DeltaRow[],
  dimmed: readonly OrdRange[],
): AsyncGenerator<string> {
  let after = section.above
  let lastTurn: string | null = null
  for (;;) {
    const page: readonly StoredRow[] =
      (await node.store.read(section.stream, [{ collection: "messages", oldest: PAGE, after }]))?.lists[0] ?? []
    for (const row of page) {
      const ord = row.ord ?? 0
      if (ord > section.upTo) return
      const message = settled(withDeltas(JSON.parse(row.value) as MessageRow, deltas))
      if (message.turn !== null && message.turn !== lastTurn) {
        lastTurn = message.turn
        const turn = await readTurn(node.store, section.stream, lastTurn)
        if (turn !== undefined) yield JSON.stringify({ turn: withoutRecord(turn) })
      }
      yield JSON.stringify({ message: { ...message, dimmed: dimmed.some((range) => isWithin(ord, range)) } })
      after = ord
    }
    if (page.length < PAGE) return
  }
}

/** Takes the lines into the conversation, which is made when it is not there. */
export async function importLines(
  node: LogAccess & Agents,
  address: Address,
  lines: Iterable<string>,
  txid: TxId,
): Promise<{ messages: number }> {
  const now = node.clock.now()
  const rows = collect(node, lines, now)
  const stream = await makeConversation(node, address, txid)
  const read = await node.store.read(stream.id, stateQueries)
  if (read === undefined) throw new Refusal("conversation.unknown", "The conversation was deleted.")
  const state = stateOf(read)
  if (rows.isExport && state.lastOrd > 0)
    throw new Refusal(
      "import.not-empty",
      `An export goes into an empty conversation; ${feedKey(address)} has messages.`,
    )
  if (isBusy(state.status) || state.queued > 0)
    throw new Refusal("conversation.busy", `The conversation ${feedKey(address)} is busy. Wait until it is idle.`)
  const status = importedStatus(state.status, rows, now)
  const messages = rows.messages.map((message, index) => ({ ...message, ord: state.lastOrd + index + 1 }))
  const changes: NewChange[] = [
    ...rows.turns.map((row) => ({ collection: "turns", key: row.id, operation: "insert", row }) as const),
    ...messages.map((message) => {
      const row = { ...message, dimmed: false }
      return { collection: "messages", key: row.id, operation: "insert", row } as const
    }),
    ...rolledBack(node, messages, { began: state.stream.head + 1, at: now }),
    statusChange(status),
  ]
  const appended = await writeDecision(node, state, await feedStream(node, address.person), { changes }, { txid })
  if (!appended.ok)
    throw new Refusal("conversation.busy", "Someone else changed the conversation meanwhile. Nothing was imported.")
  return { messages: rows.messages.length }
}

type Imported = { title: string; isExport: boolean; readonly turns: TurnRow[]; readonly messages: MessageRow[] }

function collect(node: LogAccess & Agents, lines: Iterable<string>, now: number): Imported {
  const imported: Imported = { title: "", isExport: false, turns: [], messages: [] }
  const seen = new Set<string>()
  let number = 0
  for (const line of lines) {
    number += 1
    if (line.trim() === "") continue
    const parsed = parseLine(line, number)
    if (parsed.kind === "head") imported.title = parsed.title
    else if (parsed.kind === "turn") imported.turns.push({ ...parsed.turn, state: settledTurn(parsed.turn.state) })
    else if (parsed.kind === "plain") imported.messages.push(plainMessage(node, parsed.role, parsed.text, now))
    else {
      if (seen.has(parsed.message.id))
        throw new Refusal(
          "import.invalid",
          `Line ${number} repeats the message ${parsed.message.id}.`,
          `/${number - 1}/message/id`,
        )
      seen.add(parsed.message.id)
      imported.isExport = true
      imported.messages.push(settled(parsed.message))
    }
  }
  if (imported.messages.length === 0) throw new Refusal("import.invalid", "There is no message in the import.")
  return imported
}

/** One rollback for each run of dimmed messages. */
function rolledBack(
  node: LogAccess & Agents,
  messages: readonly MessageRow[],
  times: { readonly began: number; readonly at: number },
): readonly NewChange[] {
  const rows: RollbackRow[] = []
  messages.forEach((message, index) => {
    if (!message.dimmed) return
    const before = messages[index - 1]
    const last = rows.at(-1)
    if (before?.dimmed && last !== undefined)
      rows[rows.length - 1] = { ...last, from: message.id, fromOrd: message.ord }
    else
      rows.push(
        newRollback({
          id: node.ids.next("rbk"),
          to: before?.id ?? null,
          toOrd: message.ord - 1,
          from: message.id,
          fromOrd: message.ord,
          ...times,
        }),
      )
  })
  if (rows.length > limits.rollbacks)
    throw new Refusal("import.invalid", `More than ${limits.rollbacks} stretches of it are rolled back.`)
  return rows.map((row) => ({ collection: "rollbacks", key: row.id, operation: "insert", row }))
}

function plainMessage(node: LogAccess & Agents, role: "person" | "agent", text: string, at: number): MessageRow {
  const id = node.ids.next("msg") as MessageId
  const parts: Part[] = [{ type: "text", text }]
  const none = { author: "", turn: null, composer: null, inbox: null, dimmed: false, editedFrom: null, usage: null }
  const from = { scheduleId: null, deliveryId: null, headers: null, subject: null }
  return { id, ord: 0, role, state: "done", parts, trigger: { source: "import", firedAt: at, ...from }, at, ...none }
}

/** What was still moving when it was exported has stopped. */
function settled(message: MessageRow): MessageRow {
  return message.state === "streaming" ? { ...message, state: "truncated" } : message
}

function settledTurn(state: TurnRow["state"]): TurnRow["state"] {
  return state === "running" || state === "retrying" || state === "waiting" ? "interrupted" : state
}

function importedStatus(status: StatusRow, rows: Imported, now: number): StatusRow {
  const first = rows.messages.find((message) => message.role === "person")
  const last = rows.messages.at(-1)
  return {
    ...status,
    title: status.title || rows.title || titleFrom(first ? textOf(first.parts) : ""),
    preview: last ? excerpt(textOf(last.parts), 140) : status.preview,
    activityAt: now,
  }
}
