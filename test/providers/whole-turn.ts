/** Turns of one conversation on a store in memory, by a clock that is moved on until they are over. */
import { type Agent, createRuntime, defineTool, type Log, type Runtime } from "@parlor/core"
import { countingIds, FakeClock, MemorySpool, MemoryStore, requestDefects } from "@parlor/core/testing"
import {
  type ChangeEvent,
  type Collection,
  emptyRows,
  encodeChange,
  fold,
  Refusal,
  type StatusRow,
  type StreamId,
  type TurnRow,
  type TxId,
} from "@parlor/protocol"
import { z } from "zod"
import type { Call } from "./any-script.ts"
import { type Unruly, unrulyModel } from "./unruly-model.ts"

const address = { agent: "crab", person: "ana", branch: "main" } as const
const txid = "tx_test" as TxId
const settings = { stallMs: 1_000, drainDelayMs: 0, retry: { tries: 3, baseMs: 100, maxMs: 200 } }
const TICK_MS = 500
/** More than every call of a case can take, retries and stalls included. */
const MAX_TICKS = 200
const terminal: ReadonlySet<string> = new Set(["done", "stopped", "failed"])

const echo = defineTool({
  name: "echo",
  description: "Says it again.",
  input: z.record(z.string(), z.json()),
  repeatable: true,
  run: async (input) => input,
})
const boom = defineTool({
  name: "boom",
  description: "Fails.",
  input: z.object({}),
  repeatable: false,
  run: async () => Promise.reject(new Error("")),
})
const odd = defineTool({
  name: "odd",
  description: "Answers what no provider takes.",
  input: z.object({}),
  repeatable: false,
  run: async () => ({ half: "\ud83d", nul: ["\u0000"] }),
})

/** What went wrong, one sentence each. */
export async function defectsOf(calls: readonly Call[]): Promise<string[]> {
  const defects: string[] = []
  const clock = new FakeClock()
  const store = new MemoryStore(clock)
  const refusedOnly = (work: Promise<unknown>) =>
    void work.catch((error) => error instanceof Refusal || defects.push(`a command broke: ${String(error)}`))
  const model: Unruly = unrulyModel({
    calls,
    clock,
    stop: () => refusedOnly(runtime.stop(address, { turn: undefined, onQueue: undefined, txid })),
    steer: () => refusedOnly(send(runtime, "steered", "steer")),
  })
  const agent: Agent = {
    name: "crab",
    description: "A crab.",
    instructions: "Be a crab.",
    model,
    tools: [echo, boom, odd],
    commands: [],
  }
  const runtime = createRuntime({
    store,
    spool: new MemorySpool(),
    clock,
    ids: countingIds(),
    random: { next: () => 0.5 },
    log: complaining(defects),
    agents: [agent],
    settings,
  })

  for (const text of ["first", "second", "last"]) {
    if (text === "last") model.behave()
    await send(runtime, text, "immediate")
    const stream = (await runtime.conversation(address)).id
    for (let tick = 0; !isOver(store, stream) && tick < MAX_TICKS; tick++) await clock.advance(TICK_MS)
    if (!isOver(store, stream)) defects.push(`the turn for "${text}" does not end`)
  }
  const stream = (await runtime.conversation(address)).id
  const turns = rowsOf<TurnRow>(store, stream, "turns")
  for (const turn of turns) if (!terminal.has(turn.state)) defects.push(`${turn.id} is left ${turn.state}`)
  const last = turns.at(-1)
  if (last?.state !== "done") defects.push(`a model that behaves again is not heard: ${JSON.stringify(last?.error)}`)
  for (const request of model.requests) defects.push(...requestDefects(request))
  if (!foldsToRows(store, stream)) defects.push("the log does not fold to the rows")
  await runtime.close()
  return defects
}

function send(runtime: Runtime, text: string, mode: "immediate" | "steer"): Promise<unknown> {
  return runtime.send(address, { input: { source: text }, mode, source: "person", txid })
}

function isOver(store: MemoryStore, stream: StreamId): boolean {
  const [status] = rowsOf<StatusRow>(store, stream, "status")
  if (status?.turn !== null) return false
  return status.held !== null || rowsOf(store, stream, "queue").length === 0
}

function rowsOf<Row>(store: MemoryStore, stream: StreamId, collection: Collection): Row[] {
  const rows = store.dump(stream)?.rows.filter((row) => row.collection === collection) ?? []
  return rows
    .sort((a, b) => a.key.localeCompare(b.key, "en", { numeric: true }))
    .map((row) => JSON.parse(row.value) as Row)
}

function foldsToRows(store: MemoryStore, stream: StreamId): boolean {
  const dump = store.dump(stream)
  const folded = fold(
    emptyRows(),
    (dump?.events ?? []).map((event) => JSON.parse(encodeChange(event)) as ChangeEvent),
  )
  const made = Object.entries(folded).flatMap(([collection, rows]) =>
    [...rows].map(([key, row]) => `${collection} ${key} ${JSON.stringify(row)}`),
  )
  const kept = (dump?.rows ?? []).map((row) => `${row.collection} ${row.key} ${row.value}`)
  return JSON.stringify(made.sort()) === JSON.stringify(kept.sort())
}

/** A model that throws what is no fault is a bug, and said to be one; a drive that breaks never is right. */
function complaining(defects: string[]): Log {
  return {
    info() {},
    warn() {},
    error: (line, fields) => {
      if (line !== "turn failed") defects.push(`${line}: ${String(fields?.reason)}`)
    },
  }
}
