/**
 * Sends people's outgoing webhooks, each event at least once and in order.
 *
 *   active ──something to tell──▶ taken (nobody else before `takenUntil`) ──told──▶ active, one further
 *     ▲                              └──failed──▶ active, tried again at `retryAt` ──too often, or useless──▶ paused
 *     └───────────────────────── resumed ◀──────────────────────────────────────────────────────────────────┘
 *
 * Events are already in the person's feed, and a notice records how far it got: nothing extra is written when something
 * happens, and nothing waits for it. This process hears of its own events at once; events it did not hear of, or could
 * not send, are found by checking all notices periodically.
 */

import type { Millis, StoredChange } from "@parlor/protocol"
import { feedStream } from "../log/address.ts"
import type { LogAccess } from "../log/log-access.ts"
import type { Courier, Delivery } from "../ports/courier.ts"
import { reasonFields } from "../ports/log.ts"
import type { TriggerRecord } from "../ports/triggers.ts"
import { Alarm } from "../schedule/alarm.ts"
import { firingRecord } from "./firing.ts"
import { changed, type Notice, noticeOf, noticeRecord, type Told, toldOf } from "./notice.ts"
import { takeTo } from "./notices.ts"
import type { Sealing } from "./trigger-access.ts"

const AT_ONCE = 8
const PAGE = { count: 200, bytes: 512 * 1024 } as const
const BATCH = 100
/** Longer than a courier takes. */
const TAKEN_MS = 30_000
/** How many feed events may be skipped before the position is saved. */
const PASSED_OVER = 500
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Delays between failed attempts. After the last one the notice is paused. */
const RETRY_AFTER_MS: readonly Millis[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
]

export class Notifier {
  readonly #node: LogAccess & Sealing
  readonly #courier: Courier
  readonly #alarm: Alarm
  /** People known to have a notice. */
  readonly #listening = new Set<string>()
  readonly #told = new Set<string>()
  #isStopped = false

  constructor(node: LogAccess & Sealing, courier: Courier) {
    this.#node = node
    this.#courier = courier
    this.#alarm = new Alarm({ clock: node.clock, ring: () => this.#lookAtTold() })
  }

  start(): void {
    this.#alarm.start()
  }

  /** Does not wait for a slow receiver: what was not sent by then is sent by the next process. */
  stop(): void {
    this.#isStopped = true
    void this.#alarm.stop()
  }

  /** Something happened to this person, or to their notices. */
  tell(person: string, options: { readonly isNew?: boolean } = {}): void {
    if (options.isNew === true) this.#listening.add(person)
    if (!this.#listening.has(person)) return
    this.#told.add(person)
    this.#alarm.at(this.#node.clock.now())
  }

  /** Checks all of them. */
  async sweep(): Promise<void> {
    const { store, clock } = this.#node
    let after: Pick<TriggerRecord, "lookAt" | "id"> | undefined
    for (;;) {
      const page = { limit: BATCH, ...(after === undefined ? {} : { after }) }
      const found = await store.triggers.due(["notice"], clock.now(), page)
      for (const { person } of found) this.tell(person, { isNew: true })
      after = found.at(-1)
      if (found.length < BATCH) return
    }
  }

  async #lookAtTold(): Promise<undefined> {
    const people = [...this.#told]
    this.#told.clear()
    for (let from = 0; from < people.length; from += AT_ONCE)
      await Promise.all(people.slice(from, from + AT_ONCE).map((person) => this.#lookAt(person)))
    return undefined
  }

  async #lookAt(person: string): Promise<void> {
    const { store, log } = this.#node
    try {
      const notices = (await store.triggers.of(person, ["notice"])).map(noticeOf)
      if (notices.length === 0) this.#listening.delete(person)
      for (const notice of notices) await this.#sendPending(notice)
    } catch (error) {
      // The next sweep finds it.
      log.warn("an outgoing webhook has to wait", reasonFields(error))
    }
  }

  /** Sends one event after another, until there are none left or one fails. */
  async #sendPending(from: Notice): Promise<void> {
    const { clock } = this.#node
    let notice: Notice | undefined = from
    while (notice !== undefined && notice.state === "active" && !this.#isStopped) {
      const wait = Math.max(notice.retryAt ?? 0, notice.takenUntil ?? 0)
      if (wait > clock.now()) return this.#lookAgain(notice.person, wait)
      const next = await this.#next(notice)
      if (next === undefined) return
      notice = await this.#tellOne(notice, next)
    }
  }

  #lookAgain(person: string, at: Millis): void {
    this.#told.add(person)
    this.#alarm.at(at)
  }

  async #next(notice: Notice): Promise<{ readonly change: StoredChange; readonly told: Told } | undefined> {
    const { store } = this.#node
    const feed = await feedStream(this.#node, notice.person)
    for (let after = notice.upTo; ; ) {
      const page = await store.log.events(feed, after, PAGE)
      for (const change of page?.changes ?? []) {
        const told = toldOf(notice, change)
        if (told !== undefined) return { change, told }
        after = change.seq
      }
      if (page !== undefined && page.changes.length > 0 && after < page.head) continue
      if (after - notice.upTo > PASSED_OVER) await store.triggers.change(noticeRecord(changed(notice, { upTo: after })))
      return undefined
    }
  }

  async #tellOne(
    notice: Notice,
    { change, told }: { readonly change: StoredChange; readonly told: Told },
  ): Promise<Notice | undefined> {
    const { store, clock } = this.#node
    const taken = changed(notice, { takenUntil: clock.now() + TAKEN_MS })
    if (!(await store.triggers.change(noticeRecord(taken)))) return undefined
    const id = `msg_${notice.id}_${change.seq}`
    const parcel = { id, at: clock.now(), body: JSON.stringify(told) }
    const delivery = await takeTo(this.#node, this.#courier, notice, parcel)
    const at = clock.now()
    const after = changed(taken, {
      takenUntil: null,
      ...(delivery.ok ? gotThrough(change) : inVain(taken, delivery, at)),
    })
    const error = delivery.ok ? null : { code: delivery.code, detail: delivery.detail }
    const outcome = delivery.ok ? "delivered" : "failed"
    const firing = firingRecord(notice.id, { id, at, dueAt: change.at, outcome, message: null, error })
    return (await store.triggers.change(noticeRecord(after), [firing])) ? after : undefined
  }
}

function gotThrough({ seq }: StoredChange): Partial<Notice> {
  return { upTo: seq, tries: 0, retryAt: null, why: null }
}

function inVain(notice: Notice, delivery: Extract<Delivery, { ok: false }>, now: Millis): Partial<Notice> {
  const { code, detail, never } = delivery
  const tries = notice.tries + 1
  const wait = RETRY_AFTER_MS[notice.tries]
  const why = { code, detail }
  if (never || wait === undefined) return { tries, why, retryAt: null, state: "paused" }
  return { tries, why, retryAt: now + wait }
}
