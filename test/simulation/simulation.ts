/**
 * A whole Parlor in one thread: clients, processes that die, stop and come back, a store that fails, and a clock that
 * moves when it is told to. Every choice comes from the seed, so a seed is a run.
 *
 *   build ─▶ steps: commands, trouble, time, checks ─▶ heal: no more faults, everyone answers ─▶ last checks
 */
import type { Log } from "@parlor/core"
import { Fault, Refusal, type TxId } from "@parlor/protocol"
import { type Random, seededRandom } from "../faults/random.ts"
import { type Backing, memoryBacking, sqliteBacking } from "./backing.ts"
import type { Failure } from "./check.ts"
import { anyCommand, anyOf } from "./client.ts"
import { type Command, type Op, perform } from "./command.ts"
import type { Conversation } from "./conversation.ts"
import { type Counts, countsOf } from "./counts.ts"
import { Follower } from "./follower.ts"
import { helpWith, isAtRest } from "./help.ts"
import { journaled } from "./journal.ts"
import { overTheLine } from "./line.ts"
import { type Machine, newMachine, newRuntime, settingsOf } from "./machine.ts"
import type { PlantedFault } from "./planted.ts"
import { Process } from "./process.ts"
import { type Profile, profileOf } from "./profile.ts"
import { SimClock } from "./sim-clock.ts"
import { risingIds } from "./sim-ids.ts"
import { Weather } from "./weather.ts"
import { Witness } from "./witness.ts"

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
const FOLLOWERS = 4
/** Trimming chooses for itself, so that the rest of a seed stays as it is. */
const TRIM_SEED = 7_919
const LAST_TRIMS = 20
/** A fault is felt so long: whoever met it waits before it tries again. */
const AFTERMATH_MS = 10_000
/** A run with less than this proves nothing. */
const LEAST_OK = 0.15
const LEAST_DONE = 2

export async function simulate(options: Options): Promise<Outcome> {
  const { seed, store } = options
  const random = seededRandom(seed)
  const profile = profileOf(random.fork(), store === "sqlite")
  const clock = new SimClock()
  const weather = new Weather(random.fork(), profile, clock)
  const backing = store === "sqlite" ? await sqliteBacking(clock) : memoryBacking(clock, weather)
  const simulation = new Simulation(options, { random, profile, clock, weather, backing })
  try {
    await simulation.run()
  } finally {
    simulation.end()
    await backing.close()
  }
  const { witness, counts } = simulation
  return { seed, failures: witness.failures, counts, transcript: () => witness.transcript() }
}

type World = {
  readonly random: Random
  readonly profile: Profile
  readonly clock: SimClock
  readonly weather: Weather
  readonly backing: Backing
}

class Simulation {
  readonly witness: Witness
  readonly #options: Options
  readonly #world: World
  readonly #ids = risingIds()
  readonly #machines: readonly Machine[]
  readonly #followers: Follower[] = []
  #crashes = 0
  #pauses = 0
  #drains = 0
  #boots = 0

  constructor(options: Options, world: World) {
    const { profile, clock, weather } = world
    this.#options = options
    this.#world = world
    this.#machines = Array.from({ length: profile.machines }, (_, number) => newMachine(number))
    this.witness = new Witness(profile.conversations, {
      settings: settingsOf(profile),
      profile,
      now: () => clock.now(),
      quietSince: (at, process) => weather.faultAt + AFTERMATH_MS < at && process.troubledAt < at,
    })
  }

  get counts(): Counts {
    const trouble = {
      crashes: this.#crashes,
      pauses: this.#pauses,
      drains: this.#drains,
      faults: this.#world.weather.faults,
    }
    return countsOf(this.witness.conversations, trouble)
  }

