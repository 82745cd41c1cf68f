import type { ServerResponse } from "node:http"
import { type ChangeEvent, formatOffset, type QueueRow, type Snapshot } from "@parlor/protocol"
import { afterEach, expect, test } from "vitest"
import { Log, said, snapshotOf, typed } from "../../test/rows.ts"
import { memoryStorage } from "../../test/storage.ts"
import {
  type Answer,
  control,
  data,
  json,
  openStream,
  problem,
  seqOf,
  startWire,
  until,
  type Wire,
} from "../../test/wire.ts"
import type { LiveConversation } from "./conversation.ts"
import type { LiveState } from "./state.ts"
import type { OutboxStorage } from "./stored-sends.ts"

const closing: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A conversation on a socket: what is pushed goes to every open stream. */
async function stage(snapshot: () => Snapshot, log: Log, onSend?: Answer) {
  const streams = new Set<ServerResponse>()
  const wire: Wire = await startWire((call, response) => {
    if (call.method === "POST") return onSend?.(call, response)
    if (call.path.endsWith("/messages")) {
      const page = Array.from({ length: 2 }, (_, at) => said(`old${9 - at}`, -1 - at, "old"))
      return json(response, 200, { messages: page, older: null, inherited: [] })
    }
    if (!call.path.endsWith("/events")) return json(response, 200, snapshot())
    openStream(response)
    const missed = log.changes.slice(seqOf(call.query))
    response.write((missed.length > 0 ? data(missed) : "") + control(log.changes.length))
    streams.add(response)
    response.on("close", () => streams.delete(response))
  })
  closing.push(() => wire.close())
  const open = (storage?: OutboxStorage): LiveConversation => {
    const live = wire.parlor.conversation("host").live(storage ? { storage } : {})
    closing.push(() => live.close())
    return live
  }
  const push = (...changes: readonly ChangeEvent[]): void => {
    for (const stream of streams) stream.write(data(changes) + control(log.changes.length))
  }
  const cut = (): void => {
    for (const stream of streams) stream.destroy()
  }
  return { wire, open, push, cut }
}

const when = (live: LiveConversation, isTrue: (state: LiveState) => boolean): Promise<void> =>
  until(() => isTrue(live.getState()), live.subscribe)

const textAt = (state: LiveState, at: number): string =>
  (state.messages.at(at)?.parts ?? []).map((part) => ("text" in part ? part.text : "")).join("")

test("[LOG-8] it opens with the snapshot, streams, and shows the reply as it grows", async () => {
  const log = new Log()
  log.message(typed("p", 1, "hi"))
  log.message(said("a", 2, "", { state: "streaming" }))
  log.delta("a", 0, "Hel")
  const rows = [typed("p", 1, "hi"), said("a", 2, "Hel", { state: "streaming" })]
  const { open, push } = await stage(() => snapshotOf(rows, 3), log)
  const live = open()
  expect(live.getState()).toMatchObject({ phase: "loading", connection: "connecting", messages: [] })
  await when(live, (state) => state.connection === "live")
  const before = live.getState()
  expect(before.phase).toBe("ready")
  expect(textAt(before, 1)).toBe("Hel")
  push(log.delta("a", 1, "lo"))
  await when(live, (state) => textAt(state, 1) === "Hello")
  expect(live.getState().messages[0]).toBe(before.messages[0])
  push(log.message(said("a", 2, "Hello!"), "update"), log.status({ state: "idle" }))
  await when(live, (state) => state.messages[1]?.state === "done")
  expect(textAt(live.getState(), 1)).toBe("Hello!")
  expect(live.getState()).toBe(live.getState())
})

test("[LOG-6] a batch is one announcement, and what was missed while cut off is there afterwards", async () => {
  const log = new Log()
  const { open, push, wire, cut } = await stage(() => snapshotOf([], 0), log)
  const live = open()
  await when(live, (state) => state.connection === "live")
  let announced = 0
  live.subscribe(() => {
    announced += 1
  })
  push(...[1, 2, 3, 4].map((ord) => log.message(said(`m${ord}`, ord, "x"))))
  await when(live, (state) => state.messages.length === 4)
  expect(announced).toBe(1)
  log.message(said("m5", 5, "while away"))
  log.message(said("m6", 6, "while away"))
  cut()
  await when(live, (state) => state.messages.length === 6)
  expect(live.getState().phase).toBe("ready")
  const reads = wire.calls.filter((call) => call.path.endsWith("/events"))
  expect(reads.map((call) => call.query.get("offset"))).toEqual([formatOffset(0), formatOffset(4)])
  await wire.close()
  await when(live, (state) => state.connection === "offline")
  expect(live.getState()).toMatchObject({ phase: "ready", error: null })
})

