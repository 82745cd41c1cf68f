/**
 * Kill, start again, compare; many times over the same data. Then let everything come to rest and compare once more.
 *
 *   start ─▶ ready ─▶ compare what was promised ─▶ clients act ─▶ SIGKILL ─┐
 *     ▲                                                                   │
 *     └───────────────────────────────────────────────────────────────────┘
 *
 * One in ten kills comes before the server is ready, in the middle of its recovery.
 */
import { checkHistory } from "./check-history.ts"
import { checkLog, checkRest } from "./check-log.ts"
import { checkRows, type KeptRow, rowsOfState } from "./check-rows.ts"
import { Crowd } from "./crowd.ts"
import type { FakeModel } from "./fake-model.ts"
import type { Random } from "./random.ts"
import type { RawEvent } from "./raw-events.ts"
import { type ServerOptions, type ServerProcess, spawnServer } from "./server-process.ts"
import { sleep, until } from "./waiting.ts"
import { type Conversation, make, readLog, readState } from "./wire.ts"

const EARLY_KILL = 0.1
const EARLIEST_KILL_MS = 30
const LATEST_KILL_MS = 400
const LATEST_EARLY_KILL_MS = 600
const REST_MS = 90_000
const NEWEST = 1_000
const MAX_REPORTED = 10

export type KillRunOptions = {
  readonly rounds: number
  readonly random: Random
  readonly model: FakeModel
  readonly server: Omit<ServerOptions, "modelUrl">
  /** Each round uses the next group, so that a conversation whose dead owner still holds a lease is left alone. */
  readonly groups: readonly (readonly [Conversation, ...Conversation[]])[]
  /** Every row of a conversation, read from the store itself when no server has it open. */
  readonly rowsInStore: (conversation: Conversation) => Promise<readonly KeptRow[]>
}

export type KillRun = {
  readonly kills: number
  readonly killsWhileStreaming: number
  readonly earlyKills: number
  readonly attempts: number
  readonly ok: number
  readonly events: number
  readonly turns: number
  readonly repliesCutOff: number
  readonly slowestStartMs: number
  readonly restMs: number
}

export class Violations extends Error {
  constructor(found: readonly string[], where: string) {
    const shown = found.slice(0, MAX_REPORTED).map((line) => line.slice(0, 600))
    super(`${found.length} violations ${where}:\n${shown.join("\n")}`)
    this.name = "Violations"
  }
}

export async function killRun(options: KillRunOptions): Promise<KillRun> {
  const run = new Run(options)
  try {
    for (let round = 1; round <= options.rounds; round++) await run.round(round)
    return await run.rest()
  } finally {
    await run.end()
  }
}

class Run {
  readonly #options: KillRunOptions
  readonly #crowd: Crowd
  readonly #logs = new Map<Conversation, RawEvent[]>()
  #server: ServerProcess | undefined
  #killsWhileStreaming = 0
  #earlyKills = 0
  #slowestStartMs = 0

  constructor(options: KillRunOptions) {
    this.#options = options
    this.#crowd = new Crowd(options.random.fork())
  }

  async round(round: number): Promise<void> {
    const { random, model, groups } = this.#options
    const killAfterMs = random.int(EARLIEST_KILL_MS, LATEST_KILL_MS)
    const isEarly = round > 1 && random.chance(EARLY_KILL)
    const server = this.#spawn()
    if (isEarly) {
      await Promise.race([sleep(random.int(EARLIEST_KILL_MS, LATEST_EARLY_KILL_MS)), server.ready.catch(() => "")])
      await server.kill()
      this.#earlyKills += 1
      return
    }
    const url = await this.#ready(server)
    const group = groups[round % groups.length]
    if (group === undefined) throw new Error("no conversations")
    if (round <= groups.length) for (const conversation of group) await make(url, conversation)
    await this.#compare(url, `after kill ${round - 1}`)
    const dead = new AbortController()
    const acting = this.#crowd.act(url, group, dead.signal)
    await sleep(killAfterMs)
    if (model.streaming > 0) this.#killsWhileStreaming += 1
    const died = server.kill()
    await died
    dead.abort()
    await acting
    this.#checkOutput(server)
  }

