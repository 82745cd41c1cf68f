/** Published clients, unmodified, on a real server: they follow a conversation as if Parlor were made for them. */
import { stream } from "@durable-streams/client"
import { ModelFault } from "@parlor/core"
import { calls, finish, gate, type Script, says, scriptedModel } from "@parlor/core/testing"
import { type ChangeEvent, collections, emptyRows, fold, type Rows, readChanges } from "@parlor/protocol"
import { afterEach, describe, expect, test, vi } from "vitest"
import { type RunningParlor, startParlor } from "./parlor.ts"
import { parsed, readAll } from "./readers.ts"
import { openStreamDb } from "./stream-db.ts"

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

describe("@durable-streams/client", () => {
  test("[LOG-7] reads a conversation's log to its end", async () => {
    const parlor = await start([says("Hello there.")])
    await parlor.send("hi")
    await parlor.idle()
    const response = await stream<ChangeEvent>({ ...place(parlor), offset: "-1", live: false })
    expect(complete(await response.json())).toEqual(await changesOf(parlor))
    expect(response.upToDate).toBe(true)
  })

  for (const live of ["sse", "long-poll"] as const) {
    test(`[LOG-7] follows a turn by ${live} and resumes from an offset`, async () => {
      const pause = gate()
      const parlor = await start([[text("Hello "), pause, text("there."), finish()], says("And more.")])
      const first = await collect(parlor, "-1", live)
      await parlor.send("hi")
      await vi.waitFor(() => expect(first.rows().deltas.size).toBe(1))
      const left = first.stop()
      pause.open()
      await parlor.idle()
      const second = await collect(parlor, left, live)
      await parlor.send("go on")
      await parlor.idle()
      const whole = await changesOf(parlor)
      await vi.waitFor(() => expect([...first.changes, ...second.changes]).toEqual(whole))
    })
  }
})

describe("StreamDB", () => {
  for (const view of ["log", "state"] as const) {
    test(`[LOG-7] follows a conversation while a turn streams, view=${view}`, async () => {
      const pause = gate()
      const parlor = await start([says("An earlier answer."), [text("Hello "), pause, text("there."), finish()]])
      await parlor.send("earlier")
      await parlor.idle()
      const db = await openDb(parlor, view)
      const sent = await parlor.send("hi")
      await db.utils.awaitTxId(sent.txid)
      expect(db.rows("messages").get(sent.message)).toMatchObject({ role: "person", parts: [text("hi")] })
      await vi.waitFor(() => expect(db.reply()).toBe("Hello "))
      expect(db.rows("status").get("status")).toMatchObject({ state: "busy", turn: sent.turn })
      pause.open()
      await parlor.idle()
      await vi.waitFor(() => expect(db.reply()).toBe("Hello there."))
      const folded = fold(emptyRows(), await changesOf(parlor))
      await vi.waitFor(() => expect(db.all()).toEqual(rowsOf(folded)))
    })
  }

  test("[LOG-36] reads a trimmed log to the same rows, and goes on from inside a dropped reply", async () => {
    const pause = gate()
    const parlor = await start([[text("Hello "), text("there "), pause, text("again."), finish()], says("More.")])
    const half = await collect(parlor, "-1", "sse")
    await parlor.send("hi")
    await vi.waitFor(() => expect(half.rows().deltas.size).toBeGreaterThan(0))
    const inside = half.stop()
    pause.open()
    await parlor.idle()
    await parlor.send("more")
    await parlor.idle()
    const folded = rowsOf(fold(emptyRows(), await changesOf(parlor)))
    while ((await parlor.store.log.trim({ graceMs: -60_000 })).more);
    const trimmed = await changesOf(parlor)
    expect(trimmed.filter(({ type }) => type === "deltas")).toEqual([])
    const db = await openDb(parlor, "log")
    await vi.waitFor(() => expect(db.all()).toEqual(folded))
    const rest = await collect(parlor, inside, "sse")
    await vi.waitFor(() => {
      const now = rowsOf(fold(emptyRows(), [...half.changes, ...rest.changes]))
      expect(now).toEqual(folded)
    })
  })

  test("[LOG-8] opened by view=state in the middle of a reply, has the text so far", async () => {
    const pause = gate()
    const parlor = await start([[text("Half "), pause, text("and whole."), finish()]])
    await parlor.send("hi")
    await vi.waitFor(async () => expect(fold(emptyRows(), await changesOf(parlor)).deltas.size).toBe(1))
    const db = await openDb(parlor, "state")
    expect(db.reply()).toBe("Half ")
    pause.open()
    await vi.waitFor(() => expect(db.reply()).toBe("Half and whole."))
  })
})

