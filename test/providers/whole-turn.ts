/** Turns of one conversation on a store in memory, by a clock that is moved on until they are over. */
import { type Agent, createRuntime, defineTool, type Log, type ModelRequest, type Runtime } from "@parlor/core"
import { countingIds, FakeClock, MemorySpool, MemoryStore, requestDefects } from "@parlor/core/testing"
import {
  type Collection,
  changeOf,
  collections,
  emptyRows,
  fold,
  type MessageRow,
  parseRow,
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

/** Takes its time, so that things can happen meanwhile. */
const slow = (clock: FakeClock) =>
  defineTool({
    name: "slow",
    description: "Waits a moment.",
    input: z.object({}),
    repeatable: true,
    run: () => new Promise((resolve) => void clock.after(200, () => resolve("at last"))),
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
    tools: [echo, boom, odd, slow(clock)],
    slashCommands: [],
  }
  const guest: Agent = { ...agent, name: "critic", instructions: "Be a critic." }
  const runtime = createRuntime({
    store,
    spool: new MemorySpool(),
    clock,
    ids: countingIds(),
    random: { next: () => 0.5 },
    log: complaining(defects),
    agents: [agent, guest],
    settings,
  })

  for (const text of ["first", "second", "last"]) {
    if (text === "last") model.behave()
    await send(runtime, text, "immediate", text === "second" ? ["critic", "crab"] : [])
    const stream = (await runtime.conversation(address)).id
    for (let tick = 0; !isOver(store, stream) && tick < MAX_TICKS; tick++) await clock.advance(TICK_MS)
    if (!isOver(store, stream)) defects.push(`the turn for "${text}" does not end`)
  }
  const stream = (await runtime.conversation(address)).id
  const turns = rowsOf<TurnRow>(store, stream, "turns")
  for (const turn of turns) if (!terminal.has(turn.state)) defects.push(`${turn.id} is left ${turn.state}`)
  const last = turns.at(-1)
  if (last?.state !== "done") defects.push(`a model that behaves again is not heard: ${JSON.stringify(last?.error)}`)
  for (const request of model.requests) defects.push(...requestDefects(request), ...guestDefects(request))
  defects.push(...rowDefects(store, stream))
  await runtime.close()
  return defects
}

/** A guest has no tools, and is shown neither calls nor results (GST-1). */
function guestDefects({ instructions, messages, tools }: ModelRequest): string[] {
  if (!instructions.startsWith("Be a critic.")) return []
  const parts = messages.flatMap((message) => (message.role === "agent" ? message.parts : []))
  const isToolless = tools.length === 0 && parts.every(({ type }) => type === "text")
  return isToolless && messages.every(({ role }) => role !== "tools") ? [] : ["a guest is offered or shown tools"]
}

function send(
  runtime: Runtime,
  text: string,
  mode: "immediate" | "steer",
  guests: readonly string[] = [],
): Promise<unknown> {
  const payload = { source: text }
  return runtime.send(address, { type: "composer_input", payload, guests, mode, source: "person", txid })
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
    .map((row) => parseRow(collection, row.value) as unknown as Row)
}

/** Nothing is left open, every row is what its schema says, and the log folds to the rows. */
function rowDefects(store: MemoryStore, stream: StreamId): string[] {
  const { rows, events } = store.dump(stream) ?? { rows: [], events: [] }
  const defects = rows.flatMap(({ collection, key, value }) => {
    const parsed = collections[collection].safeParse(parseRow(collection, value))
    return parsed.success ? [] : [`${collection} ${key} is no such row: ${parsed.error.message}`]
  })
  const messages = rowsOf<MessageRow>(store, stream, "messages")
  const calls = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.call] : [])))
  if (new Set(calls).size < calls.length) defects.push(`two calls share an id: ${calls.join(", ")}`)
  const authors = new Map(rowsOf<TurnRow>(store, stream, "turns").map(({ id, guest }) => [id, guest ?? ""]))
  for (const { id, role, author, turn, state, parts } of messages) {
    if (role === "agent" && turn !== null && author !== authors.get(turn)) defects.push(`${id} is by "${author}"`)
    const states = parts.map((part) => (part.type === "tool" ? part.state : part.type))
    if (state === "streaming") defects.push(`${id} is left streaming`)
    if (states.includes("waiting") || states.includes("started")) defects.push(`a call of ${id} is left open`)
    const called = parts.findIndex((part) => part.type === "tool")
    if (called >= 0 && parts.slice(called).some((part) => part.type !== "tool" && part.type !== "notice"))
      defects.push(`${id} says something after its calls`)
  }
  const folded = fold(emptyRows(), events.map(changeOf))
  const made = Object.entries(folded).flatMap(([collection, table]) =>
    [...table].map(([key, row]) => `${collection} ${key} ${JSON.stringify(row)}`),
  )
  const kept = rows.map(
    (row) => `${row.collection} ${row.key} ${JSON.stringify(parseRow(row.collection as Collection, row.value))}`,
  )
  if (JSON.stringify(made.sort()) !== JSON.stringify(kept.sort())) defects.push("the log does not fold to the rows")
  return defects
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
