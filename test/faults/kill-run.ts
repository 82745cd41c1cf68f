/**
 * Kills, restarts and compares many times on the same data. Then waits until everything is idle and compares again.
 *
 *   start ─▶ ready ─▶ compare what was promised ─▶ clients act ─▶ SIGKILL ─┐
 *     ▲                                                                   │
 *     └───────────────────────────────────────────────────────────────────┘
 *
 * One in ten kills comes before the server is ready, in the middle of its recovery.
 */
import type { KeptRow } from "./check-rows.ts"
import { Comparison, checkOutput, isAtRest } from "./comparison.ts"
import { Crowd } from "./crowd.ts"
import type { FakeModel } from "./fake-model.ts"
import type { Random } from "./random.ts"
import { type ServerOptions, type ServerProcess, spawnServer } from "./server-process.ts"
import { sleep, until } from "./waiting.ts"
import { type Conversation, make } from "./wire.ts"

const EARLY_KILL = 0.1
const EARLIEST_KILL_MS = 30
const LATEST_KILL_MS = 400
const LATEST_EARLY_KILL_MS = 300
const REST_MS = 90_000
/** If starting a server takes longer than this, the delay before a kill is scaled accordingly. */
const QUICK_START_MS = 500
const MOST_SLOWER = 4

export type KillRunOptions = {
  readonly rounds: number
  readonly random: Random
  readonly model: FakeModel
  readonly server: Omit<ServerOptions, "modelUrl">
  /** Each round uses the next group, to avoid conversations whose dead owner still holds a lease. */
  readonly groups: readonly (readonly [Conversation, ...Conversation[]])[]
  /** Reads every row of a conversation from the store itself while no server has it open. */
  readonly rowsInStore: (conversation: Conversation) => Promise<readonly KeptRow[]>
  /** Runs after every kill, before the next start, to inject further faults. */
  readonly afterKill?: () => Promise<void>
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
  readonly #comparison: Comparison
  #server: ServerProcess | undefined
  readonly #made = new Set<Conversation>()
  #killsWhileStreaming = 0
  #earlyKills = 0
  #slowestStartMs = 0

  constructor(options: KillRunOptions) {
    this.#options = options
    this.#crowd = new Crowd(options.random.fork())
    this.#comparison = new Comparison(this.#crowd.history, options.model)
  }

  async round(round: number): Promise<void> {
    const { random, model, groups } = this.#options
    const killAfterMs = random.int(EARLIEST_KILL_MS, LATEST_KILL_MS)
    const isEarly = round > 1 && random.chance(EARLY_KILL)
    const server = this.#spawn()
    if (isEarly) {
      await Promise.race([sleep(random.int(EARLIEST_KILL_MS, LATEST_EARLY_KILL_MS)), server.ready.catch(() => "")])
      await this.#kill(server)
      this.#earlyKills += 1
      return
    }
    const { url, startMs } = await this.#ready(server)
    const group = groups[round % groups.length]
    if (group === undefined) throw new Error("no conversations")
    await this.#makeAll(url, group)
    await this.#comparison.compare(url, `after kill ${round - 1}`)
    const dead = new AbortController()
    const acting = this.#crowd.act(url, group, dead.signal)
    await sleep(killAfterMs * Math.min(MOST_SLOWER, Math.max(1, startMs / QUICK_START_MS)))
    if (model.streaming > 0) this.#killsWhileStreaming += 1
    await this.#kill(server)
    dead.abort()
    await acting
    checkOutput(server)
  }

  async rest(): Promise<KillRun> {
    const { model, rounds } = this.#options
    const began = Date.now()
    const server = this.#spawn()
    const { url } = await this.#ready(server)
    await this.#comparison.compare(url, "after the last kill")
    model.setTokenMs(1)
    const done = new AbortController()
    const following = this.#crowd.follow(url, [...this.#comparison.logs.keys()], done.signal)
    await this.#crowd.settle(url)
    await until(REST_MS, "rest of all conversations", () => isAtRest(url, this.#comparison, this.#crowd))
    done.abort()
    await following
    const restMs = Date.now() - began
    await this.#comparison.compareAtRest(url)
    const how = await server.stop()
    if (how !== 0) throw new Error(`the server ended with ${how}:\n${server.output()}`)
    checkOutput(server)
    await this.#comparison.compareStore(this.#options.rowsInStore)
    return { kills: rounds, restMs, ...this.#counts() }
  }

  async end(): Promise<void> {
    await this.#server?.kill()
  }

  /** Each is created once and must exist after every kill. */
  async #makeAll(url: string, group: readonly Conversation[]): Promise<void> {
    for (const conversation of group) {
      if (this.#made.has(conversation)) continue
      const answer = await make(url, conversation)
      if (answer.outcome === "ok") this.#made.add(conversation)
    }
  }

  async #kill(server: ServerProcess): Promise<void> {
    await server.kill()
    await this.#options.afterKill?.()
  }

  #spawn(): ServerProcess {
    this.#server = spawnServer({ ...this.#options.server, modelUrl: this.#options.model.url })
    return this.#server
  }

  async #ready(server: ServerProcess): Promise<{ readonly url: string; readonly startMs: number }> {
    const began = Date.now()
    const url = await server.ready
    const startMs = Date.now() - began
    this.#slowestStartMs = Math.max(this.#slowestStartMs, startMs)
    return { url, startMs }
  }

  #counts() {
    const { all, ok } = this.#crowd.history.attempts
    const events = [...this.#comparison.logs.values()].flat().map((raw) => raw.event)
    // A stop ends the turn at once; a reply truncated by a kill is followed by more events of its turn.
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
