/**
 * Limits concurrent expensive requests per person, per key and in total (SEC-12).
 *
 *   requested ──room──▶ running ──done──▶ the first waiting one that has room takes the place
 *     └──no room──▶ waiting ──too many wait, or too long──▶ refused
 *
 * A request runs until its response was read, which also limits what is buffered for slow readers. A waiting request
 * is overtaken only by people who are under their own limit.
 */
import type { ServerResponse } from "node:http"
import type { Clock } from "@parlor/core"
import { Fault, limits, Refusal } from "@parlor/protocol"
import type { Caller } from "../auth/caller.ts"
import { whenClosed } from "./taken.ts"

export type SlotBounds = {
  readonly perPerson: number
  readonly perKey: number
  readonly all: number
  readonly waitingPerSlot: number
}

/** For requests, and for streams that are catching up. */
export const HEAVY: SlotBounds = {
  perPerson: limits.heavyPerPerson,
  perKey: limits.heavyPerKey,
  all: limits.heavy,
  waitingPerSlot: limits.heavyWaitingPerSlot,
}
export const CATCH_UPS: SlotBounds = {
  perPerson: limits.catchUpsPerPerson,
  perKey: limits.catchUpsPerKey,
  all: limits.catchUps,
  // A person's streams are already limited, and all of them may have to wait.
  waitingPerSlot: limits.streamsPerPerson,
}

export type Holder = Pick<Caller, "person" | "key">

type Place = { readonly whose: string; readonly most: number }
type Waiting = { readonly places: readonly Place[]; readonly begin: () => void }

const ALL = "all"

export class Slots {
  readonly #clock: Clock
  readonly #bounds: SlotBounds
  readonly #taken = new Map<string, number>()
  readonly #line = new Set<Waiting>()
  readonly #waiting = new Map<string, number>()

  constructor(clock: Clock, bounds: SlotBounds) {
    this.#clock = clock
    this.#bounds = bounds
  }

  /** Resolves when there is room, with a release function. Released when `out` closes, at the latest. */
  async enter(holder: Holder, out: ServerResponse): Promise<() => void> {
    const places = this.#placesOf(holder)
    if (this.#hasRoom(places) && !this.#hasWaiting(places)) this.#take(places)
    else await this.#wait(places, out)
    let isOver = false
    const leave = () => {
      if (isOver) return
      isOver = true
      out.off("close", leave)
      for (const { whose } of places) add(this.#taken, whose, -1)
      this.#next()
    }
    whenClosed(out, leave)
    return leave
  }

  #wait(places: readonly Place[], out: ServerResponse): Promise<void> {
    if (places.some(({ whose, most }) => (this.#waiting.get(whose) ?? 0) >= most * this.#bounds.waitingPerSlot))
      throw refusal(places, this.#taken)
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        if (!this.#line.delete(waiting)) return
        cancel()
        out.off("close", gone)
        for (const { whose } of places) add(this.#waiting, whose, -1)
        settle()
      }
      const begin = () =>
        end(() => {
          this.#take(places)
          resolve()
        })
      const waiting: Waiting = { places, begin }
      const gone = () => end(() => reject(new Refusal("request.http", "The connection was closed.")))
      const cancel = this.#clock.after(limits.heavyWaitMs, () => end(() => reject(refusal(places, this.#taken))))
      this.#line.add(waiting)
      for (const { whose } of places) add(this.#waiting, whose, 1)
      out.once("close", gone)
    })
  }

  /** Starts every waiting request that has room now, in order of arrival. */
  #next(): void {
    for (const { places, begin } of this.#line) if (this.#hasRoom(places)) begin()
  }

  #take(places: readonly Place[]): void {
    for (const { whose } of places) add(this.#taken, whose, 1)
  }

  #hasRoom(places: readonly Place[]): boolean {
    return places.every(({ whose, most }) => (this.#taken.get(whose) ?? 0) < most)
  }

  /** A request never overtakes waiting ones of the same owner. */
  #hasWaiting([own]: readonly Place[]): boolean {
    return own !== undefined && (this.#waiting.get(own.whose) ?? 0) > 0
  }

  /** Requests by keys are counted separately, as for streams (SEC-14). */
  #placesOf({ person, key }: Holder): readonly Place[] {
    const { perPerson, perKey, all } = this.#bounds
    const own = { whose: key === null ? person : `${person} by keys`, most: perPerson }
    const inAll = { whose: ALL, most: all }
    return key === null ? [own, inAll] : [own, { whose: `key ${key.id}`, most: perKey }, inAll]
  }
}

function add(counts: Map<string, number>, whose: string, by: 1 | -1): void {
  const count = (counts.get(whose) ?? 0) + by
  if (count > 0) counts.set(whose, count)
  else counts.delete(whose)
}

/** A refusal, unless the server as a whole is full. */
function refusal(places: readonly Place[], taken: ReadonlyMap<string, number>): Refusal | Fault {
  const full = places.find(({ whose, most }) => (taken.get(whose) ?? 0) >= most)
  const options = { retryAfterMs: limits.heavyRetryMs }
  if (full?.whose === ALL) return new Fault("too many large requests", { code: "server.busy", ...options })
  const detail = `At most ${full?.most ?? 1} concurrent large requests are allowed. Read the responses of the running ones first.`
  return new Refusal("rate.exceeded", detail, undefined, options)
}