/** What may be missing: measurements, and marks that rarely apply. */
const MAY_MISS: Readonly<Record<string, readonly string[]>> = {
  archives: ["charsPerToken"],
  asks: ["other", "tool"],
  messages: ["prompt", "feedback"],
  slashCommands: ["argumentHint"],
  status: ["session", "shares"],
  turns: ["unattended", "retriedBy", "streams"],
}

test("[LOG-2] the log of tools, a stop and a failure has no reset, no null row and no sparse row", async () => {
  const never = gate()
  const parlor = await start([
    calls("add", { a: 1, b: 2 }),
    calls("add", { a: "one" }),
    calls("unknown", {}),
    says("Three."),
    [text("Endless"), never],
    [text("Broken"), new ModelFault("The model went away.", { transient: false })],
  ])
  await parlor.send("add")
  await parlor.idle()
  await parlor.send("stop me")
  await vi.waitFor(async () => expect(fold(emptyRows(), await changesOf(parlor)).deltas.size).toBe(1))
  await parlor.fetch("/v1/conversations/host/main/stop", { method: "POST", body: "{}" })
  await parlor.idle()
  await parlor.send("fail")
  await parlor.idle()
  const changes = await changesOf(parlor)
  for (const change of changes) {
    expect(change.headers).not.toHaveProperty("control")
    const mayMiss = new Set(MAY_MISS[change.type])
    const there = Object.keys(change.value).filter((field) => mayMiss.has(field))
    const required = Object.keys(collections[change.type].shape).filter((field) => !mayMiss.has(field))
    expect(Object.keys(change.value).toSorted()).toEqual([...required, ...there].toSorted())
    expect(collections[change.type].safeParse(change.value).error).toBeUndefined()
  }
  const turns = [...fold(emptyRows(), changes).turns.values()].map((turn) => turn.state)
  expect(turns).toEqual(["done", "stopped", "failed"])
})

async function start(scripts: readonly Script[]): Promise<RunningParlor> {
  const parlor = await startParlor(scriptedModel(scripts))
  open.push(() => parlor.close())
  return parlor
}

function text(words: string) {
  return { type: "text", text: words } as const
}

function place(parlor: RunningParlor) {
  return { url: parlor.log(), headers: { ...parlor.headers }, warnOnHttp: false }
}

async function openDb(parlor: RunningParlor, view: "log" | "state") {
  const db = await openStreamDb({ ...place(parlor), params: { view } })
  open.push(() => db.close())
  return db
}

/** StreamDB keeps the deltas of finished messages, which `fold` drops and nobody shows. */
function rowsOf({ status, messages, queue, turns }: Rows) {
  return { status, messages, queue, turns }
}

async function changesOf(parlor: RunningParlor): Promise<ChangeEvent[]> {
  return parsed<ChangeEvent>(await readAll({ url: parlor.log(), headers: parlor.headers }))
}

/** Published clients leave the fields and headers out that were not sent. */
function complete(items: readonly ChangeEvent[]): ChangeEvent[] {
  return readChanges(JSON.stringify(items))
}

async function collect(parlor: RunningParlor, offset: string, live: "sse" | "long-poll") {
  const abort = new AbortController()
  const response = await stream<ChangeEvent>({ ...place(parlor), offset, live, json: true, signal: abort.signal })
  const changes: ChangeEvent[] = []
  let last = offset
  response.subscribeJson((batch) => {
    changes.push(...complete(batch.items))
    last = batch.offset
  })
  response.closed.catch(() => {})
  const stop = () => {
    abort.abort()
    return last
  }
  open.push(stop)
  return { changes, stop, rows: () => fold(emptyRows(), changes) }
}
