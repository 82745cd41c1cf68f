import { type ChangeEvent, formatOffset, type SendBody, type Sent } from "@parlor/protocol"
import { messageOf } from "@parlor/protocol/testing"
import { describe, expect, it } from "vitest"
import { memoryStorage } from "../../test/storage.ts"
import { ParlorError } from "../error.ts"
import { defaultTiming } from "../timing.ts"
import { Outbox } from "./outbox.ts"
import type { OutboxStorage } from "./stored-sends.ts"

type Try = {
  readonly text: string
  readonly signal: AbortSignal
  readonly answer: (message: string) => void
  readonly fail: (error: unknown) => void
}

const HOUR = 3_600_000
const unreachable = new ParlorError("network", "cannot be reached")
const tooMany = (retryAfterMs: number) => new ParlorError("rate.exceeded", "Too many.", { status: 429, retryAfterMs })
const sent = (message: string): Sent => ({ message, outcome: "started", offset: formatOffset(1), txid: "t" })

/** An outbox whose every try is answered by hand, and which, unless said, never tries again by itself within a test. */
function stage(backoffMs = HOUR, storage?: OutboxStorage) {
  const tries: Try[] = []
  const timing = { ...defaultTiming, backoffMs, backoffMaxMs: backoffMs }
  const deliver = (body: SendBody, _key: string, signal: AbortSignal) =>
    new Promise<Sent>((resolve, reject) => {
      const text = "text" in body ? body.text : body.type
      tries.push({ text, signal, answer: (message) => resolve(sent(message)), fail: reject })
    })
  const stored = storage === undefined ? {} : { storage }
  const outbox = new Outbox({ deliver, changed: () => undefined, timing, scope: "test", ...stored })
  const settled = async (isTrue: () => boolean) => {
    for (let turns = 0; turns < 50 && !isTrue(); turns++) await Promise.resolve()
    expect(isTrue()).toBe(true)
  }
  return { tries, outbox, settled, tried: (count: number) => settled(() => tries.length === count) }
}

