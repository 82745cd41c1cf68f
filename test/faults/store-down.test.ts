/** The store goes down and recovers. No accepted message or reply is lost or duplicated. */
import { existsSync, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Append } from "@parlor/core"
import { type Gate, gate, type Script, says } from "@parlor/core/testing"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { checkLog } from "./check-log.ts"
import { checkRows, rowsOfState } from "./check-rows.ts"
import { History } from "./history.ts"
import { type InProcess, startInProcess } from "./in-process.ts"
import type { RawEvent } from "./raw-events.ts"
import { Reader } from "./reader.ts"
import { until } from "./waiting.ts"
import { get, readState, send } from "./wire.ts"

const TALK = "host/main"
const SOON_MS = 5_000

let folder: string
let parlor: InProcess

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlor-down-"))
})

afterEach(async () => {
  parlor.fail(undefined)
  await parlor.close().catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

/** A reply whose pieces each wait for a gate. */
function spoken(pieces: readonly string[]): { readonly script: Script; readonly gates: readonly Gate[] } {
  const gates = [...pieces, "end"].map(() => gate())
  const steps = pieces.flatMap((text, i) => [gates[i] ?? gate(), { type: "text", text } as const])
  return { script: [...steps, gates.at(-1) ?? gate(), ...says("").slice(-1)], gates }
}

async function start(scripts: readonly Script[]): Promise<void> {
  parlor = await startInProcess(folder, { scripts })
}

async function say(gates: readonly Gate[], index: number): Promise<void> {
  await parlor.quiet()
  gates[index]?.open()
  await parlor.quiet()
}

function accept(text: string, key = text, conversation = TALK) {
  return send(parlor.url, conversation, { text, key, mode: "immediate" })
}

async function untilInLog(text: string, conversation = TALK): Promise<void> {
  await until(SOON_MS, `"${text}" in the log`, async () =>
    (await parlor.log(conversation)).some((raw) => raw.text.includes(JSON.stringify(text).slice(1, -1))),
  )
}

/** The retried writes, with the seconds before each. */
async function commitsOver(seconds: readonly number[]): Promise<number[]> {
  const counts: number[] = []
  for (const second of seconds) {
    await parlor.clock.advance(second * 1_000)
    counts.push(parlor.commits.length)
  }
  return counts
}

async function untilSpooled(count: number): Promise<void> {
  await until(SOON_MS, `${count} batches in the spool`, () => spooled().length === count)
}

/** The usage of a model call may be spooled separately (SEC-20); these tests are about messages. */
function spooled(): Append[] {
  if (!existsSync(parlor.spoolPath)) return []
  const lines = readFileSync(parlor.spoolPath, "utf8").split("\n").filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Append).filter(({ changes }) => changes.length > 0)
}

/** Advances the clock until the conversation is idle: replay, resumption, the rest of the turn. */
async function untilRest(conversation = TALK): Promise<RawEvent[]> {
  await until(SOON_MS, "rest", async () => {
    await parlor.clock.advance(250)
    return statuses(await parlor.log(conversation)).at(-1) === "idle"
  })
  return parlor.log(conversation)
}

function statuses(log: readonly RawEvent[]): string[] {
  return log.flatMap(({ event }) => (event.type === "status" ? [event.value.state] : []))
}

function textsOf(log: readonly RawEvent[]): string[] {
  const texts = new Map<string, string>()
  for (const { event } of log)
    if (event.type === "messages" && event.value.role === "agent")
      texts.set(
        event.key,
        `${event.value.state}: ${event.value.parts.map((part) => ("text" in part ? part.text : "")).join("")}`,
      )
  return [...texts.values()]
}

/** The truncated replies that were stored until they were replaced (TRN-18). */
function cutIn(log: readonly RawEvent[]): string[] {
  return log.flatMap(({ event }) =>
    event.type === "messages" && event.value.state === "truncated"
      ? [event.value.parts.map((part) => ("text" in part ? part.text : "")).join("")]
      : [],
  )
}

async function expectSound(conversation = TALK): Promise<void> {
  const log = await parlor.log(conversation)
  expect(checkLog(log)).toEqual([])
  expect(checkRows(log, rowsOfState((await readState(parlor.url, conversation)).rows))).toEqual([])
}

describe("a send", () => {
  test("[LOG-12] gets 503 with retry-after while the store is down, and nothing is stored", async () => {
    await start([says("Hello.")])
    const before = (await parlor.log(TALK)).length
    parlor.fail("refused")
    const answer = await accept("Hi")
    expect(answer).toMatchObject({ outcome: "refused", status: 503, code: "store.unavailable", retryAfter: "1" })
    expect(await parlor.log(TALK)).toHaveLength(before)
    parlor.fail(undefined)
    expect(await accept("Hi")).toMatchObject({ outcome: "ok" })
    expect(textsOf(await untilRest())).toEqual(["done: Hello."])
    await expectSound()
  })

  test("[LOG-4, QUE-11] that was carried out without an answer is there once when it is sent again, and runs", async () => {
    await start([says("Hello.")])
    await parlor.log(TALK)
    parlor.fail("unclear")
    expect(await accept("Hi")).toMatchObject({ outcome: "refused", status: 503 })
    parlor.fail(undefined)
    const again = await accept("Hi")
    expect(again).toMatchObject({ outcome: "ok", value: { outcome: "started" } })
    const log = await untilRest()
    expect(log.filter(({ event }) => event.type === "messages" && event.value.role === "person")).toHaveLength(1)
    expect(textsOf(log)).toEqual(["done: Hello."])
    await expectSound()
  })
})

describe("a turn in the middle of its reply", () => {
  test("[LOG-12] tries again after 1 s, 2 s and 4 s and goes on as if nothing had been", async () => {
    const { script, gates } = spoken(["one ", "two ", "three"])
    await start([script])
    await accept("Count")
    await say(gates, 0)
    await untilInLog("one ")
    parlor.fail("refused")
    const before = parlor.commits.length
    await say(gates, 1)
    expect(await commitsOver([0, 0.999, 0.001, 1.999, 0.001])).toEqual([1, 1, 2, 2, 3].map((n) => n + before))
    await say(gates, 2)
    expect(await accept("Wait")).toMatchObject({ outcome: "refused", status: 503, retryAfter: "2" })
    parlor.fail(undefined)
    await say(gates, 3)
    await parlor.clock.advance(4_000)
    expect(textsOf(await untilRest())).toEqual(["done: one two three"])
    expect(existsSync(parlor.spoolPath)).toBe(false)
    await expectSound()
  })

  test("[LOG-12] keeps what it said in the spool, pauses with status error and goes on by itself", async () => {
    const { script, gates } = spoken(["one ", "two "])
    await start([script, says("three")])
    await accept("Count")
    await say(gates, 0)
    await untilInLog("one ")
    const head = (await parlor.log(TALK)).length
    parlor.fail("refused")
    await say(gates, 1)
    await commitsOver([1, 2, 4])
    await untilSpooled(1)
    expect(spooled()[0]?.changes[0]?.value).toContain("two ")
    expect(await parlor.log(TALK)).toHaveLength(head)
    expect(await accept("Wait")).toMatchObject({ outcome: "refused", status: 503 })
    await expect(get(`${parlor.url}/healthz`)).rejects.toThrow(/503.*server\.not-ready.*store: writes fail/)
    expect(await (await get(`${parlor.url}/v1/conversations/${TALK}`)).json()).toMatchObject({ agent: "host" })
    parlor.fail(undefined)
    const log = await untilRest()
    expect(textsOf(log)).toEqual(["done: three"])
    expect(cutIn(log)).toEqual(["one two "])
    expect(statuses(log)).toEqual(["idle", "busy", "error", "busy", "idle"])
    expect(spooled()).toEqual([])
    await parlor.clock.advance(1_000)
    expect(await (await get(`${parlor.url}/healthz`)).json()).toMatchObject({ ok: true })
    await expectSound()
  })

  test("[LOG-12] says that it was paused, also when not even reading worked", async () => {
    const { script, gates } = spoken(["one ", "two "])
    await start([script, says("three")])
    await accept("Count")
    await say(gates, 0)
    await untilInLog("one ")
    parlor.fail("refused", { reads: true })
    await say(gates, 1)
    await commitsOver([1, 2, 4])
    await untilSpooled(1)
    await parlor.clock.advance(2_000)
    parlor.fail(undefined)
    const log = await untilRest()
    expect(textsOf(log)).toEqual(["done: three"])
    expect(cutIn(log)).toEqual(["one two "])
    expect(statuses(log)).toEqual(["idle", "busy", "error", "busy", "idle"])
    await expectSound()
  })

  test("[LOG-12, LOG-3] doubles nothing when the store had written it all the same, and readers are shown it", async () => {
    const { script, gates } = spoken(["one ", "two ", "three"])
    await start([script])
    const history = new History()
    const reader = new Reader("reader", TALK, 0, (place, raw) => history.see(place, raw))
    const over = new AbortController()
    const following = reader.follow(parlor.url, over.signal)
    await accept("Count")
    await say(gates, 0)
    await untilInLog("one ")
    parlor.fail("unclear")
    await say(gates, 1)
    await untilInLog("two ")
    parlor.fail(undefined)
    await parlor.clock.advance(1_000)
    const head = (await parlor.log(TALK)).length
    await until(SOON_MS, "the reader to be shown what was written", () => reader.last === head)
    await say(gates, 2)
    await say(gates, 3)
    expect(textsOf(await untilRest())).toEqual(["done: one two three"])
    over.abort()
    await following
    expect(history.violations).toEqual([])
    await expectSound()
  })

  test("[LOG-12] doubles nothing when what the spool has was written all the same", async () => {
    const { script, gates } = spoken(["one ", "two "])
    await start([script, says("three")])
    await accept("Count")
    await say(gates, 0)
    await untilInLog("one ")
    parlor.fail("unclear")
    await say(gates, 1)
    for (const seconds of [1, 2, 4]) {
      await parlor.clock.advance(seconds * 1_000)
      await parlor.quiet()
    }
    await untilSpooled(1)
    parlor.fail(undefined)
    const log = await untilRest()
    expect(textsOf(log)).toEqual(["done: three"])
    expect(cutIn(log)).toEqual(["one two "])
    await expectSound()
  })

  test("[LOG-12] loses no word of a second turn that speaks while the first is in the spool", async () => {
    const first = spoken(["one ", "two "])
    const second = spoken(["uno ", "dos "])
    await start([first.script, second.script, says("three"), says("tres")])
    await parlor.runtime.make({ agent: "host", person: "me", branch: "other" }, parlor.runtime.txid())
    await accept("Count")
    await say(first.gates, 0)
    await untilInLog("one ")
    await accept("Cuenta", "Cuenta", "host/other")
    await say(second.gates, 0)
    await untilInLog("uno ", "host/other")
    parlor.fail("refused")
    await say(first.gates, 1)
    await commitsOver([1, 2, 4])
    await untilSpooled(1)
    await say(second.gates, 1)
    await untilSpooled(2)
    parlor.fail(undefined)
    const [log, other] = [await untilRest(), await untilRest("host/other")]
    const texts = [...textsOf(log), ...textsOf(other)]
    expect(texts.map((text) => text.replace(/three|tres/, "the rest"))).toEqual(["done: the rest", "done: the rest"])
    expect([...cutIn(log), ...cutIn(other)]).toEqual(["one two ", "uno dos "])
    await expectSound()
    await expectSound("host/other")
  })
})

describe("a turn that ends", () => {
  test("[LOG-12, TRN-1] while the store is down has ended when it is back, and is not run again", async () => {
    const { script, gates } = spoken(["one"])
    await start([script])
    await accept("Count")
    await say(gates, 0)
    await untilInLog("one")
    parlor.fail("refused")
    await say(gates, 1)
    await commitsOver([1, 2, 4])
    await untilSpooled(1)
    parlor.fail(undefined)
    const log = await untilRest()
    expect(textsOf(log)).toEqual(["done: one"])
    await parlor.clock.advance(10_000)
    expect(parlor.model.requests).toHaveLength(1)
    expect(statuses(await parlor.log(TALK))).toEqual(["idle", "busy", "idle"])
    await expectSound()
  })
})

describe("a process that starts", () => {
  test("[LOG-12, TRN-7] takes what the one before left in the spool, and goes on with the turn", async () => {
    const { script, gates } = spoken(["one ", "two "])
    await start([script])
    await accept("Count")
    await say(gates, 0)
    await untilInLog("one ")
    parlor.fail("refused")
    await say(gates, 1)
    await commitsOver([1, 2, 4])
    await untilSpooled(1)
    await parlor.crash()
    await start([says("three")])
    const log = await untilRest()
    expect(textsOf(log)).toEqual(["done: three"])
    expect(cutIn(log)).toEqual(["one two "])
    expect(spooled()).toEqual([])
    await expectSound()
  })

  test("[LOG-12] finds in the spool what a process that was stopped had still to write", async () => {
    const { script, gates } = spoken(["one ", "two "])
    await start([script])
    await accept("Count")
    await say(gates, 0)
    await untilInLog("one ")
    parlor.fail("refused")
    await say(gates, 1)
    await commitsOver([1])
    await parlor.close()
    expect(spooled()).toHaveLength(1)
    await start([says("three")])
    const log = await untilRest()
    expect(textsOf(log)).toEqual(["done: three"])
    expect(cutIn(log)).toEqual(["one two "])
    await expectSound()
  })
})