test("[LOG-9] older messages are put before, once, however often they are asked for", async () => {
  const { open, wire } = await stage(() => snapshotOf([said("m", 5, "new")], 0, { older: "5" }), new Log())
  const live = open()
  await when(live, (state) => state.phase === "ready")
  await Promise.all([live.loadOlder(), live.loadOlder()])
  await when(live, (state) => state.messages.length === 3 && !state.isLoadingOlder)
  expect(live.getState().messages.map((row) => row.id)).toEqual(["old8", "old9", "m"])
  expect(live.getState().older).toBeNull()
  expect(wire.calls.filter((call) => call.path.endsWith("/messages"))).toHaveLength(1)
})

test("a send is shown at once and goes when the log shows it", async () => {
  const log = new Log()
  const { open, push } = await stage(
    () => snapshotOf([], 0),
    log,
    (_, response) => json(response, 202, { message: "p", outcome: "started", offset: formatOffset(1), txid: "t" }),
  )
  const live = open()
  await when(live, (state) => state.connection === "live")
  const sent = live.send("hello")
  await when(live, (state) => state.sending.length === 1)
  expect(live.getState().sending[0]).toMatchObject({ text: "hello", state: "sending", error: null })
  await sent
  expect(live.getState().sending).toHaveLength(1)
  push(log.message(typed("p", 1, "hello")))
  await when(live, (state) => state.messages.length === 1)
  expect(live.getState().sending).toEqual([])
})

test("a send whose row comes by the stream before its answer is not shown twice", async () => {
  const log = new Log()
  const payload = { source: "hello" }
  const { open, push } = await stage(
    () => snapshotOf([], 0),
    log,
    async (_, response) => {
      push(log.add("queue", "p", { id: "p", payload, position: "a", queuedAt: 1 } as unknown as QueueRow))
      await when(live, (state) => state.queue.length === 1)
      expect(live.getState().sending).toEqual([])
      json(response, 202, { message: "p", outcome: "queued", place: 1, offset: formatOffset(1), txid: "t" })
    },
  )
  const live = open()
  await when(live, (state) => state.connection === "live")
  expect(await live.send("hello")).toMatchObject({ outcome: "queued" })
})

test("a refused send stays with its reason, holds up nothing, and can be tried again or dismissed", async () => {
  let refusing = true
  const { open } = await stage(
    () => snapshotOf([], 9),
    new Log(),
    ({ body }, response) => {
      if (refusing && body.includes("bad")) return problem(response, 429, "queue.full")
      json(response, 202, { message: "p", outcome: "queued", offset: formatOffset(1), txid: "t" })
    },
  )
  const live = open()
  await when(live, (state) => state.phase === "ready")
  void live.send("bad")
  void live.send("bad too")
  await live.send("good")
  await when(live, (state) => state.sending.every((send) => send.state === "failed"))
  const [first, second] = live.getState().sending
  expect(first?.error).toMatchObject({ code: "queue.full", status: 429 })
  refusing = false
  live.retrySend(first?.key ?? "")
  live.dismissSend(second?.key ?? "")
  await when(live, (state) => state.sending.length === 0)
})

test("[LOG-12] what a page could not deliver is delivered by the next one, in order, with the same keys", async () => {
  let isDown = true
  const { open, wire } = await stage(
    () => snapshotOf([], 9),
    new Log(),
    (_, response) => {
      // Not refused either: a page that tries again as it closes would be counted with the next one.
      if (!isDown) json(response, 202, { message: "p", outcome: "queued", offset: formatOffset(1), txid: "t" })
    },
  )
  const storage = memoryStorage()
  const first = open(storage)
  void first.send("one", { key: "k1" })
  await until(() => wire.calls.some((call) => call.method === "POST"))
  await new Promise((resolve) => setTimeout(resolve, 2))
  void first.send("two", { key: "k2" })
  first.close()
  expect(storage.length).toBe(2)
  const mark = wire.calls.length
  isDown = false
  const second = open(storage)
  await when(second, (state) => state.sending.length === 2)
  await when(second, (state) => state.sending.length === 0)
  const posts = wire.calls.slice(mark).filter((call) => call.method === "POST")
  expect(posts.map((call) => [call.headers["idempotency-key"], call.body])).toEqual([
    ["k1", '{"text":"one"}'],
    ["k2", '{"text":"two"}'],
  ])
  expect(storage.length).toBe(0)
})