  async run(): Promise<void> {
    for (const machine of this.#machines) await this.#boot(machine)
    await this.#steps()
    if (this.#isFine) await this.#heal()
    if (this.#isFine) await this.#lastChecks()
  }

  end(): void {
    for (const { process } of this.#machines) process?.kill()
  }

  get #isFine(): boolean {
    return this.witness.failures.length === 0
  }

  async #steps(): Promise<void> {
    const { clock, backing } = this.#world
    const random = this.#world.random.fork()
    const trimming = seededRandom(this.#options.seed + TRIM_SEED)
    for (let step = 1; step <= this.#options.steps && this.#isFine; step++) {
      this.witness.step = step
      for (let n = random.pick([0, 0, 1, 1, 1, 2]); n > 0; n--) this.#anyone(random)
      await this.#trouble(random)
      await clock.advance(random.chance(0.015) ? random.pick([12_000, 31_000]) : random.pick(PAUSES))
      await this.#trim(trimming)
      await this.witness.checkStep(backing)
    }
  }

  /** At any moment: within a reply, with readers inside, before and after a crash. */
  async #trim(random: Random): Promise<void> {
    const { backing } = this.#world
    if (random.chance(0.15)) await backing.trim()
    if (random.chance(0.01)) await this.witness.compare(backing, { isWhole: true })
  }

  // People

  #anyone(random: Random): void {
    const it = anyOf(this.witness.conversations, random)
    const machine = anyOf(this.#ready, random)
    if (it === undefined || machine === undefined) return
    this.#command(it, machine, anyCommand(it, random))
    if (random.chance(0.08)) this.#follow(random)
  }

  #command(it: Conversation, { process, runtime }: Machine, command: Command): void {
    if (process === undefined || runtime === undefined) return
    const { clock } = this.#world
    const txid = this.#ids.next("tx") as TxId
    const pending = { outcome: "pending", answer: undefined, why: "", answeredAt: 0 } as const
    const op: Op = { command, process, txid, invokedAt: clock.now(), ...pending }
    it.ops.push(op)
    it.opBy.set(txid, op)
    const answered = (outcome: Op["outcome"], answer: unknown, why: string) => {
      Object.assign(op, { outcome, answer, why, answeredAt: clock.now() })
      this.witness.tell(it, "answered", op)
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
    const stream = anyOf([...this.witness.streams.values()], random)
    if (machine?.process === undefined || machine.runtime === undefined || stream === undefined) return
    const cut = this.#followers.find((follower) => follower.stream === stream && follower.process?.isDead)
    if (cut === undefined && this.#followers.length >= FOLLOWERS) return
    const follower = cut ?? new Follower(stream, this.witness.wrong("seen"))
    if (cut === undefined) this.#followers.push(follower)
    follower.connect(machine.process, machine.runtime)
  }

  // Machines

  get #ready(): readonly Machine[] {
    return this.#machines.filter((machine) => machine.isReady && !machine.process?.isDead)
  }

  async #boot(machine: Machine): Promise<void> {
    const { witness } = this
    const { random, profile, clock, weather, backing } = this.#world
    const { fault } = this.#options
    this.#boots += 1
    const process = new Process(`machine ${machine.number} process ${this.#boots}`, machine.number, clock)
    const disk = journaled(await backing.open(), process, {
      committed: (commit) => witness.committed(commit),
      known: (stream, key) => witness.known(stream, key),
    })
    const runtime = newRuntime(machine, {
      process,
      clock: fault?.clock?.(process.clock) ?? process.clock,
      store: overTheLine(fault?.store?.(disk, { process, clock, random: random.fork() }) ?? disk, process, weather),
      ids: this.#ids,
      random: random.fork(),
      log: this.#log(process),
      profile,
      isCalm: () => weather.isCalm,
      witness,
    })
    Object.assign(machine, { process, runtime, isReady: false })
    runtime.start().then(
      () => {
        machine.isReady = machine.process === process
      },
      (error: unknown) => {
        if (error instanceof Fault) this.#kill(machine)
        else witness.wrong("answers")("J3", `a process does not start: ${String(error)}`)
      },
    )
    await clock.settled()
  }

  #kill(machine: Machine): void {
    machine.process?.kill()
    machine.isReady = false
    for (const { ops } of this.witness.conversations)
      for (const op of ops) if (op.process === machine.process && op.outcome === "pending") op.outcome = "lost"
  }

