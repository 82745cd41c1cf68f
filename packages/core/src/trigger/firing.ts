/** What a trigger did, and what happened to its message (TRG-7). */
import {
  type FiringFate,
  type FiringOutcome,
  type FiringView,
  type Millis,
  type ProblemNote,
  parseRow,
  type RowOf,
  type StreamId,
  type TurnRow,
  unreachable,
} from "@parlor/protocol"
import type { Store } from "../ports/store.ts"
import type { FiringRecord } from "../ports/triggers.ts"

export type Firing = {
  /** Unique within its trigger: the delivery's id, or its due time. */
  readonly id: string
  readonly at: Millis
  readonly dueAt: Millis | null
  readonly outcome: FiringOutcome
  readonly message: string | null
  readonly error: ProblemNote | null
  /** The hash of the signed body, to recognize it under another id. */
  readonly bodyHash?: string
}

/** Firings whose rows are read at once. */
const AT_ONCE = 20

export function firingRecord(trigger: string, firing: Firing): FiringRecord {
  const { id, at, outcome } = firing
  const isSent = outcome === "started" || outcome === "queued" || outcome === "delivered"
  return {
    trigger,
    id,
    at,
    kind: isSent ? "sent" : outcome === "refused" ? "refused" : "other",
    value: JSON.stringify(firing),
  }
}

export function firingOf({ value }: FiringRecord): Firing {
  return JSON.parse(value) as Firing
}

function firingView(firing: Firing, became: FiringFate | null = null): FiringView {
  const { bodyHash: _, ...shown } = firing
  return { ...shown, became }
}

/** The latest firing of each of these triggers. */
export async function lastFirings(store: Store, triggers: readonly string[]): Promise<ReadonlyMap<string, FiringView>> {
  const records = triggers.length === 0 ? [] : await store.triggers.firings(triggers, 1)
  return new Map(records.map((record) => [record.trigger, firingView(firingOf(record))]))
}

/** The latest firings of a trigger, newest first, each with what happened to its message. */
export async function listFirings(
  store: Store,
  trigger: string,
  stream: StreamId | null,
  most: number,
): Promise<FiringView[]> {
  const firings = (await store.triggers.firings([trigger], most)).map(firingOf)
  if (stream === null) return firings.map((firing) => firingView(firing))
  const views: FiringView[] = []
  for (let from = 0; from < firings.length; from += AT_ONCE)
    views.push(...(await withFates(store, stream, firings.slice(from, from + AT_ONCE))))
  return views
}

async function withFates(store: Store, stream: StreamId, firings: readonly Firing[]): Promise<FiringView[]> {
  const sent = firings.flatMap(({ message }) => (message === null ? [] : [message]))
  const [messages, waiting] = await Promise.all([
    rowsOf(store, stream, "messages", sent),
    rowsOf(store, stream, "queue", sent),
  ])
  const turnIds = [...messages.values()].flatMap(({ turn }) => (turn === null ? [] : [turn]))
  const first = await rowsOf(store, stream, "turns", turnIds)
  const retries = [...first.values()].flatMap(({ retriedBy }) => retriedBy ?? [])
  const again = await rowsOf(store, stream, "turns", retries)
  return firings.map((firing) => {
    if (firing.message === null) return firingView(firing)
    if (waiting.has(firing.message)) return firingView(firing, "waiting")
    const message = messages.get(firing.message)
    if (message === undefined) return firingView(firing, "removed")
    const turn = message.turn === null ? undefined : first.get(message.turn)
    const last = (turn?.retriedBy && again.get(turn.retriedBy)) ?? turn
    return firingView(firing, last === undefined ? null : fateOf(last))
  })
}

function fateOf({ state }: TurnRow): FiringFate {
  switch (state) {
    case "running":
    case "retrying":
    case "waiting":
      return "running"
    case "done":
    case "stopped":
      return state
    case "failed":
    case "interrupted":
      return "failed"
    default:
      return unreachable(state)
  }
}

async function rowsOf<C extends "messages" | "queue" | "turns">(
  store: Store,
  stream: StreamId,
  collection: C,
  keys: readonly string[],
): Promise<ReadonlyMap<string, RowOf<C>>> {
  if (keys.length === 0) return new Map()
  const read = await store.log.read(
    stream,
    keys.map((key) => ({ collection, key, outlines: true })),
  )
  const rows = read?.lists.flat() ?? []
  return new Map(rows.map(({ key, value }) => [key, parseRow(collection, value)]))
}
