/**
 * Real processes that get SIGTERM in the middle of a reply: what a reader of the conversation sees, and what is stored
 * afterwards. On SQLite the next process continues, on PostgreSQL the other one.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Parlor } from "@parlor/client"
import { type ChangeEvent, emptyRows, fold, type MessageRow, withDeltas } from "@parlor/protocol"
import { afterEach, describe, expect, test, vi } from "vitest"
import { freshDatabase } from "../support/postgres.ts"
import { checkLog, checkRest } from "./check-log.ts"
import { type FakeModel, type FakeModelOptions, startFakeModel } from "./fake-model.ts"
import { rowsOf, startPair, untilLog } from "./pair.ts"
import { type ServerProcess, spawnServer, TOKEN } from "./server-process.ts"
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts"
import { until } from "./waiting.ts"
import { readLog } from "./wire.ts"

const TALK = "host/main"
const DRAIN_MS = "20000"
const LEASE_MS = "60000"
/** Far shorter than the lease. */
const SOON_MS = 45_000
const SLOW_MS = 50
const QUICK_MS = 1
/** Enough words that a reply does not end before it is cut, even on a busy machine. */
const LONG_WORDS = 1_500

const closers: (() => Promise<unknown>)[] = []
vi.setConfig({ testTimeout: 120_000 })

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function startModel(options: FakeModelOptions): Promise<FakeModel> {
  const model = await startFakeModel(options)
  closers.push(() => model.close())
  return model
}

/** A reader and sender of one conversation at a stable address, whichever server is behind it. */
class Person {
  /** The agent's text after each event. */
  readonly shown: string[] = []
  readonly #rows = emptyRows()
  readonly #over = new AbortController()
  readonly #parlor: Parlor
  readonly #reading: Promise<void>

  constructor(port: number) {
    const timing = { sendAttempts: 20 }
    this.#parlor = new Parlor({ baseUrl: `http://127.0.0.1:${port}`, token: TOKEN, timing })
    this.#reading = this.#read()
    closers.push(() => this.leave())
  }

  send(text: string) {
    return this.#parlor.conversation("host").send(text)
  }