describe("sends that cannot be delivered yet", () => {
  it("[LOG-12] say how often they were tried and when they are tried again, and go at once when asked to", async () => {
    const { outbox, tries, tried, settled } = stage()
    const promise = outbox.add({ text: "hello" }, "k1")
    await tried(1)
    expect(outbox.visible()[0]).toMatchObject({ failures: 0, retryAt: null, state: "sending" })
    const before = Date.now()
    tries[0]?.fail(unreachable)
    await settled(() => outbox.visible()[0]?.failures === 1)
    expect(outbox.visible()[0]?.retryAt).toBeGreaterThanOrEqual(before + HOUR / 2)
    outbox.retry("k1")
    await tried(2)
    expect(outbox.visible()[0]).toMatchObject({ failures: 1, retryAt: null })
    tries[1]?.fail(unreachable)
    await settled(() => outbox.visible()[0]?.failures === 2)
    outbox.retry("k1")
    await tried(3)
    tries[2]?.answer("m1")
    expect(await promise).toMatchObject({ message: "m1" })
  })

  it("[SEC-9] that were too many wait as long as the server says, in order, and are not failed", async () => {
    const { outbox, tries, tried, settled } = stage(1)
    const promise = outbox.add({ text: "hello" }, "k1")
    void outbox.add({ text: "behind" }, "k2")
    await tried(1)
    const before = Date.now()
    tries[0]?.fail(tooMany(20_000))
    await settled(() => outbox.visible()[0]?.failures === 1)
    const [first, second] = outbox.visible()
    expect(first).toMatchObject({ state: "sending", error: null })
    expect(first?.retryAt).toBeGreaterThanOrEqual(before + 20_000)
    expect(first?.retryAt).toBeLessThan(Date.now() + 21_000)
    expect(second).toMatchObject({ state: "sending", failures: 0, retryAt: null })
    expect(tries).toHaveLength(1)
    outbox.retry("k1")
    await tried(2)
    tries[1]?.answer("m1")
    expect(await promise).toMatchObject({ message: "m1" })
    await tried(3)
    expect(tries.map(({ text }) => text)).toEqual(["hello", "hello", "behind"])
  })

  it("[SEC-9] that were too many go by themselves when the time is over, also when a proxy said so", async () => {
    const { outbox, tries } = stage(1)
    const promise = outbox.add({ text: "hello" }, "k1")
    await expect.poll(() => tries.length).toBe(1)
    const failedAt = performance.now()
    tries[0]?.fail(tooMany(60))
    await expect.poll(() => tries.length, { interval: 5 }).toBe(2)
    expect(performance.now() - failedAt).toBeGreaterThanOrEqual(55)
    tries[1]?.fail(new ParlorError("answer.unreadable", "The server answered 429.", { status: 429, retryAfterMs: 1 }))
    await expect.poll(() => tries.length, { interval: 5 }).toBe(3)
    tries[2]?.answer("m1")
    expect(await promise).toMatchObject({ message: "m1" })
  })

  it("[LOG-20] what was accepted but not seen is sent again with its key when the server's history was replaced", async () => {
    const { outbox, tries, tried } = stage()
    const promise = outbox.add({ text: "hello" }, "k1")
    await tried(1)
    tries[0]?.answer("m1")
    await promise
    expect(outbox.visible()).toHaveLength(1)
    outbox.startOver()
    outbox.begin({ messages: [], queue: [], offset: formatOffset(900, "tx_other") })
    expect(outbox.visible().map(({ key }) => key)).toEqual(["k1"])
    await tried(2)
    expect(tries[1]?.text).toBe("hello")
    tries[1]?.answer("m2")
    outbox.read([], formatOffset(901, "tx_next"))
    await expect.poll(() => outbox.visible()).toEqual([])
  })

  it("are taken back, and what waits behind goes on", async () => {
    const { outbox, tries, tried, settled } = stage()
    const first = outbox.add({ text: "first" }, "k1")
    const second = outbox.add({ text: "second" }, "k2")
    await tried(1)
    tries[0]?.fail(unreachable)
    await settled(() => outbox.visible()[0]?.failures === 1)
    outbox.cancel("k1")
    await expect(first).rejects.toMatchObject({ code: "send.cancelled" })
    expect(outbox.visible().map(({ key }) => key)).toEqual(["k2"])
    await tried(2)
    expect(tries[1]?.text).toBe("second")
    tries[1]?.answer("m2")
    expect(await second).toMatchObject({ message: "m2" })
  })

  it("are taken back in the middle of a try: that try is given up, and its answer changes nothing", async () => {
    const { outbox, tries, tried } = stage()
    const promise = outbox.add({ text: "hello" }, "k1")
    await tried(1)
    outbox.cancel("k1")
    expect(tries[0]?.signal.aborted).toBe(true)
    tries[0]?.answer("m1")
    await expect(promise).rejects.toMatchObject({ code: "send.cancelled" })
    expect(outbox.visible()).toEqual([])
  })

  it("what was answered cannot be taken back", async () => {
    const { outbox, tries, tried } = stage()
    const promise = outbox.add({ text: "hello" }, "k1")
    await tried(1)
    tries[0]?.answer("m1")
    await promise
    outbox.cancel("k1")
    expect(outbox.visible()).toHaveLength(1)
  })
})

