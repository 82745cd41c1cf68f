/**
 * A whole Parlor in one thread: clients, processes that die, stop and come back, a store that fails, and a clock that
 * moves when it is told to. Every choice comes from the seed, so a seed is a run.
 *
 *   build ─▶ steps: commands, trouble, time, checks ─▶ heal: no more faults, everyone answers ─▶ last checks
 */
import type { Log, StreamKey } from "@parlor/core"
import { Fault, MAIN_BRANCH, Refusal, type StreamId, type TxId } from "@parlor/protocol"
import { type Random, seededRandom } from "../faults/random.ts"
import { type Backing, memoryBacking, sqliteBacking } from "./backing.ts"
import { type Check, type Facts, type Failure, type Hooks, hooksOf, type Wrong } from "./check.ts"
import { allChecks } from "./checks/all-checks.ts"
import { anyCommand, anyOf } from "./client.ts"
import { type Command, type Op, perform } from "./command.ts"
import { Conversation, Tracked } from "./conversation.ts"
import { type Counts, countsOf } from "./counts.ts"
import { Follower } from "./follower.ts"
import { type Commit, journaled } from "./journal.ts"
import { overTheLine } from "./line.ts"
import { AGENTS, type Machine, newMachine, newRuntime, settingsOf } from "./machine.ts"
import type { PlantedFault } from "./planted.ts"
import { Process } from "./process.ts"
import { type Profile, profileOf } from "./profile.ts"
import { SimClock } from "./sim-clock.ts"
import { risingIds } from "./sim-ids.ts"
import type { ModelCall } from "./sim-model.ts"
import type { ToolRun } from "./sim-tools.ts"
import { checkLog, checkNumbers, checkRows } from "./stream-checks.ts"
import { Weather } from "./weather.ts"

export type Options = {
  readonly seed: number
  readonly steps: number
  readonly store?: "memory" | "sqlite"
  /** A fault planted between the runtimes and the store, to see that it is found. */
  readonly fault?: PlantedFault
}

export type Outcome = {
  readonly seed: number
  readonly failures: readonly Failure[]
  readonly counts: Counts
  /** All that happened, for comparing two runs of a seed. */
  readonly transcript: () => string
}

const PAUSES = [0, 0, 1, 5, 20, 50, 100, 150, 400, 1_000, 2_500] as const
const HEAL_ROUNDS = 60
const HEAL_MS = 2_000
const FAILURES_KEPT = 20
const FOLLOWERS = 4
/** A fault is felt so long: whoever met it waits before it tries again. */
const AFTERMATH_MS = 10_000

export async function simulate(options: Options): Promise<Outcome> {
  const simulation = new Simulation(options)
  return simulation.run()
}

class Simulation {
  readonly #options: Options
  readonly #clock = new SimClock()
  readonly #ids = risingIds()
  readonly #random: Random
  readonly #profile: Profile
  readonly #weather: Weather
  readonly #machines: readonly Machine[]
  readonly #feeds: readonly Tracked[]
  readonly #conversations: readonly Conversation[]
  readonly #streams = new Map<StreamId, Tracked>()
  readonly #checks = new Map<Conversation, Hooks>()
  readonly #checked = new Map<Tracked, number>()
  readonly #failures: Failure[] = []
  readonly #calls: ModelCall[] = []
  readonly #tokens: Conversation[] = []
  #callee: Conversation | undefined
  #followers: Follower[] = []
  #backing: Backing | undefined
  #step = 0
  #crashes = 0
  #pauses = 0
  #incarnations = 0

  constructor(options: Options) {
    this.#options = options
    this.#random = seededRandom(options.seed)
    this.#profile = profileOf(this.#random.fork(), options.store === "sqlite")
    this.#weather = new Weather(this.#random.fork(), this.#profile, this.#clock)
    this.#machines = Array.from({ length: this.#profile.machines }, (_, number) => newMachine(number))
    this.#feeds = ["ana", "bo"].map((person) => new Tracked({ kind: "feed", person }))
    this.#conversations = Array.from({ length: this.#profile.conversations }, (_, n) => this.#newConversation(n))
  }

