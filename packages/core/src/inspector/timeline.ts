/**
 * Folds a turn's events into what the inspector shows: steps with their tools, waits, changes (LOG-15). Pure.
 *
 * The log has everything: a note of each step in the turn's row, tools in their messages, each with the time it was
 * written.
 */
import {
  type AskRow,
  addUsage,
  type Collection,
  emptyUsage,
  type InspectedChange,
  type InspectedStep,
  type InspectedTool,
  type InspectedWait,
  type MessageRow,
  type Millis,
  parseRow,
  type StatusRow,
  type StepNote,
  type StoredChange,
  type ToolPart,
  type TurnRow,
} from "@parlor/protocol"
import { changeWords } from "./words.ts"

export type TimedStep = Omit<InspectedStep, "prompt"> & {
  readonly note: StepNote | undefined
  readonly isOpen: boolean
}

export type Timeline = {
  add(changes: readonly StoredChange[]): void
  /** Whether the turn's last event has been added. */
  readonly isOver: boolean
  steps(): readonly TimedStep[]
  waits(): readonly InspectedWait[]
  readonly changes: readonly InspectedChange[]
}

export function timelineOf(turn: TurnRow["id"]): Timeline {
  const changes: InspectedChange[] = []
  const last = new Map<string, unknown>()
  const notes = new Map<number, StepNote>()
  const said = new Map<string, Said>()
  const asks = new Map<string, InspectedWait>()
  const retries: InspectedWait[] = []
  let isBegun = false
  let ended: number | undefined

  const addTurn = (row: TurnRow) => {
    if (row.step) notes.set(row.step.number, row.step)
  }
  const addOne = (change: StoredChange) => {
    if (change.collection === "turns" && change.key === turn) isBegun = true
    // The message it answers is written just before the turn's own row.
    const isFirst = change.collection === "messages" && isOf(change, turn)
    if (!isBegun && !isFirst) return
    if (ended !== undefined && !(change.collection === "status" && change.seq === ended + 1)) return
    if (change.collection === "deltas") return
    const place = `${change.collection} ${change.key}`
    const { seq, at, collection, key, operation } = change
    const row: unknown = parseRow(collection as Collection, change.value)
    const what = changeWords(change, row, last.get(place))
    if (what !== "") changes.push({ seq, at, collection, key, operation, what })
    last.set(place, row)
    if (collection === "turns" && key === turn) {
      addTurn(row as TurnRow)
      if ((row as TurnRow).endedAt !== null) ended = seq
    }
    if (collection === "messages" && (row as MessageRow).turn === turn) addSaid(said, row as MessageRow, at)
    if (collection === "asks" && (row as AskRow).turn === turn) addAsk(asks, row as AskRow, at)
    if (collection === "status") addRetry(retries, row as StatusRow, at)
  }

  return {
    changes,
    get isOver() {
      return ended !== undefined
    },
    add(more) {
      for (const change of more) addOne(change)
    },
    steps: () => stepsOf(notes, said, ended !== undefined),
    waits: () => [...asks.values(), ...retries].sort((a, b) => a.startedAt - b.startedAt),
  }
}

/** A message of the turn, and when each of its tools started and ended. */
type Said = { row: MessageRow; readonly at: Millis; readonly tools: Map<string, InspectedTool> }

function isOf(change: StoredChange, turn: string): boolean {
  return parseRow("messages", change.value).turn === turn
}

function addSaid(said: Map<string, Said>, row: MessageRow, at: Millis): void {
  if (row.role !== "agent") return
  const known = said.get(row.id) ?? { row, at, tools: new Map<string, InspectedTool>() }
  said.set(row.id, known)
  known.row = row
  for (const part of row.parts) if (part.type === "tool") known.tools.set(part.call, timed(part, known, at))
}

function timed({ call, name, state, error }: ToolPart, { tools }: Said, at: Millis): InspectedTool {
  const before = tools.get(call)
  if (before?.state === state) return before
  const ran = state === "waiting" || (state === "failed" && before?.state !== "started") ? null : at
  const startedAt = before?.startedAt ?? ran
  const endedAt = state === "waiting" || state === "started" ? null : at
  return { call, name, state, error, startedAt, endedAt }
}

function addAsk(asks: Map<string, InspectedWait>, { id, title, state }: AskRow, at: Millis): void {
  const startedAt = asks.get(id)?.startedAt ?? at
  asks.set(id, { kind: "ask", title, startedAt, endedAt: state === "open" ? null : at })
}

function addRetry(retries: InspectedWait[], { state, attempt, error }: StatusRow, at: Millis): void {
  const open = retries.at(-1)
  if (open !== undefined && open.endedAt === null) retries[retries.length - 1] = { ...open, endedAt: at }
  if (state !== "retrying") return
  const title = `before try ${attempt ?? 2}${error === null ? "" : `: ${error.detail}`}`
  retries.push({ kind: "retry", title, startedAt: at, endedAt: null })
}

/** In order. A step whose note was lost in a crash is recognized by its reply. */
function stepsOf(notes: ReadonlyMap<number, StepNote>, said: ReadonlyMap<string, Said>, isOver: boolean) {
  const known = new Set([...notes.values()].flatMap(({ attempts }) => attempts.map(({ message }) => message)))
  const steps = [...notes.values()].map((note) =>
    notedStep(note, note.message === null ? undefined : said.get(note.message)),
  )
  for (const one of said.values()) {
    const isOpen = one.row.state === "streaming" && !isOver
    if (!known.has(one.row.id) && (isOpen || isOfModel(one.row))) steps.push(unnotedStep(one, isOpen))
  }
  return steps
    .sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || a.number - b.number)
    .map((step, index): TimedStep => (step.note === undefined ? { ...step, number: index + 1 } : step))
}

/** A handler's reply is not a step. */
function isOfModel({ usage, state, parts }: MessageRow): boolean {
  return usage !== null || state !== "done" || parts.some(({ type }) => type === "tool")
}

function notedStep(note: StepNote, said: Said | undefined): TimedStep {
  const { number, message, window, maxOutput, attempts } = note
  const last = attempts.at(-1)
  const usage = attempts.reduce((sum, attempt) => addUsage(sum, attempt.usage ?? emptyUsage), emptyUsage)
  return {
    ...{ number, message, window, maxOutput, usage, note, isOpen: false },
    model: last?.model ?? null,
    startedAt: attempts[0]?.startedAt ?? null,
    firstAt: last?.firstAt ?? null,
    endedAt: last?.endedAt ?? null,
    attempts: [...attempts],
    tools: [...(said?.tools.values() ?? [])],
  }
}

function unnotedStep({ row, at, tools }: Said, isOpen: boolean): TimedStep {
  return {
    ...{
      number: 0,
      message: row.id,
      model: null,
      window: null,
      maxOutput: null,
      attempts: [],
      note: undefined,
      isOpen,
    },
    startedAt: row.at,
    firstAt: at,
    endedAt: null,
    usage: row.usage ?? emptyUsage,
    tools: [...tools.values()],
  }
}