describe("sends of a page with a storage", () => {
  const keysIn = (storage: Map<string, string>) => [...storage.keys()].map((name) => name.split(" ").at(-1))

  it("[QUE-11] a rejected message is kept until it is dismissed, and then no other one is dropped", async () => {
    const items = new Map<string, string>()
    const { outbox, tries, tried, settled } = stage(HOUR, memoryStorage(items))
    const rejections = ["k1", "k2"].map((key) => outbox.add({ text: key }, key))
    for (const [index, promise] of rejections.entries()) {
      await tried(index + 1)
      tries[index]?.fail(new ParlorError("request.invalid", "Too long.", { status: 422 }))
      await expect(promise).rejects.toMatchObject({ code: "request.invalid" })
    }
    await settled(() => outbox.visible().every(({ state }) => state === "failed"))
    expect(keysIn(items)).toEqual(["k1", "k2"])
    outbox.dismiss("k1")
    expect(outbox.visible().map(({ key }) => key)).toEqual(["k2"])
    expect(keysIn(items)).toEqual(["k2"])
  })

  it("[LOG-20] what is sent again after a restore survives the page again", async () => {
    const items = new Map<string, string>()
    const { outbox, tries, tried } = stage(HOUR, memoryStorage(items))
    const promise = outbox.add({ text: "hello" }, "k1")
    await tried(1)
    tries[0]?.answer("m1")
    await promise
    expect(keysIn(items)).toEqual([])
    outbox.startOver()
    expect(keysIn(items)).toEqual(["k1"])
  })

  it("[QUE-11] closed, it stops its attempt and keeps the message for the next page", async () => {
    const items = new Map<string, string>()
    const { outbox, tries, tried } = stage(HOUR, memoryStorage(items))
    const promise = outbox.add({ text: "hello" }, "k1")
    await tried(1)
    outbox.close()
    await expect(promise).rejects.toMatchObject({ code: "closed" })
    expect(tries[0]?.signal.aborted).toBe(true)
    expect(outbox.visible()).toMatchObject([{ state: "sending", error: null }])
    const next = stage(HOUR, memoryStorage(items))
    await next.tried(1)
    expect(next.tries[0]?.text).toBe("hello")
  })

  it("closed for a reason, its messages show the reason, and only the first one", async () => {
    const { outbox, tried } = stage()
    const promise = outbox.add({ text: "hello" }, "k1")
    await tried(1)
    outbox.close(new ParlorError("auth.forbidden", "Not allowed.", { status: 403 }))
    outbox.close(new ParlorError("network", "cannot be reached"))
    await expect(promise).rejects.toMatchObject({ code: "auth.forbidden" })
    expect(outbox.visible()).toMatchObject([{ state: "failed", error: { code: "auth.forbidden" } }])
    await expect(outbox.add({ text: "more" }, "k2")).rejects.toMatchObject({ code: "auth.forbidden" })
  })
})

describe("a row that arrives before the response", () => {
  const rowOf = (id: string, source: string) =>
    ({
      type: "messages",
      key: id,
      value: { id, role: "person", state: "done", author: "", at: Date.now(), composer: { source }, parts: [] },
      headers: { operation: "insert", txid: "t", timestamp: "", offset: formatOffset(1) },
    }) as unknown as ChangeEvent

  it("[LOG-12] hides the one message with its text; the same row a second time hides no other", async () => {
    const { outbox, tried } = stage()
    for (const key of ["k1", "k2"]) void outbox.add({ text: "same" }, key)
    void outbox.add({ text: "other" }, "k3")
    await tried(1)
    const shown = () => outbox.visible().map(({ key }) => key)
    expect(shown()).toEqual(["k1", "k2", "k3"])
    outbox.read([rowOf("m1", "same")], formatOffset(1))
    expect(shown()).toEqual(["k2", "k3"])
    outbox.read([rowOf("m1", "same")], formatOffset(1))
    expect(shown()).toEqual(["k2", "k3"])
    outbox.read([rowOf("m2", "unknown")], formatOffset(2))
    expect(shown()).toEqual(["k2", "k3"])
  })
})

