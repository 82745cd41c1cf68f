/**
 * The owner of a conversation is paused (SIGSTOP) for longer than its lease and resumed (SIGCONT) after another node
 * has finished its work. It must not write anything more.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { type FreshDatabase, freshDatabase } from "../support/postgres.ts"
import { checkLog, checkRest } from "./check-log.ts"
import { type FakeModel, startFakeModel } from "./fake-model.ts"
import { type Pair, rowsOf, startPair, untilLog, writers } from "./pair.ts"
import type { RawEvent } from "./raw-events.ts"
import { sleep, until } from "./waiting.ts"
import { ask, type Conversation, make, pathOf, readLog, send } from "./wire.ts"

const LEASE_MS = 1_500
const TOKEN_MS = 20
const WORDS = 60
const SOON_MS = 15_000
/** Long enough for a resumed node to write pending data. */
const QUIET_MS = 1_000

let database: FreshDatabase
let model: FakeModel
let pair: Pair

beforeAll(async () => {
  database = await freshDatabase()
  const question = { name: "ask_person", input: JSON.stringify({ question: "Which one?" }) }
  model = await startFakeModel({
    tokenMs: TOKEN_MS,
    words: WORDS,
    toolFor: (said) => (said.includes("Ask me") ? question : undefined),
  })
  pair = await startPair({ databaseUrl: database.url, model, env: { PARLOR_LEASE_MS: String(LEASE_MS) } })
})

afterEach(() => process.kill(pair.a.pid, "SIGCONT"))

afterAll(async () => {
  await pair?.close()
  await model?.close()
  await database?.drop()
})

async function begin(name: string, text: string): Promise<Conversation> {
  const talk = `host/${name}`
  await make(pair.a.url, talk)
  const sent = await send(pair.a.url, talk, { text, key: text, mode: "immediate" })
  expect(sent).toMatchObject({ outcome: "ok", value: { outcome: "started" } })
  return talk
}

function takenOver(): number {
  return pair.a.output().split("conversation taken over").length - 1
}

/** The resumed node detects once that it was replaced, and the log does not change. */
async function expectSilence(talk: Conversation, before: number): Promise<void> {
  const log = await readLog(pair.b.url, talk, 0)
  process.kill(pair.a.pid, "SIGCONT")
  await until(SOON_MS, "the woken node to notice", () => takenOver() > before)
  await sleep(QUIET_MS)
  const after = await readLog(pair.a.url, talk, 0)
  expect(after.map((raw) => raw.text)).toEqual(log.map((raw) => raw.text))
  expect(takenOver()).toBe(before + 1)
  expect(checkLog(after)).toEqual([])
  expect(checkRest(after)).toEqual([])
  expect(endsOf(after)).toEqual(new Set([1]))
}

/** How often each turn ended. */
function endsOf(log: readonly RawEvent[]): Set<number> {
  const ends = new Map<string, number>()
  for (const { event } of log)
    if (event.type === "turns" && event.value.endedAt !== null) ends.set(event.key, (ends.get(event.key) ?? 0) + 1)
  return new Set(ends.values())
}

function isDone(log: readonly RawEvent[], turns: number): boolean {
  const ended = [...rowsOf(log).turns.values()].filter((turn) => turn.state === "done")
  return ended.length === turns
}

test("[TRN-1, TRN-5, TRN-7, QUE-14] stopped in the middle of a reply with a message queued: the other finishes both", async () => {
  const talk = await begin("reply", "Talk")
  await send(pair.a.url, talk, { text: "And then", key: "then", mode: "immediate" })
  await untilLog(pair.b.url, talk, "some words", (rows) => rows.deltas.size > 4)
  const before = takenOver()
  process.kill(pair.a.pid, "SIGSTOP")
  const began = performance.now()
  const log = await untilLog(pair.b.url, talk, "the end of both turns", (_, now) => isDone(now, 2))
  console.info(`taken over and finished after ${Math.round(performance.now() - began)} ms, lease ${LEASE_MS} ms`)
  expect(writers(log)).toHaveLength(2)
  const replies = [...rowsOf(log).messages.values()].filter((row) => row.role === "agent")
  expect(replies.map((row) => row.state)).toEqual(["done", "done"])
  await expectSilence(talk, before)
  expect(model.refusable).toEqual([])
}, 60_000)

test("[TRN-6, TRN-7, TRN-12] stopped between the start of a tool and its result: the other asks on and takes the answer", async () => {
  const talk = await begin("tool", "Ask me")
  const asked = await untilLog(pair.b.url, talk, "the ask", (rows) => rows.asks.size === 1)
  const before = takenOver()
  process.kill(pair.a.pid, "SIGSTOP")
  await untilLog(pair.b.url, talk, "the other to take over", (_, now) =>
    now.slice(asked.length).some(({ event }) => event.headers.txid.startsWith("rcv")),
  )
  const id = [...rowsOf(asked).asks.keys()][0]
  const answered = await ask(`${pair.b.url}${pathOf(talk)}/asks/${id}/answer`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ answer: "the blue one" }),
  })
  expect(answered).toMatchObject({ outcome: "ok" })
  const log = await untilLog(pair.b.url, talk, "the end of the turn", (_, now) => isDone(now, 1))
  const parts = [...rowsOf(log).messages.values()].flatMap((row) => row.parts)
  expect(parts.filter((part) => part.type === "tool")).toMatchObject([{ state: "done", output: "the blue one" }])
  await expectSilence(talk, before)
}, 60_000)

test("[TRN-4] stopped, and the turn is stopped through the other node at once: nothing is added when it wakes", async () => {
  const talk = await begin("stop", "Talk on")
  await untilLog(pair.b.url, talk, "some words", (rows) => rows.deltas.size > 4)
  const before = takenOver()
  process.kill(pair.a.pid, "SIGSTOP")
  const began = performance.now()
  const stopped = await ask(`${pair.b.url}${pathOf(talk)}/stop`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  })
  const tookMs = performance.now() - began
  console.info(`a stop while the owner is stopped itself took ${Math.round(tookMs)} ms`)
  expect(stopped).toMatchObject({ outcome: "ok", value: { state: "stopped" } })
  expect(tookMs).toBeLessThan(500)
  await expectSilence(talk, before)
}, 60_000)
