/**
 * Messages that are being sent.
 *
 *   sending ──answer──▶ sent ──its change was read──▶ gone
 *    │ │ ▲                                             ▲
 *    │ │ │              cancel                         │
 *    │ └─┼──────────────────────────────────────────────┤
 *  refused │ retry                dismiss              │
 *    ▼   │                                             │
 *    failed ────────────────────────────────────────────┘
 *
 * They are delivered in order, for as long as it takes. With a storage they survive the page and are
 * delivered by the next page with the same idempotency key, so nothing is lost and nothing is sent twice (LOG-12,
 * QUE-11). A rejected message does not block the next ones. The log, not the storage, is the truth.
 *
 * A row may arrive before the response, which can be late or was lost with the previous page. Until the
 * response identifies the row, a row with the same text is assumed to be the message, so that it is not shown twice.
 */
import type { ChangeEvent, SendBody, Sent, Snapshot } from "@parlor/protocol"
import { ParlorError } from "../error.ts"
import { backoff, pauseUntil, type Timing } from "../timing.ts"
import { type PersonRow, rowsIn, rowsOf } from "./person-row.ts"
import { type OutboxStorage, StoredSends } from "./stored-sends.ts"

export type PendingSend = {
  readonly key: string
  readonly body: SendBody
  /** The text that the person wrote. */
  readonly text: string
  readonly at: number
  readonly state: "sending" | "failed"
  /** Why it was rejected. */
  readonly error: ParlorError | null
  /** Failed attempts: the server could not be reached or was unavailable. */
  readonly failures: number
  /** When the next attempt is due; null during an attempt, or while earlier messages are sent. */
  readonly retryAt: number | null
}

type Entry = {
  pending: PendingSend
  /** The server's response. */
  sent: Sent | undefined
  /** The row assumed to be this message until the response identifies it. */
  takenFor: string | undefined
  readonly settle: PromiseWithResolvers
  readonly cancelled: AbortController
  /** Ends the delay before the next attempt. */
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

/** How far apart the clocks of this machine and the server may be. The response corrects a wrong guess. */
const CLOCK_SKEW_MS = 120_000

export class Outbox {
  readonly #options: OutboxOptions
  readonly #stored: StoredSends
  readonly #closed = new AbortController()
  #entries: readonly Entry[] = []
  /** Built on demand; the same array until something changes. */
  #visible: readonly PendingSend[] | undefined
  #reached = ""
  /** Rows of people's messages that were read, so that a queued message that starts is not mistaken for another. */
  readonly #rows = new Set<string>()
  #isDelivering = false
  /** Why nothing is delivered anymore. */
  #ended: ParlorError | undefined

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#stored = new StoredSends(options.scope, options.storage)
    for (const { key, body, at } of this.#stored.load()) void this.#enter(key, body, at)
  }

  /** Messages that the conversation does not show yet, oldest first. */
  visible(): readonly PendingSend[] {
    this.#visible ??= this.#entries.filter((entry) => entry.takenFor === undefined).map((entry) => entry.pending)
    return this.#visible
  }

  /** Rejects at once if nothing is delivered anymore. */
  add(body: SendBody, key: string): Promise<Sent> {
    if (this.#ended !== undefined) return rejected(this.#ended)
    const at = Date.now()
    this.#stored.save({ key, body, at })
    return this.#enter(key, body, at)
  }

  /** Retries a rejected message, or one that waits for its next attempt, now. */
  retry(key: string): void {
    const entry = this.#entries.find((one) => one.pending.key === key)
    entry?.wake()
    if (entry?.pending.state !== "failed" || this.#ended !== undefined) return
    entry.pending = { ...entry.pending, state: "sending", error: null, failures: 0, retryAt: null }
    this.#changed()
    void this.#deliver()
  }

  /** Retries all waiting messages now. */
  hurry(): void {
    for (const entry of this.#entries) entry.wake()
  }

  dismiss(key: string): void {
    this.#stored.remove(key)
    this.#drop((entry) => entry.pending.key === key && entry.pending.state === "failed")
  }

  /**
   * Cancels a message without a response. If only the response was lost, the message did arrive, and the
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

  /** The conversation was loaded. It may already contain messages for which an earlier page got no response. */
  begin(snapshot: Pick<Snapshot, "messages" | "queue" | "offset">): void {
    for (const row of rowsOf(snapshot)) this.#notice(row, (entry) => row.at >= entry.pending.at - CLOCK_SKEW_MS)
    this.#reach(snapshot.offset)
  }

  /** The stream has been read up to `offset`, with these changes. */
  read(changes: readonly ChangeEvent[], offset: string): void {
    for (const row of rowsIn(changes)) this.#notice(row, () => true)
    this.#reach(offset)
  }

  /**
   * The server was restored from a backup and has a different history. Messages with a response that did not appear in
   * the conversation are sent again with their keys, so each is stored once, whether or not the backup has it (LOG-20).
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
   * Stops delivering and rejects pending promises with the reason. With a storage, messages without a response are
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

  /** Waits until the next attempt is due or requested. */
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

/** `sending` shows the failure, so not awaiting the promise is fine. */
function rejected(why: ParlorError): Promise<never> {
  const promise = Promise.reject(why)
  promise.catch(() => undefined)
  return promise
}

function asParlorError(error: unknown): ParlorError {
  if (error instanceof ParlorError) return error
  return new ParlorError("network", error instanceof Error ? error.message : String(error), { cause: error })
}