  /** It still takes commands, and gives away what it has (TRN-17). */
  async #drain({ process, runtime }: Machine, random: Random): Promise<void> {
    const { clock } = this.#world
    this.#drains += 1
    if (process !== undefined) process.isDraining = true
    void runtime?.drain(random.pick([0, 300, 3_000]))
    for (let n = random.int(0, 4); n > 0; n--) {
      this.#anyone(random)
      await clock.advance(random.pick(PAUSES))
    }
  }

  /** Asks it to end, and gives it a moment. */
  async #close(machine: Machine): Promise<void> {
    machine.isReady = false
    if (machine.process !== undefined) machine.process.isDraining = true
    machine.runtime?.close().catch((error: unknown) => {
      if (!(error instanceof Fault)) this.witness.wrong("answers")("J3", `a process does not close: ${String(error)}`)
    })
    await this.#world.clock.advance(100)
  }

  async #trouble(random: Random): Promise<void> {
    const { profile, clock, weather } = this.#world
    const machine = anyOf(this.#machines, random)
    const { process } = machine ?? {}
    if (machine === undefined || process === undefined) return
    if (process.isDead) {
      if (random.chance(0.4)) await this.#boot(machine)
    } else if (process.state === "paused") {
      if (random.chance(0.3)) await process.resume()
    } else if (profile.crashes && random.chance(0.03)) {
      this.#crashes += 1
      if (random.chance(0.4)) await this.#drain(machine, random)
      if (random.chance(process.isDraining ? 0.9 : 0.25)) await this.#close(machine)
      this.#kill(machine)
      weather.faultAt = clock.now()
    } else if (profile.pauses && random.chance(0.02)) {
      this.#pauses += 1
      process.pause()
      if (random.chance(0.5)) {
        await clock.advance(random.pick([3_000, 11_000, 14_000]))
        await process.resume()
      }
    } else if (profile.outages && random.chance(0.01)) {
      const whose = random.chance(0.5) ? [machine.number] : this.#machines.map(({ number }) => number)
      weather.breakDown(whose, random.pick([200, 2_000, 9_000, 15_000]))
    }
  }

  #log(process: Process): Log {
    const wrong = this.witness.wrong("log")
    return { info() {}, warn() {}, error: (line, fields) => wrong("Bug", `${process.name}: ${line} ${fields?.reason}`) }
  }

  // The end

  /** Faults stop, people come back and answer: everything has to come to its end (J3). */
  async #heal(): Promise<void> {
    const { clock, weather, backing } = this.#world
    const { conversations } = this.witness
    weather.calmDown()
    for (const machine of this.#machines) {
      if (machine.process?.isDead) await this.#boot(machine)
      else if (machine.process?.state === "paused") await machine.process.resume()
    }
    for (let round = 0; round < HEAL_ROUNDS && this.#isFine; round++) {
      await clock.advance(HEAL_MS)
      await this.witness.checkStep(backing)
      const [machine] = this.#ready
      if (machine === undefined || conversations.every(isAtRest)) break
      for (const it of conversations) for (const command of helpWith(it)) this.#command(it, machine, command)
    }
    await clock.advance(HEAL_MS)
  }

  async #lastChecks(): Promise<void> {
    const { witness } = this
    for (const it of witness.conversations) witness.tell(it, "end")
    for (let n = 0; n < LAST_TRIMS; n++) await this.#world.backing.trim()
    await witness.compare(this.#world.backing, { isWhole: true })
    for (const { cursor, stream, process } of this.#followers)
      if (process?.state === "up" && cursor !== stream.log.length)
        witness.wrong("seen")("LOG-6", `a reader is at ${cursor} of ${stream.log.length}`)
    const { ok, commands, done } = this.counts
    if (ok < commands * LEAST_OK || done < LEAST_DONE)
      witness.wrong("successes")("J3", `only ${ok} of ${commands} commands and ${done} turns went well`)
  }
}
