/**
 * Sends on their way.
 *
 *   sending ──answer──▶ sent ──its change was read──▶ gone
 *    │ │ ▲                                             ▲
 *    │ │ │              cancel                         │
 *    │ └─┼──────────────────────────────────────────────┤
 *  refused │ retry                dismiss              │
 *    ▼   │                                             │
 *    failed ────────────────────────────────────────────┘
 *
 * They are delivered one after another, in order, for as long as it takes. With a storage they outlive the page and are
 * delivered by the next one with the same idempotency key, so that nothing is lost and nothing is doubled (LOG-12,
 * QUE-11). A refused send does not hold up the ones behind it. The storage is never the truth about the conversation.
 *
 * A row may be read before the answer is: the answer is late, or was lost with the page that waited for it. Until the
 * answer names the row, a row with the same text stands for the send, so that it is not shown twice.
 */
import type { ChangeEvent, SendBody, Sent, Snapshot } from "@parlor/protocol"
import { ParlorError } from "../error.ts"
import { backoff, pauseUntil, type Timing } from "../timing.ts"
import { type PersonRow, rowsIn, rowsOf } from "./person-row.ts"
import { type OutboxStorage, StoredSends } from "./stored-sends.ts"

export type PendingSend = {
  readonly key: string
  readonly body: SendBody
  /** What the person wrote. */
  readonly text: string
  readonly at: number
  readonly state: "sending" | "failed"
  /** Why it was refused. */
  readonly error: ParlorError | null
  /** How often it was tried in vain: the server could not be reached, or could not take it. */
  readonly failures: number
  /** When it is tried again; null while it is being tried, or waits for the ones before it. */
  readonly retryAt: number | null
}

type Entry = {
  pending: PendingSend
  /** The server's answer. */
  sent: Sent | undefined
  /** The row that stands for it until the answer says which one it is. */
  takenFor: string | undefined
  readonly settle: PromiseWithResolvers
  readonly cancelled: AbortController
  /** Ends the pause before the next try. */
  wake: () => void
}

type PromiseWithResolvers = { readonly resolve: (sent: Sent) => void; readonly reject: (error: unknown) => void }

export type OutboxOptions = {
  readonly deliver: (body: SendBody, key: string, signal: AbortSignal) => Promise<Sent>
  readonly changed: () => void
  readonly timing: Timing
  readonly scope: string
  readonly storage?: OutboxStorage
}

/** How far apart the clocks of this machine and the server may be. A wrong guess is put right by the answer. */
const CLOCK_SKEW_MS = 120_000

export class Outbox {
  readonly #options: OutboxOptions
  readonly #stored: StoredSends
  readonly #closed = new AbortController()
  #entries: readonly Entry[] = []
  /** Made when asked for, and the same array until something changes. */
  #visible: readonly PendingSend[] | undefined
  #reached = ""
  /** Rows of people's messages that were read, so that a queued one which starts is not taken for another. */
  readonly #rows = new Set<string>()
  #isDelivering = false
  /** Why nothing is delivered any more. */
  #ended: ParlorError | undefined

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#stored = new StoredSends(options.scope, options.storage)
    for (const { key, body, at } of this.#stored.load()) void this.#enter(key, body, at)
  }

  /** Those that the conversation does not show yet, oldest first. */
  visible(): readonly PendingSend[] {
    this.#visible ??= this.#entries.filter((entry) => entry.takenFor === undefined).map((entry) => entry.pending)
    return this.#visible
  }