describe("what a snapshot shows already", () => {
  const row = (id: string, source: string, at: number) =>
    messageOf(id, 1, source, { role: "person", at, composer: { source } })

  it("[LOG-12] hides the message with its text, unless it is older than the clocks may differ", async () => {
    const { outbox, tried } = stage()
    void outbox.add({ text: "old" }, "k1")
    void outbox.add({ text: "new" }, "k2")
    await tried(1)
    const messages = [row("m1", "old", Date.now() - 200_000), row("m2", "new", Date.now() - 60_000)]
    outbox.begin({ messages, queue: [], offset: formatOffset(1) })
    expect(outbox.visible().map(({ key }) => key)).toEqual(["k1"])
  })

  it("[LOG-12] a response that names another message shows the hidden one again until its own row comes", async () => {
    const { outbox, tries, tried, settled } = stage()
    const promise = outbox.add({ text: "same" }, "k1")
    await tried(1)
    outbox.begin({ messages: [row("m1", "same", Date.now())], queue: [], offset: "" })
    expect(outbox.visible()).toEqual([])
    tries[0]?.answer("m2")
    await promise
    await settled(() => outbox.visible().length === 1)
    outbox.begin({ messages: [row("m2", "same", Date.now())], queue: [], offset: "" })
    expect(outbox.visible()).toEqual([])
  })

  it("[LOG-12] a row of a message that was answered hides no other with the same text", async () => {
    const { outbox, tries, tried } = stage()
    const promise = outbox.add({ text: "same" }, "k1")
    await tried(1)
    tries[0]?.answer("m1")
    await promise
    void outbox.add({ text: "same" }, "k2")
    await tried(2)
    outbox.begin({ messages: [row("m1", "same", Date.now())], queue: [], offset: "" })
    expect(outbox.visible().map(({ key }) => key)).toEqual(["k2"])
  })
})

describe("a server that was restored from a backup", () => {
  it("[LOG-20] gets what it had answered and did not show, again, under the same key, and hides nothing by old rows", async () => {
    const storage = memoryStorage()
    const { outbox, tries, tried, settled } = stage(HOUR, storage)
    const first = outbox.add({ text: "one" }, "k1")
    await tried(1)
    tries[0]?.answer("m1")
    await first
    void outbox.add({ text: "two" }, "k2")
    await tried(2)
    outbox.begin({
      messages: [messageOf("x", 1, "two", { role: "person", at: Date.now(), composer: { source: "two" } })],
      queue: [],
      offset: "",
    })
    expect(outbox.visible().map(({ key }) => key)).toEqual(["k1"])
    expect(storage.length).toBe(1)
    outbox.startOver()
    expect(outbox.visible().map(({ key }) => key)).toEqual(["k1", "k2"])
    expect(storage.length).toBe(2)
    tries[1]?.fail(new ParlorError("request.invalid", "no", { status: 400 }))
    await settled(() => tries.length === 3)
    expect(tries[2]?.text).toBe("one")
  })
})

describe("what is shown of a message", () => {
  it("is its text, the source of composer input, or its type", () => {
    const { outbox } = stage()
    void outbox.add({ type: "composer_input", payload: { source: "typed" } }, "k1")
    void outbox.add({ type: "order", payload: { what: 1 } }, "k2")
    void outbox.add({ type: "ping" } as SendBody, "k3")
    expect(outbox.visible().map(({ text }) => text)).toEqual(["typed", "order", "ping"])
  })

  it("is the reason of any failure, in words; dismissed, it is gone from the storage too", async () => {
    const storage = memoryStorage()
    const { outbox, tries, tried, settled } = stage(HOUR, storage)
    for (const [key, error] of [
      ["k1", new TypeError("odd")],
      ["k2", "odder"],
    ] as const) {
      const promise = outbox.add({ text: key }, key)
      await tried(key === "k1" ? 1 : 2)
      tries.at(-1)?.fail(error)
      await expect(promise).rejects.toBe(error)
    }
    await settled(() => outbox.visible().every(({ state }) => state === "failed"))
    expect(outbox.visible().map(({ error }) => [error?.code, error?.detail])).toEqual([
      ["network", "odd"],
      ["network", "odder"],
    ])
    expect(storage.length).toBe(2)
    outbox.dismiss("k1")
    expect([storage.length, outbox.visible().length]).toEqual([1, 1])
  })
})
