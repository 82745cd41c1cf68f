import { formatOffset, type SendBody, type Sent } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { ParlorError } from "../error.ts"
import { defaultTiming } from "../timing.ts"
import { Outbox } from "./outbox.ts"

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
function stage(backoffMs = HOUR) {
  const tries: Try[] = []
  const timing = { ...defaultTiming, backoffMs, backoffMaxMs: backoffMs }
  const deliver = (body: SendBody, _key: string, signal: AbortSignal) =>
    new Promise<Sent>((resolve, reject) => {
      const text = "text" in body ? body.text : body.type
      tries.push({ text, signal, answer: (message) => resolve(sent(message)), fail: reject })
    })
  const outbox = new Outbox({ deliver, changed: () => undefined, timing, scope: "test" })
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
