/** The turns of a conversation for the inspector (LOG-15): an overview by page, and one turn in full. */
import {
  type Address,
  formatOffset,
  type InspectedPrompt,
  type InspectedTurn,
  limits,
  parseRow,
  parseRows,
  Refusal,
  type StepNote,
  type StreamId,
  type TurnGlance,
  type TurnPage,
  type TurnRow,
} from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { conversationAt } from "../log/address.ts"
import { readTurn } from "../log/read-turn.ts"
import { formatRowCursor, parseRowCursor, rowPlace } from "../log/row-cursor.ts"
import type { Ports } from "../ports/ports.ts"
import type { StoredRow } from "../ports/store.ts"
import { excerpt } from "../text/excerpt.ts"
import { messageText } from "../text/searchable.ts"
import { rebuilding } from "./rebuild.ts"
import { type TimedStep, type Timeline, timelineOf } from "./timeline.ts"

const PAGE = { count: limits.readPageEvents, bytes: limits.readPageBytes }

export async function inspectTurns(
  node: Ports & Agents,
  address: Address,
  options: { readonly cursor: string | undefined; readonly limit: number },
): Promise<TurnPage> {
  const stream = await conversationAt(node, address)
  const below = options.cursor === undefined ? {} : parseRowCursor(options.cursor)
  const query = { collection: "turns", newest: options.limit + 1, bytes: limits.pageBytes, ...below } as const
  const read = await node.store.log.read(stream.id, [query])
  const rows = read?.lists[0] ?? []
  const shown = rows.slice(0, options.limit)
  const last = shown.at(-1)
  const isMore = rows.length > options.limit || (read?.cut.length ?? 0) > 0
  return {
    turns: await glances(node, stream.id, parseRows("turns", shown)),
    cursor: isMore && last !== undefined ? formatRowCursor(rowPlace(last)) : null,
  }
}

/** `step`: includes the prompt of that step only. */
export async function inspectTurn(
  node: Ports & Agents,
  address: Address,
  id: string,
  options: { readonly step: number | undefined },
): Promise<InspectedTurn> {
  const { id: stream } = await conversationAt(node, address)
  const turn = await readTurn(node.store, stream, id)
  const [glance] = await glances(node, stream, turn === undefined ? [] : [turn])
  if (turn === undefined || glance === undefined)
    throw new Refusal("turn.unknown", `There is no turn ${id} in this conversation.`, "turn")
  const { began = null } = turn
  if (began === null) return { turn: glance, recorded: false, whole: true, steps: [], waits: [], changes: [] }
  const { timeline, whole } = await readTimeline(node, stream, turn, began)
  const steps: InspectedTurn["steps"] = []
  const rebuild = rebuilding(node, { stream, address, turn })
  for (const { note, isOpen, ...step } of timeline.steps())
    steps.push({ ...step, prompt: await promptOf({ note, isOpen, number: step.number }, options.step, rebuild) })
  return { turn: glance, recorded: true, whole, steps, waits: [...timeline.waits()], changes: [...timeline.changes] }
}

async function promptOf(
  { note, isOpen, number }: Pick<TimedStep, "note" | "isOpen" | "number">,
  wanted: number | undefined,
  rebuild: (note: StepNote) => Promise<InspectedPrompt>,
): Promise<InspectedPrompt> {
  if (note === undefined) return { state: isOpen ? "pending" : "missing", request: null }
  return wanted === undefined || wanted === number ? rebuild(note) : { state: "left-out", request: null }
}

/** Reads the log from the turn's beginning to its end, or to the end of the log. */
async function readTimeline(
  node: Ports & Agents,
  stream: StreamId,
  turn: TurnRow,
  began: number,
): Promise<{ readonly timeline: Timeline; readonly whole: boolean }> {
  const timeline = timelineOf(turn.id)
  let after = began
  while (after - began < limits.inspectedEvents) {
    const page = await node.store.log.events(stream, after, PAGE)
    const last = page?.changes.at(-1)
    if (page === undefined || last === undefined) return { timeline, whole: true }
    timeline.add(page.changes)
    after = last.seq
    if (timeline.isOver || after >= page.head) return { timeline, whole: true }
  }
  return { timeline, whole: false }
}

/** One message at a time: only the beginning of each is shown, and each may be long (LOG-25). */
async function glances(node: Ports & Agents, stream: StreamId, turns: readonly TurnRow[]): Promise<TurnGlance[]> {
  const found: TurnGlance[] = []
  for (const turn of turns) {
    const read = await node.store.log.read(stream, [{ collection: "messages", key: turn.message }])
    found.push(glanceOf(turn, read?.lists[0]?.[0]))
  }
  return found
}

function glanceOf(turn: TurnRow, asked: StoredRow | undefined): TurnGlance {
  const { id, message, agent, guest, state, steps, usage, startedAt, endedAt, error } = turn
  const text = asked === undefined ? "" : (messageText(parseRow("messages", asked.value)) ?? "")
  const compaction = turn.compaction !== null
  return {
    ...{ id, message, agent, guest, compaction, state, steps, usage, startedAt, endedAt, error },
    question: compaction ? "" : excerpt(text, limits.previewLength),
    model: turn.step?.attempts.at(-1)?.model ?? null,
    context: contextOf(turn.step ?? undefined),
    began: turn.began === null ? null : formatOffset(turn.began),
  }
}

/** The provider's count for the last call that was counted. */
function contextOf(note: StepNote | undefined): TurnGlance["context"] {
  const usage = note?.attempts.findLast((attempt) => attempt.usage !== null)?.usage
  if (note === undefined || usage === undefined || usage === null) return null
  return { tokens: usage.inputTokens + usage.outputTokens, window: note.window }
}

/** Imported ids may contain anything. */