  /** Refused at once when nothing is delivered any more. */
  add(body: SendBody, key: string): Promise<Sent> {
    if (this.#ended !== undefined) return rejected(this.#ended)
    const at = Date.now()
    this.#stored.save({ key, body, at })
    return this.#enter(key, body, at)
  }

  /** One that was refused is tried once more; one that waits to be tried again is tried now. */
  retry(key: string): void {
    const entry = this.#entries.find((one) => one.pending.key === key)
    entry?.wake()
    if (entry?.pending.state !== "failed" || this.#ended !== undefined) return
    entry.pending = { ...entry.pending, state: "sending", error: null, failures: 0, retryAt: null }
    this.#changed()
    void this.#deliver()
  }

  /** Whatever waits to be tried again is tried now. */
  hurry(): void {
    for (const entry of this.#entries) entry.wake()
  }

  dismiss(key: string): void {
    this.#stored.remove(key)
    this.#drop((entry) => entry.pending.key === key && entry.pending.state === "failed")
  }

  /**
   * Gives up on one that has no answer yet. It may have arrived all the same, when only the answer was lost: then the
   * conversation shows it.
   */
  cancel(key: string): void {
    const entry = this.#entries.find((one) => one.pending.key === key)
    if (entry === undefined || !isUnanswered(entry)) return
    this.#stored.remove(key)
    entry.cancelled.abort()
    entry.wake()
    entry.settle.reject(new ParlorError("send.cancelled", "The message was canceled before it was delivered."))
    this.#drop((one) => one === entry)
  }

  /** The conversation was loaded. What it held already may be what an earlier page sent and had no answer to. */
  begin(snapshot: Pick<Snapshot, "messages" | "queue" | "offset">): void {
    for (const row of rowsOf(snapshot)) this.#notice(row, (entry) => row.at >= entry.pending.at - CLOCK_SKEW_MS)
    this.#reach(snapshot.offset)
  }

  /** The stream has been read up to `offset`; `changes` is what it brought. */
  read(changes: readonly ChangeEvent[], offset: string): void {
    for (const row of rowsIn(changes)) this.#notice(row, () => true)
    this.#reach(offset)
  }

  /**
   * The server's history is another one: it was restored from a backup. What has an answer but was not seen in the
   * conversation is sent again, with its key: it is taken once, whether the restored history has it or not (LOG-20).
   */
  startOver(): void {
    this.#rows.clear()
    this.#reached = ""
    for (const entry of this.#entries) {
      entry.takenFor = undefined
      if (entry.sent === undefined) continue
      const { key, body, at } = entry.pending
      this.#stored.save({ key, body, at })
      entry.sent = undefined
    }
    this.#changed()
    void this.#deliver()
  }

  /**
   * Nothing is delivered any more, and whoever waits for an answer hears why. With a storage, what has no answer yet is
   * delivered by the next page.
   */
  close(why?: ParlorError): void {
    if (this.#ended !== undefined) return
    const reason = why ?? new ParlorError("closed", "The conversation was closed before the message was delivered.")
    this.#ended = reason
    this.#closed.abort()
    const unanswered = this.#entries.filter(isUnanswered)
    for (const entry of unanswered) {
      entry.settle.reject(reason)
      if (why !== undefined) entry.pending = { ...entry.pending, state: "failed", error: why, retryAt: null }
    }
    if (why !== undefined && unanswered.length > 0) this.#changed()
  }

  #notice(row: PersonRow, isOfItsTime: (entry: Entry) => boolean): void {
    if (this.#rows.has(row.id)) return
    this.#rows.add(row.id)
    if (this.#entries.some((one) => one.sent?.message === row.id)) return
    const entry = this.#entries.find(
      (one) => one.takenFor === undefined && isUnanswered(one) && one.pending.text === row.text && isOfItsTime(one),
    )
    if (entry === undefined) return
    entry.takenFor = row.id
    this.#changed()
  }

  #reach(offset: string): void {
    this.#reached = offset
    this.#drop((entry) => this.#isShown(entry))
  }

  #isShown({ sent }: Entry): boolean {
    return sent !== undefined && (sent.offset <= this.#reached || this.#rows.has(sent.message))
  }

  #enter(key: string, body: SendBody, at: number): Promise<Sent> {
    const tries = { failures: 0, retryAt: null }
    const pending: PendingSend = { key, body, text: textOf(body), at, state: "sending", error: null, ...tries }
    const promise = new Promise<Sent>((resolve, reject) => {
      const cancelled = new AbortController()
      const settle = { resolve, reject }
      const entry: Entry = { pending, sent: undefined, takenFor: undefined, settle, cancelled, wake: () => undefined }
      this.#entries = [...this.#entries, entry]
    })
    // `sending` shows the failure, so not awaiting the promise is fine.
    promise.catch(() => undefined)
    this.#changed()
    void this.#deliver()
    return promise
  }

  async #deliver(): Promise<void> {
    if (this.#isDelivering) return
    this.#isDelivering = true
    await Promise.resolve()
    for (;;) {
      const entry = this.#entries.find(isUnanswered)
      if (entry === undefined || this.#closed.signal.aborted) break
      await this.#deliverOne(entry)
    }
    this.#isDelivering = false
  }

  async #deliverOne(entry: Entry): Promise<void> {
    const { deliver } = this.#options
    const { key, body } = entry.pending
    const given = AbortSignal.any([this.#closed.signal, entry.cancelled.signal])
    for (let failures = 0; !given.aborted; failures++) {
      try {
        const sent = await deliver(body, key, given)
        if (given.aborted) return
        this.#stored.remove(key)
        entry.sent = sent
        if (entry.takenFor !== sent.message) entry.takenFor = undefined
        entry.settle.resolve(sent)
        this.#changed()
        this.#drop((one) => one === entry && this.#isShown(one))
        return
      } catch (error) {
        if (given.aborted) return
        if (error instanceof ParlorError && error.passing) {
          await this.#wait(entry, failures, error.retryAfterMs)
          continue
        }
        entry.pending = { ...entry.pending, state: "failed", error: asParlorError(error), retryAt: null }
        entry.takenFor = undefined
        entry.settle.reject(error)
        this.#changed()
        return
      }
    }
  }

  /** Until the next try is due, or asked for. */
  async #wait(entry: Entry, failures: number, retryAfterMs: number | undefined): Promise<void> {
    const ms = backoff(this.#options.timing, failures, retryAfterMs)
    await pauseUntil(ms, this.#closed.signal, ({ at, now }) => {
      entry.wake = now
      entry.pending = { ...entry.pending, failures: failures + 1, retryAt: at }
      this.#changed()
    })
    entry.wake = () => undefined
    entry.pending = { ...entry.pending, retryAt: null }
    this.#changed()
  }

  #drop(isGone: (entry: Entry) => boolean): void {
    const kept = this.#entries.filter((entry) => !isGone(entry))
    if (kept.length === this.#entries.length) return
    this.#entries = kept
    this.#changed()
  }

  #changed(): void {
    this.#visible = undefined
    this.#options.changed()
  }
}

function textOf(body: SendBody): string {
  if ("text" in body) return body.text
  const { source } = (body.payload ?? {}) as { readonly source?: unknown }
  return typeof source === "string" ? source : body.type
}

function isUnanswered(entry: Entry): boolean {
  return entry.pending.state === "sending" && entry.sent === undefined
}

/** Whoever shows `sending` sees the failure there; not awaiting the promise is no mistake. */
function rejected(why: ParlorError): Promise<never> {
  const promise = Promise.reject(why)
  promise.catch(() => undefined)
  return promise
}

function asParlorError(error: unknown): ParlorError {
  if (error instanceof ParlorError) return error
  return new ParlorError("network", error instanceof Error ? error.message : String(error), { cause: error })
}
