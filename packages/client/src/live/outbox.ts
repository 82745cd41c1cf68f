/**
 * Sends on their way.
 *
 *   sending ──answer──▶ sent ──its change was read──▶ gone
 *      │ ▲
 *  refused │ retry                dismiss
 *      ▼ │
 *    failed ───────────────────────────────────────▶ gone
 *
 * They are delivered one after another, in order, for as long as it takes. With a storage they outlive the page and are
 * delivered by the next one with the same idempotency key, so that nothing is lost and nothing is doubled (LOG-12,
 * QUE-11). A refused send does not hold up the ones behind it. The storage is never the truth about the conversation.
 */
import type { ChangeEvent, SendBody, Sent } from "@parlor/protocol"
import { ParlorError } from "../error.ts"
import { backoff, pause, type Timing } from "../timing.ts"
import { type OutboxStorage, StoredSends } from "./stored-sends.ts"

export type PendingSend = {
  readonly key: string
  readonly body: SendBody
  /** What the person wrote. */
  readonly text: string
  readonly at: number
  readonly state: "sending" | "failed"
  readonly error: ParlorError | null
}

type Entry = {
  pending: PendingSend
  /** Where its change is in the log, once the server has said so. */
  sentAt: string | undefined
  /** Its row came by the stream before the answer did. */
  isSeen: boolean
  readonly settle: PromiseWithResolvers
}

type PromiseWithResolvers = { readonly resolve: (sent: Sent) => void; readonly reject: (error: unknown) => void }

export type OutboxOptions = {
  readonly deliver: (body: SendBody, key: string, signal: AbortSignal) => Promise<Sent>
  readonly changed: () => void
  readonly timing: Timing
  readonly scope: string
  readonly storage?: OutboxStorage
}

export class Outbox {
  readonly #options: OutboxOptions
  readonly #stored: StoredSends
  readonly #closed = new AbortController()
  #entries: readonly Entry[] = []
  /** Made when asked for, and the same array until something changes. */
  #visible: readonly PendingSend[] | undefined
  #reached = ""
  #isDelivering = false

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#stored = new StoredSends(options.scope, options.storage)
    for (const { key, body, at } of this.#stored.load()) void this.#enter(key, body, at)
  }

  /** Those that the conversation does not show yet, oldest first. */
  visible(): readonly PendingSend[] {
    this.#visible ??= this.#entries.filter((entry) => !entry.isSeen).map((entry) => entry.pending)
    return this.#visible
  }

  add(body: SendBody, key: string): Promise<Sent> {
    const at = Date.now()
    this.#stored.save({ key, body, at })
    return this.#enter(key, body, at)
  }

  retry(key: string): void {
    const entry = this.#entries.find((one) => one.pending.key === key)
    if (entry?.pending.state !== "failed") return
    entry.pending = { ...entry.pending, state: "sending", error: null }
    this.#changed()
    void this.#deliver()
  }

  dismiss(key: string): void {
    this.#stored.remove(key)
    this.#drop((entry) => entry.pending.key === key && entry.pending.state === "failed")
  }

  /** The stream has been read up to `offset`; `changes` is what it brought. */
  read(changes: readonly ChangeEvent[], offset: string): void {
    this.#reached = offset
    for (const change of changes) {
      const source = sourceOf(change)
      if (source === undefined) continue
      const entry = this.#entries.find((one) => !one.isSeen && isUnanswered(one) && one.pending.text === source)
      if (entry === undefined) continue
      entry.isSeen = true
      this.#changed()
    }
    this.#drop((entry) => entry.sentAt !== undefined && entry.sentAt <= offset)
  }

  close(): void {
    this.#closed.abort()
  }

  #enter(key: string, body: SendBody, at: number): Promise<Sent> {
    const pending: PendingSend = { key, body, text: textOf(body), at, state: "sending", error: null }
    const promise = new Promise<Sent>((resolve, reject) => {
      const entry = { pending, sentAt: undefined, isSeen: false, settle: { resolve, reject } }
      this.#entries = [...this.#entries, entry]
    })
    // Whoever shows `sending` sees the failure there; not awaiting the promise is no mistake.
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
    const { deliver, timing } = this.#options
    const { key, body } = entry.pending
    for (let failures = 0; !this.#closed.signal.aborted; failures++) {
      try {
        const sent = await deliver(body, key, this.#closed.signal)
        this.#stored.remove(key)
        entry.sentAt = sent.offset
        entry.settle.resolve(sent)
        this.#drop((one) => one === entry && sent.offset <= this.#reached)
        return
      } catch (error) {
        if (this.#closed.signal.aborted) return
        if (error instanceof ParlorError && error.passing) {
          await pause(backoff(timing, failures, error.retryAfterMs), this.#closed.signal)
          continue
        }
        entry.pending = { ...entry.pending, state: "failed", error: asParlorError(error) }
        entry.isSeen = false
        entry.settle.reject(error)
        this.#changed()
        return
      }
    }
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

export function textOf(body: SendBody): string {
  return "text" in body ? body.text : body.payload.source
}

function isUnanswered(entry: Entry): boolean {
  return entry.pending.state === "sending" && entry.sentAt === undefined
}

/** What a person wrote, when the change is a new message of theirs. */
function sourceOf(change: ChangeEvent): string | undefined {
  if (change.headers.operation !== "insert") return undefined
  if (change.type === "messages" && change.value.role === "person") return change.value.composer?.source
  if (change.type !== "queue") return undefined
  const payload = change.value.payload
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return undefined
  return typeof payload.source === "string" ? payload.source : undefined
}

function asParlorError(error: unknown): ParlorError {
  if (error instanceof ParlorError) return error
  return new ParlorError("network", error instanceof Error ? error.message : String(error), { cause: error })
}