  get messages(): MessageRow[] {
    const rows = [...this.#rows.messages.values()].sort((a, b) => a.ord - b.ord)
    return rows.map((row) => withDeltas(row, this.#rows.deltas.values()))
  }

  get replies(): MessageRow[] {
    return this.messages.filter(({ role }) => role === "agent")
  }

  get isAtRest(): boolean {
    return this.#rows.status.get("status")?.state === "idle" && this.#rows.queue.size === 0
  }

  /** Which model replies a text comes from: every word contains the number of its request. */
  get answersShown(): string[][] {
    return this.shown.map((text) => [...new Set([...text.matchAll(/r(\d+)\./g)].map(([, number]) => number ?? ""))])
  }

  async leave(): Promise<void> {
    this.#over.abort()
    await this.#reading
  }

  async #read(): Promise<void> {
    const following = this.#parlor.conversation("host").follow({ offset: "-1", signal: this.#over.signal })
    for await (const changes of following) for (const change of changes) this.#take(change)
  }

  #take(change: ChangeEvent): void {
    fold(this.#rows, [change])
    this.shown.push(this.replies.map(textOf).join("\n"))
  }
}

function textOf({ parts }: MessageRow): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("")
}

async function untilSaid(person: Person): Promise<void> {
  await until(
    SOON_MS,
    "the reply to be streaming",
    async () => (textOf(person.replies[0] ?? NONE).match(/r\d+\./g)?.length ?? 0) > 3,
  )
}

const NONE = { parts: [] as const } as unknown as MessageRow

describe("SIGTERM in the middle of a reply, on SQLite", () => {
  async function start(model: FakeModel, env: Record<string, string> = {}) {
    const folder = await mkdtemp(join(tmpdir(), "parlor-drain-"))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    const proxy: TcpProxy = await startTcpProxy(0)
    closers.push(() => proxy.close())
    const spawn = async (): Promise<ServerProcess> => {
      const named = { PARLOR_DRAIN_MS: DRAIN_MS, PARLOR_ALLOWED_HOSTS: `127.0.0.1:${proxy.port}`, ...env }
      const server = spawnServer({ dataFolder: folder, modelUrl: model.url, env: named })
      closers.push(() => server.kill())
      proxy.retarget(Number(new URL(await server.ready).port))
      return server
    }
    const server = await spawn()
    return { spawn, server, person: new Person(proxy.port) }
  }

  test("[TRN-17] the reply ends whole, the process ends by itself, and the queued message is answered by the next", async () => {
    const model = await startModel({ tokenMs: SLOW_MS, words: 30 })
    const { server, spawn, person } = await start(model)
    await person.send("One")
    await person.send("Two")
    await untilSaid(person)
    server.signal("SIGTERM")
    const third = person.send("Three")
    expect(await server.ended).toBe(0)
    const next = await spawn()
    expect((await third).outcome).toMatch(/queued|started/)
    await until(SOON_MS, "rest", async () => person.isAtRest && person.replies.length >= 3)
    expect(person.messages.map(({ state }) => state)).toEqual(Array(6).fill("done"))
    expect(person.answersShown.every((numbers) => new Set(numbers).size === numbers.length)).toBe(true)
    expect(model.asked).toBe(3)
    expect(await next.stop()).toBe(0)
  })

  test("[TRN-18] what is cut after the time is replaced in place, also by the second restart in a row", async () => {
    const model = await startModel({ tokenMs: SLOW_MS, words: LONG_WORDS })
    const { server, spawn, person } = await start(model, { PARLOR_DRAIN_MS: "100" })
    await person.send("One")
    await untilSaid(person)
    expect(await server.stop()).toBe(0)
    const second = await spawn()
    await until(SOON_MS, "the second attempt", async () => textOf(person.replies[0] ?? NONE).includes("r2.4"))
    expect(await second.stop()).toBe(0)
    model.setTokenMs(QUICK_MS)
    const third = await spawn()
    await until(SOON_MS, "rest", async () => person.isAtRest)
    expect(person.replies.map(({ state }) => state)).toEqual(["done"])
    // One attempt at a time is shown, never two.
    expect(Math.max(...person.answersShown.map((numbers) => numbers.length))).toBe(1)
    expect(new Set(person.answersShown.flat())).toEqual(new Set(["1", "2", "3"]))
    const log = await readLog(await third.ready, TALK, 0)
    expect([...checkLog(log), ...checkRest(log)]).toEqual([])
    expect(await third.stop()).toBe(0)
  })

  test("[TRN-17] a second signal ends the process at once", async () => {
    const model = await startModel({ tokenMs: SLOW_MS, words: 60_000 })
    const { server, person } = await start(model)
    await person.send("One")
    await untilSaid(person)
    server.signal("SIGINT")
    await until(SOON_MS, "the drain", async () => (await connectionOf(await server.ready)) === "close")
    server.signal("SIGINT")
    expect(await server.ended).toBe(1)
  })
})

async function connectionOf(url: string): Promise<string | null> {
  const response = await fetch(`${url}/v1/version`)
  await response.text()
  return response.headers.get("connection")
}

describe("SIGTERM in the middle of a reply, on two nodes", () => {
  async function startBoth(model: FakeModel, env: Record<string, string> = {}) {
    const database = await freshDatabase()
    closers.push(() => database.drop())
    const proxy = await startTcpProxy(0)
    closers.push(() => proxy.close())
    const hosts = { PARLOR_ALLOWED_HOSTS: `127.0.0.1:${proxy.port}` }
    const named = { PARLOR_DRAIN_MS: DRAIN_MS, PARLOR_LEASE_MS: LEASE_MS, ...hosts, ...env }
    const pair = await startPair({ databaseUrl: database.url, model, env: named })
    closers.push(() => pair.close())
    proxy.retarget(Number(new URL(pair.a.url).port))
    const toB = () => proxy.retarget(Number(new URL(pair.b.url).port))
    return { pair, person: new Person(proxy.port), toB }
  }

  test("[TRN-19] the step ends on the one, the turn continues on the other; nothing is cut or asked twice", async () => {
    const toolFor = (said: string) => (said.includes("time") ? { name: "current_time", input: "{}" } : undefined)
    const model = await startModel({ tokenMs: SLOW_MS, words: 20, toolFor })
    const { pair, person, toB } = await startBoth(model)
    await person.send("What time is it?")
    await person.send("And then?")
    await until(SOON_MS, "the first words", async () => person.replies.length > 0)
    toB()
    pair.a.signal("SIGTERM")
    expect(await pair.a.ended).toBe(0)
    await until(SOON_MS, "rest", async () => person.isAtRest && person.replies.length >= 3)
    expect(person.messages.map(({ state }) => state)).toEqual(Array(5).fill("done"))
    expect(model.asked).toBe(3)
    const log = await untilLog(pair.b.url, TALK, "rest", (rows) => rows.status.get("status")?.state === "idle")
    expect([...checkLog(log), ...checkRest(log)]).toEqual([])
    expect([...rowsOf(log).turns.values()].map(({ state }) => state)).toEqual(["done", "done"])
  })

  test("[TRN-18, TRN-19] what is cut after the time is replaced by the other at once", async () => {
    const model = await startModel({ tokenMs: SLOW_MS, words: LONG_WORDS })
    const { pair, person, toB } = await startBoth(model, { PARLOR_DRAIN_MS: "100" })
    await person.send("One")
    await untilSaid(person)
    toB()
    expect(await pair.a.stop()).toBe(0)
    model.setTokenMs(QUICK_MS)
    await until(SOON_MS, "rest", async () => person.isAtRest && person.replies.length > 0)
    expect(person.replies.map(({ state }) => state)).toEqual(["done"])
    expect(Math.max(...person.answersShown.map((numbers) => numbers.length))).toBe(1)
    expect(new Set(person.answersShown.flat())).toEqual(new Set(["1", "2"]))
    const log = await readLog(pair.b.url, TALK, 0)
    expect([...checkLog(log), ...checkRest(log)]).toEqual([])
  })
})
