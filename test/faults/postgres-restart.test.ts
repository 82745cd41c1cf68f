/**
 * PostgreSQL is ended at once and started again, over and over, while two nodes run many short turns. None is lost, none
 * is doubled, and no process ends.
 */

import { afterAll, beforeAll, expect, test } from "vitest"
import { freshDatabase, type PostgresServer, startPostgres } from "../support/postgres.ts"
import { rounds } from "../support/rounds.ts"
import { Comparison } from "./comparison.ts"
import { Crowd } from "./crowd.ts"
import { type FakeModel, startFakeModel } from "./fake-model.ts"
import { acknowledged } from "./history.ts"
import { type Pair, startPair } from "./pair.ts"
import { chooseSeed, seededRandom } from "./random.ts"
import { Reader } from "./reader.ts"
import { sleep, until } from "./waiting.ts"
import { make, readState } from "./wire.ts"

const TURNS = rounds({ usual: 120, long: 5_000 })
const CONVERSATIONS = 10
const WORDS = 4
const TOKEN_MS = 2
const UP_MS = 1_200
/** At least so many, each with messages sent before, during and after it. */
const RESTARTS = 2
const LEASE_MS = 3_000
const TIMEOUT_MS = 240_000 + TURNS * 100
const DRAINED_MS = 120_000 + TURNS * 50
const MOST_TRIES = 200
const START_TRIES = 10

let postgres: PostgresServer
let model: FakeModel
let pair: Pair

beforeAll(async () => {
  postgres = await startPostgres()
  model = await startFakeModel({ tokenMs: TOKEN_MS, words: WORDS, toolFor: () => undefined })
  const database = await freshDatabase(postgres.url)
  pair = await startPair({ databaseUrl: database.url, model, env: { PARLOR_LEASE_MS: String(LEASE_MS) } })
})

afterAll(async () => {
  await pair?.close()
  await model?.close()
  await postgres?.remove()
})

/** How often it was ended so far. */
let ended = 0

/** Ends it and starts it again until told to stop; it is up at the end. Answers how often. */
async function restarts(over: AbortSignal): Promise<number> {
  let count = 0
  while (!over.aborted) {
    await sleep(UP_MS)
    if (over.aborted) break
    ended += 1
    await postgres.crash()
    await startAgain()
    count += 1
  }
  return count
}

async function startAgain(): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await postgres.start()
    } catch (error) {
      if (tries === START_TRIES) throw error
      await sleep(200)
    }
  }
}

test(`[LOG-12, LOG-1, QUE-11, QUE-14, TRN-1] ${TURNS} turns over two nodes while PostgreSQL comes and goes`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const began = performance.now()
  const crowd = new Crowd(seededRandom(chooseSeed("PostgreSQL restarts")))
  const comparison = new Comparison(crowd.history, model)
  const names = Array.from({ length: CONVERSATIONS }, (_, i) => `host/topic-${i}`)
  for (const name of names) await make(pair.a.url, name)
  const [over, read] = [new AbortController(), new AbortController()]
  const restarting = restarts(over.signal)
  const reading = names.map((name) => followOn(crowd, name, read.signal))
  try {
    await Promise.all(names.map((name) => sendAll(crowd, name)))
    await until(DRAINED_MS, "the end of all turns", () => restsOn(pair.a.url, names))
  } finally {
    over.abort()
  }
  const count = await restarting
  const tookMs = Math.round(performance.now() - began)
  await until(60_000, "rest", () => restsOn(pair.b.url, names))
  read.abort()
  await Promise.all(reading)
  // What is refused while the store is away is no fault; everything else that was noticed is.
  crowd.history.violations.splice(0, Infinity, ...crowd.history.violations.filter((line) => !line.includes(" 503 ")))
  await comparison.compareAtRest(pair.a.url)
  const events = [...comparison.logs.values()].flat()
  const turns = events.filter(({ event }) => event.type === "turns" && event.headers.operation === "insert").length
  const cut = events.filter(({ event }) => event.type === "messages" && event.value.state === "truncated").length
  const { all, ok } = crowd.history.attempts
  console.info(JSON.stringify({ restarts: count, turns, cut, tookMs, attempts: all, ok, events: events.length }))
  expect(turns).toBe(TURNS)
  expect(count).toBeGreaterThanOrEqual(RESTARTS)
  expect(pair.a.output() + pair.b.output()).not.toMatch(/Unhandled|"level":(50|60)/)
  for (const server of [pair.a, pair.b]) expect(await server.stop()).toBe(0)
})

/**
 * Each is sent to one node and, when that gave no answer, again to the other with the same key. However fast the machine
 * is, the messages are spread over the restarts: the later ones wait until PostgreSQL was ended once more.
 */
async function sendAll(crowd: Crowd, name: string): Promise<void> {
  const messages = TURNS / CONVERSATIONS
  for (let i = 0; i < messages; i++) {
    const due = Math.floor((i * (RESTARTS + 1)) / messages)
    await until(DRAINED_MS, `restart ${due} of PostgreSQL`, () => ended >= due)
    const input = { text: `Message ${i} to ${name}`, key: `${name}-${i}`, mode: "immediate" } as const
    for (let tries = 0; ; tries++) {
      await crowd.send((tries + i) % 2 === 0 ? pair.a.url : pair.b.url, name, input)
      const sending = crowd.history.sends.findLast((one) => one.input.key === input.key)
      if (sending && acknowledged(sending).length > 0) break
      if (tries > MOST_TRIES)
        throw new Error(`${input.key} was never taken: ${JSON.stringify(sending?.answers.at(-1))}`)
      await sleep(100)
    }
    await sleep(20)
  }
}

/** Follows one conversation to the end, now through one node, now through the other. */
async function followOn(crowd: Crowd, name: string, signal: AbortSignal): Promise<void> {
  const reader = new Reader("the reader", name, 0, (place, raw) => crowd.history.see(place, raw))
  for (let n = 0; !signal.aborted; n++) {
    await reader.follow(n % 2 === 0 ? pair.b.url : pair.a.url, signal)
    if (!signal.aborted) await sleep(100)
  }
}

/** Nothing runs and nothing waits. A store that is away just now says nothing about it. */
async function restsOn(url: string, names: readonly string[]): Promise<boolean> {
  try {
    for (const name of names) {
      const { rows } = await readState(url, name)
      const status = rows.find(({ event }) => event.type === "status")?.event
      if (status?.type !== "status" || status.value.turn !== null) return false
      if (rows.some(({ event }) => event.type === "queue")) return false
    }
    return true
  } catch {
    return false
  }
}