test("a conversation that may not be read is failed, with the reason", async () => {
  const wire = await startWire((_, response) => problem(response, 404, "agent.unknown"))
  closing.push(() => wire.close())
  const live = wire.parlor.conversation("nobody").live()
  await when(live, (state) => state.phase === "failed")
  expect(live.getState().error).toMatchObject({ code: "agent.unknown" })
})

test.each([
  [401, "auth.invalid"],
  [404, "conversation.unknown"],
] as const)(
  "[CMP-16] a send to a conversation that cannot be opened settles with the reason, every time: %i",
  async (status, code) => {
    const wire = await startWire((call, response) => {
      // The send itself never gets an answer.
      if (call.method !== "POST") problem(response, status, code)
    })
    closing.push(() => wire.close())
    const live = wire.parlor.conversation("host", "nowhere").live()
    const first = live.send("first")
    await expect(first).rejects.toMatchObject({ code })
    await when(live, (state) => state.phase === "failed")
    await expect(live.send("second")).rejects.toMatchObject({ code })
    expect(live.getState().sending).toMatchObject([{ text: "first", state: "failed", error: { code } }])
  },
)

test("[CMP-16] a send that waits when the view is closed settles, and so does one after it; the storage keeps it", async () => {
  const { open } = await stage(
    () => snapshotOf([], 0),
    new Log(),
    () => undefined,
  )
  const storage = memoryStorage()
  const live = open(storage)
  await when(live, (state) => state.phase === "ready")
  const waiting = [live.send("one", { key: "k1" }), live.send("two", { key: "k2" })]
  live.close()
  for (const sent of waiting) await expect(sent).rejects.toMatchObject({ code: "closed", passing: false })
  await expect(live.send("three")).rejects.toMatchObject({ code: "closed" })
  expect(storage.length).toBe(2)
})

const HOUR = 3_600_000

test("[TAB-13] says when it is tried again, while it loads and later, and goes at once when asked to", async () => {
  let isDown = true
  const log = new Log()
  const wire = await startWire(({ method, path }, response) => {
    if (isDown) return void response.destroy()
    if (method === "POST")
      return json(response, 202, { message: "p", outcome: "queued", offset: formatOffset(0), txid: "t" })
    if (!path.endsWith("/events")) return json(response, 200, snapshotOf([], 0))
    openStream(response)
    response.write(control(log.changes.length))
  })
  closing.push(() => wire.close())
  const timing = { backoffMs: HOUR, backoffMaxMs: HOUR }
  const live = wire.client({ timing }).conversation("host").live()
  closing.push(() => live.close())
  expect(live.getState().reconnectAt).toBeNull()
  await when(live, (state) => state.reconnectAt !== null)
  expect(live.getState()).toMatchObject({ phase: "loading", connection: "connecting" })
  expect(live.getState().reconnectAt).toBeGreaterThan(Date.now() + HOUR / 2 - 10_000)
  live.reconnect()
  await when(live, (state) => state.reconnectAt === null)
  await when(live, (state) => state.reconnectAt !== null)
  expect(live.getState().connection).toBe("offline")
  const sent = live.send("kept")
  await when(live, (state) => state.sending[0]?.retryAt != null)
  isDown = false
  live.reconnect()
  expect(await sent).toMatchObject({ message: "p" })
  await when(live, (state) => state.connection === "live")
  expect(live.getState()).toMatchObject({ phase: "ready", reconnectAt: null })
  live.reconnect()
  expect(live.getState().connection).toBe("live")
})

test("[TRN-4] stop names the turn that is shown", async () => {
  const status = { ...snapshotOf([], 0).status, state: "busy", turn: "trn_1" } as Snapshot["status"]
  const { open, wire } = await stage(
    () => snapshotOf([], 0, { status }),
    new Log(),
    (_, response) => json(response, 200, { turn: "trn_1", state: "stopped" }),
  )
  const live = open()
  await when(live, (state) => state.phase === "ready")
  await live.stop()
  expect(wire.calls.at(-1)?.body).toBe('{"turn":"trn_1"}')
})
