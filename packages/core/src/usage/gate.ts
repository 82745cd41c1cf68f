/**
 * Limits how fast one person's model calls start (SEC-21). Those of this process wait here; servers that share a store count
 * together (SEC-44).
 *
 *   enter ──a place is free──▶ begins
 *     └──none──▶ waits in line ──a place comes free──▶ begins     (given up: leaves the line)
 *
 * Two rates: one for all calls of a person, and a lower one for unattended calls (schedules, wakeups, webhooks, MCP
 * events). Attended calls go first, so a person typing is never behind their own schedules.
 */
import type { Millis } from "@parlor/protocol"
import type { Clock } from "../ports/clock.ts"
import { type Rate, Rates } from "../rate/rates.ts"

export type CallRates = { readonly all: Rate; readonly unattended: Rate }

export type CallKind = "attended" | "unattended"

export type Waiting = {
  /** The estimated start. */
  readonly until: Millis
  readonly begun: Promise<void>
  /** Cancels the call. */
  readonly leave: () => void
}

type Waiter = { readonly begin: () => void }
type Line = { readonly attended: Waiter[]; readonly unattended: Waiter[]; cancel: (() => void) | undefined }

const MINUTE_MS = 60_000

export class Gate {
  readonly #clock: Clock
  readonly #rates: CallRates
  readonly #taken: Rates
  readonly #takenUnattended: Rates
  readonly #lines = new Map<string, Line>()

  /** `newRates`: makes the counter of that name. */
  constructor(clock: Clock, rates: CallRates, newRates: (name: string) => Rates = () => new Rates()) {
    this.#clock = clock
    this.#rates = rates
    this.#taken = newRates("calls")
    this.#takenUnattended = newRates("unattended-calls")
  }

  /** Undefined if the call may start now, which is then counted. */
  enter(person: string, kind: CallKind): Waiting | undefined {
    const line = this.#lines.get(person)
    const isBehind = line !== undefined && (line.attended.length > 0 || kind === "unattended")
    if (!isBehind && this.#take(person, kind) === 0) return undefined
    return this.#wait(person, kind)
  }

  /** How many calls of this person wait. */
  waiting(person: string): number {
    const line = this.#lines.get(person)
    return line === undefined ? 0 : line.attended.length + line.unattended.length
  }

  #wait(person: string, kind: CallKind): Waiting {
    const line = this.#lines.get(person) ?? { attended: [], unattended: [], cancel: undefined }
    this.#lines.set(person, line)
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const waiter = { begin }
    line[kind].push(waiter)
    this.#serve(person, line)
    const leave = () => {
      const at = line[kind].indexOf(waiter)
      if (at >= 0) line[kind].splice(at, 1)
      this.#serve(person, line)
    }
    return { until: this.#clock.now() + this.#estimate(line, kind), begun, leave }
  }

  /** Starts calls that may start now, and checks again when the next one may. */
  #serve(person: string, line: Line): void {
    line.cancel?.()
    line.cancel = undefined
    for (;;) {
      const kind = line.attended.length > 0 ? "attended" : "unattended"
      if (line[kind].length === 0) {
        this.#lines.delete(person)
        return
      }
      const waitMs = this.#take(person, kind)
      if (waitMs > 0) {
        line.cancel = this.#clock.after(waitMs, () => this.#serve(person, line))
        return
      }
      line[kind].shift()?.begin()
    }
  }

  /** Zero if one more may start, which is then counted; otherwise how long until one may. */
  #take(person: string, kind: CallKind): Millis {
    const now = this.#clock.now()
    if (kind === "attended") return this.#taken.take(person, this.#rates.all, now)
    const waitMs = this.#takenUnattended.take(person, this.#rates.unattended, now)
    if (waitMs > 0) return waitMs
    const shared = this.#taken.take(person, this.#rates.all, now)
    if (shared > 0) this.#takenUnattended.giveBack(person, this.#rates.unattended, now)
    return shared
  }

  #estimate(line: Line, kind: CallKind): Millis {
    const ahead = kind === "attended" ? line.attended.length : line.attended.length + line.unattended.length
    const { perMinute } = kind === "attended" ? this.#rates.all : this.#rates.unattended
    return Math.ceil((ahead * MINUTE_MS) / perMinute)
  }
}