  async rest(): Promise<KillRun> {
    const { model, rounds } = this.#options
    const began = Date.now()
    const server = this.#spawn()
    const url = await this.#ready(server)
    const all = this.#conversations()
    await this.#compare(url, "after the last kill")
    model.setTokenMs(1)
    const done = new AbortController()
    const following = this.#crowd.follow(url, all, done.signal)
    await this.#crowd.settle(url)
    await until(REST_MS, "rest of all conversations", () => this.#isAtRest(url))
    done.abort()
    await following
    const restMs = Date.now() - began
    this.#logs.clear()
    await this.#compare(url, "at rest")
    const left = all.flatMap((conversation) => checkRest(this.#logs.get(conversation) ?? []))
    if (left.length > 0) throw new Violations(left, "at rest")
    const how = await server.stop()
    if (how !== 0) throw new Error(`the server ended with ${how}:\n${server.output()}`)
    this.#checkOutput(server)
    await this.#compareStore()
    return { kills: rounds, restMs, ...this.#counts() }
  }

  async end(): Promise<void> {
    await this.#server?.kill()
  }

  #spawn(): ServerProcess {
    this.#server = spawnServer({ ...this.#options.server, modelUrl: this.#options.model.url })
    return this.#server
  }

  async #ready(server: ServerProcess): Promise<string> {
    const began = Date.now()
    const url = await server.ready
    this.#slowestStartMs = Math.max(this.#slowestStartMs, Date.now() - began)
    return url
  }

  #conversations(): Conversation[] {
    return this.#options.groups.flat()
  }

  /** Everything anybody was told, against the logs and rows as they are now. */
  async #compare(url: string, where: string): Promise<void> {
    const { history } = this.#crowd
    const { model } = this.#options
    const found = [...history.violations, ...model.refusable.map((line) => `[TRN-8] ${line}`)]
    const known = this.#conversations().filter(
      (conversation) =>
        this.#logs.has(conversation) || history.sends.some((sending) => sending.conversation === conversation),
    )
    for (const conversation of known) {
      const log = this.#logs.get(conversation) ?? []
      log.push(...(await readLog(url, conversation, log.length)))
      this.#logs.set(conversation, log)
      const state = await readState(url, conversation)
      if (state.head > log.length) log.push(...(await readLog(url, conversation, log.length)))
      found.push(
        ...[
          ...checkLog(log),
          ...checkHistory(history, conversation, log),
          ...checkRows(log.slice(0, state.head), rowsOfState(state.rows), NEWEST),
        ].map((line) => `${conversation}: ${line}`),
      )
    }
    if (found.length > 0) throw new Violations(found, where)
  }

  async #compareStore(): Promise<void> {
    const found: string[] = []
    for (const [conversation, log] of this.#logs)
      found.push(...checkRows(log, await this.#options.rowsInStore(conversation)))
    if (found.length > 0) throw new Violations(found, "in the store")
  }

  async #isAtRest(url: string): Promise<boolean> {
    let isAtRest = true
    for (const conversation of this.#logs.keys()) {
      const { rows } = await readState(url, conversation)
      const status = rows.find(({ event }) => event.type === "status")?.event
      const waiting = rows.some(({ event }) => event.type === "queue")
      if (status?.type !== "status") continue
      if (status.value.turn !== null || waiting) isAtRest = false
      if (status.value.turn === null && status.value.held !== null && waiting)
        await this.#crowd.nudge(url, conversation)
    }
    return isAtRest
  }

  #checkOutput(server: ServerProcess): void {
    const errors = server
      .output()
      .split("\n")
      .filter((line) => /"level":(50|60)|Unhandled|Error:/.test(line))
    if (errors.length > 0) throw new Violations(errors, "in the server's own log")
  }

  #counts() {
    const { all, ok } = this.#crowd.history.attempts
    const events = [...this.#logs.values()].flat().map((raw) => raw.event)
    // A stop ends the turn in the same moment; a reply that a kill cut off is followed by more of the turn.
    const cutOff = events.filter(
      (event, i) => event.type === "messages" && event.value.state === "truncated" && events[i + 1]?.type === "status",
    )
    return {
      killsWhileStreaming: this.#killsWhileStreaming,
      earlyKills: this.#earlyKills,
      attempts: all,
      ok,
      events: events.length,
      turns: events.filter((event) => event.type === "turns" && event.headers.operation === "insert").length,
      repliesCutOff: cutOff.length,
      slowestStartMs: this.#slowestStartMs,
    }
  }
}
