/** What goes wrong between the processes and the store. Calm weather: nothing. */
import { Fault } from "@parlor/protocol"
import type { Random } from "../faults/random.ts"
import type { Process } from "./process.ts"
import type { Profile } from "./profile.ts"
import type { SimClock } from "./sim-clock.ts"

export type CommitFault = "fail" | "fail-after" | undefined

const MOSTLY_ZERO = [0, 0, 0, 1, 3, 10, 40] as const

export class Weather {
  isCalm = false
  /** The last moment at which anything failed. */
  faultAt = 0
  faults = 0
  readonly #random: Random
  readonly #profile: Profile
  readonly #clock: SimClock
  /** Until when the store is out of reach, by machine. */
  readonly #downUntil = new Map<number, number>()

  constructor(random: Random, profile: Profile, clock: SimClock) {
    this.#random = random
    this.#profile = profile
    this.#clock = clock
  }

  /** The store is out of reach for a machine, or for all of them. */
  breakDown(machines: readonly number[], ms: number): void {
    for (const machine of machines) this.#downUntil.set(machine, this.#clock.now() + ms)
    this.#failed()
  }

  calmDown(): void {
    this.isCalm = true
    this.#downUntil.clear()
  }

  commitFault(process: Process): CommitFault {
    if (this.isCalm) return undefined
    if (!this.#isDown(process) && !this.#random.chance(this.#profile.storeFaults)) return undefined
    this.#failed()
    return this.#random.chance(0.4) ? "fail-after" : "fail"
  }

  checkRead(process: Process): void {
    if (this.isCalm) return
    if (!this.#isDown(process) && !this.#random.chance(this.#profile.storeFaults / 4)) return
    this.#failed()
    throw new Fault("The store did not answer.")
  }

  /** A dead process's last write may be on its way: it arrives or it does not. */
  arrives(): boolean {
    return this.#random.chance(0.5)
  }

  /** Undefined: no time passes. */
  delay(): Promise<void> | undefined {
    if (this.isCalm || !this.#profile.latency) return undefined
    const ms = this.#random.pick(MOSTLY_ZERO)
    return ms === 0 ? undefined : this.#clock.sleep(ms)
  }

  bellMs(): number {
    return this.isCalm ? 5 : this.#random.pick([1, 5, 20, 300])
  }

  #isDown(process: Process): boolean {
    const until = this.#downUntil.get(process.machine)
    if (until === undefined) return false
    if (until > this.#clock.now()) return true
    this.#downUntil.delete(process.machine)
    return false
  }

  #failed(): void {
    this.faults += 1
    this.faultAt = this.#clock.now()
  }
}