  async run(): Promise<Outcome> {
    const { store } = this.#options
    this.#backing = store === "sqlite" ? await sqliteBacking(this.#clock) : memoryBacking(this.#clock, this.#weather)
    try {
      for (const machine of this.#machines) await this.#boot(machine)
      await this.#steps()
      if (this.#failures.length === 0) await this.#heal()
    } finally {
      for (const { process } of this.#machines) process?.kill()
      await this.#backing.close()
    }
    return {
      seed: this.#options.seed,
      failures: this.#failures,
      counts: this.#counts(),
      transcript: () => this.#transcript(),
    }
  }

  async #steps(): Promise<void> {
    const random = this.#random.fork()
    for (this.#step = 1; this.#step <= this.#options.steps && this.#failures.length === 0; this.#step++) {
      for (let n = random.pick([0, 0, 1, 1, 1, 2]); n > 0; n--) this.#anyone(random)
      await this.#trouble(random)
      await this.#clock.advance(random.chance(0.015) ? random.pick([12_000, 31_000]) : random.pick(PAUSES))
      await this.#checkStep()
    }
  }

  // People

  #anyone(random: Random): void {
    const it = anyOf(this.#conversations, random)
    const machine = anyOf(this.#ready, random)
    if (it === undefined || machine === undefined) return
    this.#command(it, machine, anyCommand(it, random))
    if (random.chance(0.08)) this.#follow(random)
  }

  #command(it: Conversation, machine: Machine, command: Command): void {
    const { process, runtime } = machine
    if (process === undefined || runtime === undefined) return
    const txid = this.#ids.next("tx") as TxId
    const invokedAt = this.#clock.now()
    const op: Op = { command, process, txid, invokedAt, answeredAt: 0, outcome: "pending", answer: undefined, why: "" }
    it.ops.push(op)
    it.opBy.set(txid, op)
    const answered = (outcome: Op["outcome"], answer: unknown, why: string) => {
      Object.assign(op, { outcome, answer, why, answeredAt: this.#clock.now() })
      this.#tell(it, "answered", op)
    }
    process.deliver(() => {
      perform(runtime, it.address, command, txid).then(
        (answer) => answered("ok", answer, ""),
        (error: unknown) => {
          if (error instanceof Refusal) answered("refused", undefined, error.code)
          else if (error instanceof Fault) answered("fault", undefined, error.message)
          else answered("broken", undefined, error instanceof Error ? (error.stack ?? error.message) : String(error))
        },
      )
    })
  }

  #follow(random: Random): void {
    const machine = anyOf(this.#ready, random)
    const stream = anyOf([...this.#streams.values()], random)
    if (machine?.process === undefined || machine.runtime === undefined || stream === undefined) return
    const idle = this.#followers.find((follower) => follower.stream === stream && follower.process?.isDead)
    const follower = idle ?? new Follower(stream, this.#wrong("seen"))
    if (idle === undefined && this.#followers.length >= FOLLOWERS) return
    if (idle === undefined) this.#followers.push(follower)
    follower.connect(machine.process, machine.runtime)
  }

  // Machines

  get #ready(): readonly Machine[] {
    return this.#machines.filter((machine) => machine.isReady && !machine.process?.isDead)
  }

  async #boot(machine: Machine): Promise<void> {
    this.#incarnations += 1
    const process = new Process(`machine ${machine.number} process ${this.#incarnations}`, machine.number, this.#clock)
    const disk = journaled((await this.#backing?.open()) as never, process, {
      committed: (commit) => this.#committed(commit),
      known: (stream, key) => this.#known(stream, key),
    })
    const faulty =
      this.#options.fault?.store?.(disk, { process, clock: this.#clock, random: this.#random.fork() }) ?? disk
    const random = this.#random.fork()
    const runtime = newRuntime(machine, {
      process,
      clock: this.#options.fault?.clock?.(process.clock) ?? process.clock,
      store: overTheLine(faulty, process, this.#weather),
      ids: this.#ids,
      random,
      log: this.#log(process),
      profile: this.#profile,
      model: {
        isCalm: () => this.#weather.isCalm,
        faults: this.#profile.modelFaults,
        window: this.#profile.window,
        nextCall: () => this.#calls.length,
        nextToken: () => this.#tokens.push(this.#callee as Conversation) - 1,
        called: (call) => this.#called(call),
      },
      tools: { isCalm: () => this.#weather.isCalm, ran: (run) => this.#ran(run) },
    })
    Object.assign(machine, { process, runtime, isReady: false })
    runtime.start().then(
      () => {
        machine.isReady = machine.process === process
      },
      (error: unknown) => {
        if (error instanceof Fault) this.#kill(machine)
        else this.#wrong("answers")("J3", `a process does not start: ${String(error)}`)
      },
    )
    await this.#clock.settled()
  }

  #kill(machine: Machine): void {
    machine.process?.kill()
    machine.isReady = false
    for (const { ops } of this.#conversations)
      for (const op of ops) if (op.process === machine.process && op.outcome === "pending") op.outcome = "lost"
  }

  async #trouble(random: Random): Promise<void> {
    const machine = anyOf(this.#machines, random)
    const { process } = machine ?? {}
    if (machine === undefined || process === undefined) return
    if (process.isDead) {
      if (random.chance(0.4)) await this.#boot(machine)
    } else if (process.state === "paused") {
      if (random.chance(0.3)) await process.resume()
    } else if (this.#profile.crashes && random.chance(0.03)) {
      this.#crashes += 1
      this.#kill(machine)
      this.#weather.faultAt = this.#clock.now()
    } else if (this.#profile.pauses && random.chance(0.02)) {
      this.#pauses += 1
      process.pause()
      if (random.chance(0.5)) {
        await this.#clock.advance(random.pick([3_000, 11_000, 14_000]))
        await process.resume()
      }
    } else if (this.#profile.outages && random.chance(0.01)) {
      const whose = random.chance(0.5) ? [machine.number] : this.#machines.map(({ number }) => number)
      this.#weather.breakDown(whose, random.pick([200, 2_000, 9_000, 15_000]))
    }
  }

  /** Faults stop, people come back and answer: everything has to come to its end (J3). */
  async #heal(): Promise<void> {
    this.#weather.calmDown()
    for (const machine of this.#machines) {
      if (machine.process?.isDead) await this.#boot(machine)
      else if (machine.process?.state === "paused") await machine.process.resume()
    }
    for (let round = 0; round < HEAL_ROUNDS && this.#failures.length === 0; round++) {
      await this.#clock.advance(HEAL_MS)
      await this.#checkStep()
      const [machine] = this.#ready
      if (machine === undefined || this.#conversations.every(isAtRest)) break
      for (const it of this.#conversations) for (const command of helpWith(it)) this.#command(it, machine, command)
    }
    await this.#clock.advance(HEAL_MS)
    if (this.#failures.length > 0) return
    for (const it of this.#conversations) this.#tell(it, "end")
    for (const stream of this.#streams.values()) await this.#checkStream(stream)
    for (const { cursor, stream, process } of this.#followers)
      if (process?.state === "up" && cursor !== stream.log.length)
        this.#wrong("seen")("LOG-6", `a reader is at ${cursor} of ${stream.log.length}`)
    const { ok, commands, done } = this.#counts()
    if (ok < commands * 0.15 || done < 2)
      this.#wrong("successes")("J3", `only ${ok} of ${commands} commands and ${done} turns went well`)
  }

  // Checks

  #newConversation(n: number): Conversation {
    const person = n < 2 ? "ana" : "bo"
    const address = { agent: AGENTS[n % 2] ?? AGENTS[0], person, branch: MAIN_BRANCH }
    const feed = this.#feeds[n < 2 ? 0 : 1] as Tracked
    const it = new Conversation(`@c${n}`, address, feed)
    const facts: Facts = {
      settings: settingsOf(this.#profile),
      profile: this.#profile,
      now: () => this.#clock.now(),
      quietSince: (at, process) => this.#weather.faultAt + AFTERMATH_MS < at && process.troubledAt < at,
      callNumbered: (number) => this.#calls[number],
    }
    this.#checks.set(it, hooksOf(Object.entries(allChecks).map(([name, make]) => make(it, this.#wrong(name), facts))))
    return it
  }

  #known(id: StreamId, key: StreamKey): void {
    if (this.#streams.has(id)) return
    const text = JSON.stringify(key)
    const tracked = [...this.#conversations, ...this.#feeds].find((one) => sameKey(one.key, key))
    if (tracked === undefined) throw new Error(`no such stream was asked for: ${text}`)
    tracked.stream = id
    this.#streams.set(id, tracked)
  }

  #committed(commit: Commit): void {
    const it = this.#streams.get(commit.stream)
    if (it === undefined) return
    checkNumbers(it, commit, this.#wrong("numbers"))
    if (it instanceof Conversation) this.#tell(it, "commit", commit)
    it.take(commit)
    if (it instanceof Conversation) this.#tell(it, "folded", commit)
  }

  #called(call: ModelCall): void {
    this.#calls.push(call)
    const it = this.#conversationIn(call)
    this.#callee = it
    if (it !== undefined) this.#tell(it, "called", call)
    else this.#wrong("requests")("TRN-8", `call ${call.number} has no message of a person`)
  }

  /** People's messages begin with the name of their conversation. */
  #conversationIn({ request }: ModelCall): Conversation | undefined {
    for (const message of request.messages) {
      const name = message.role === "person" ? /@c\d/.exec(message.text)?.[0] : undefined
      if (name !== undefined) return this.#conversations.find((it) => it.name === name)
    }
    return undefined
  }

  #ran(run: ToolRun): void {
    const it = this.#tokens[run.token]
    if (it !== undefined) this.#tell(it, "ran", run)
  }

  async #checkStep(): Promise<void> {
    for (const it of this.#conversations) this.#tell(it, "step")
    if (this.#backing?.isCheap) for (const stream of this.#streams.values()) await this.#checkStream(stream)
  }

  async #checkStream(it: Tracked): Promise<void> {
    if (it.stream === undefined || this.#backing === undefined) return
    const from = this.#checked.get(it) ?? 0
    if (this.#backing.isCheap && from === it.log.length && from > 0) return
    this.#checked.set(it, it.log.length)
    const dump = await this.#backing.dump(it.stream)
    checkLog(it, dump, from, this.#wrong("numbers"))
    if (this.#backing.isCheap) checkRows(it, dump, this.#wrong("rows"))
  }

  #tell<H extends keyof Check>(it: Conversation, hook: H, ...news: Parameters<NonNullable<Check[H]>>): void {
    for (const tell of this.#checks.get(it)?.[hook] ?? []) (tell as (...args: typeof news) => void)(...news)
  }

  #wrong(check: string): Wrong {
    return (rule, detail) => {
      if (this.#failures.length < FAILURES_KEPT) this.#failures.push({ check, rule, detail, step: this.#step })
    }
  }

  #log(process: Process): Log {
    const wrong = this.#wrong("log")
    return { info() {}, warn() {}, error: (line, fields) => wrong("Bug", `${process.name}: ${line} ${fields?.reason}`) }
  }

  #counts(): Counts {
    return countsOf(this.#conversations, { crashes: this.#crashes, pauses: this.#pauses, faults: this.#weather.faults })
  }

  #transcript(): string {
    const lines = [...this.#streams.values()].flatMap(({ log }) => log.map((change) => JSON.stringify(change)))
    const ops = this.#conversations.flatMap((it) =>
      it.ops.map((op) => JSON.stringify([op.command, op.txid, op.outcome, op.answer, op.why, op.answeredAt])),
    )
    return [...lines, ...ops, JSON.stringify(this.#failures)].join("\n")
  }
}

function isAtRest(it: Conversation): boolean {
  const isIdle = it.status === undefined || it.status.state === "idle"
  return isIdle && it.rows.queue.size === 0 && it.ops.every((op) => op.outcome !== "pending")
}

/** What a person does who wants everything to go on. */
function helpWith(it: Conversation): Command[] {
  const help: Command[] = []
  for (const ask of it.rows.asks.values())
    if (ask.state === "open")
      help.push({ kind: "answer", ask: ask.id, answer: ask.kind === "approval" ? true : (ask.options?.[0] ?? "yes") })
  for (const row of it.queue)
    if (row.mode === "paused")
      help.push({ kind: "edit", message: row.id, body: { mode: "queued", version: row.version } })
  if (it.status?.held || it.status?.state === "error") help.push({ kind: "resume" })
  if (it.status?.state === "error" && it.queue.length === 0)
    help.push({ kind: "send", text: `${it.name} again`, mode: "immediate" })
  return help
}

function sameKey(a: StreamKey, b: StreamKey): boolean {
  if (a.kind === "feed" || b.kind === "feed") return a.kind === "feed" && b.kind === "feed" && a.person === b.person
  return a.agent === b.agent && a.person === b.person && a.branch === b.branch
}
