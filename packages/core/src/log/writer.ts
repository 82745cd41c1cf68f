/**
 * The only way to append to the store, shared by all conversations of a node: group commit, retries, spool.
 *
 *            ┌────────── commit returned, more waiting ──────────┐
 *            ▼                                                   │
 *   idle ──append──▶ committing ──durable──▶ publish, answer ────┘
 *                        │ fault
 *                        ▼
 *                     retrying ──1 s, 2 s, 4 s──▶ spooling ──store is back, replayed──▶ idle
 *
 * One commit is in progress at a time. Appends that arrive meanwhile share the next one; an append that finds the
 * writer idle does not wait (LOG-11). An event is published only after its commit returned (LOG-3).
 *
 * A command that hits a fault is rejected at once: its caller can retry. A turn's output cannot be produced again, so
 * an append marked `keep` is retried and then spooled (LOG-12). While kept appends wait, commands are rejected, so
 * nothing overtakes them. Kept appends are added to the end of the spool while it is in use; during a replay they wait
 * until it ends.
 *
 * A commit may fail and yet have been carried out. The store skips its repetition, and readers are told to read again;
 * so are the readers of a stream whose command was rejected.
 */
import { Bug, Fault, type StoredChange, type StreamId } from "@parlor/protocol"
import type { Clock } from "../ports/clock.ts"
import { type Log, reasonFields } from "../ports/log.ts"
import type { Spool } from "../ports/spool.ts"
import type { Append, Appended, EventLog, RowChange } from "../ports/store.ts"

const RETRY_AFTER_MS = [1_000, 2_000, 4_000] as const
const REPLAY_EVERY_MS = 2_000
const LOOK_AFTER_MS = 1_000
/** Maximum appends per commit: bounds how long one transaction delays the others. */
const GROUP_LIMIT = 256

export type Publish = (stream: StreamId, changes: readonly StoredChange[]) => void

export type WriterOptions = {
  readonly store: { readonly log: Pick<EventLog, "commit"> }
  readonly spool: Spool
  readonly clock: Clock
  readonly log: Log
  readonly publish: Publish
  /** Called when the store is back and has what was spooled, with the conversations that had to pause. */
  readonly onReplayed?: (streams: readonly StreamId[]) => void
  /** Called when a stream was, or may have been, written to, before anyone is notified. */
  readonly onWrite?: (stream: StreamId) => void
  /** Called when the store could not accept a commit. */
  readonly onFailed?: () => void
  /** Called when events up to `head` turn out to be stored although their commit failed: nobody has seen them yet. */
  readonly onSkipped?: (stream: StreamId, head: number) => void
}

type Waiting = {
  readonly append: Append
  readonly keep: boolean
  readonly onDurable: ((appended: Appended) => void) | undefined
  readonly resolve: (appended: Appended) => void
  readonly reject: (error: unknown) => void
}

export class Writer {
  readonly #parts: WriterOptions
  #waiting: Waiting[] = []
  #committing = false
  #attempt = 0
  #spooled = false
  #replaying = false
  /** The conversations that had to pause, even if the spool had no room for their writes. */
  readonly #paused = new Set<StreamId>()
  #closed = false
  #cancelTimer: (() => void) | undefined
  readonly #unclear = new Set<StreamId>()
  #cancelLook: (() => void) | undefined
  #idle: (() => void)[] = []

  constructor(parts: WriterOptions) {
    this.#parts = parts
  }

  /**
   * Resolves when the append is durable and published. `keep`: survive a store that is down. `onDurable`: called with
   * the answer immediately, before anything committed after it is published.
   */
  append(
    append: Append,
    options: { readonly keep?: boolean; readonly onDurable?: (appended: Appended) => void } = {},
  ): Promise<Appended> {
    const keep = options.keep ?? false
    if (this.#closed) return Promise.reject(new Fault("The server is stopping.", { code: "server.stopping" }))
    if (this.down && !keep) return Promise.reject(this.#downFault())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ append, keep, onDurable: options.onDurable, resolve, reject })
      if (this.#spooled && !this.#replaying) void this.#spool()
      else if (!this.#committing && !this.down) this.#flushSoon()
    })
  }

  get down(): boolean {
    return this.#spooled || this.#attempt > 0
  }

  /**
   * Replays what an earlier process left in the spool. Call once; later appends do not overtake it. If the store is not
   * available now, it is retried later: reads need not wait for it (LOG-18).
   */
  async recover(): Promise<void> {
    this.#spooled = true
    try {
      await this.#replay()
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      this.#parts.log.warn("the spool cannot be replayed yet", reasonFields(error))
      this.#replayLater()
    }
  }

  /** Accepts nothing more and waits for what is in progress. What the store cannot accept now stays in the spool. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancelTimer?.()
    this.#cancelLook?.()
    if (this.#committing || this.#replaying) await new Promise<void>((resolve) => this.#idle.push(resolve))
    await this.#spool()
  }

  #flushSoon(): void {
    this.#committing = true
    queueMicrotask(() => void this.#flush())
  }

  async #flush(): Promise<void> {
    const group = this.#waiting.splice(0, GROUP_LIMIT)
    let answers: readonly Appended[]
    try {
      answers = await this.#parts.store.log.commit(group.map((waiting) => waiting.append))
    } catch (error) {
      this.#failed(group, error)
      return this.#next()
    }
    this.#attempt = 0
    // The next commit starts at once: it need not wait for everything that the answers trigger.
    this.#next()
    this.#settle(group, answers)
  }

  #next(): void {
    this.#committing = this.#waiting.length > 0 && !this.down
    if (this.#committing) void this.#flush()
    else this.#rest()
  }

  #rest(): void {
    for (const idle of this.#idle.splice(0)) idle()
  }

  #settle(group: readonly Waiting[], answers: readonly Appended[]): void {
    for (const [index, waiting] of group.entries()) {
      const answer = answers[index]
      if (answer === undefined) {
        waiting.reject(new Bug("the store answered fewer appends than it was given"))
        continue
      }
      publishAppend(this.#parts, waiting.append, answer)
      waiting.onDurable?.(answer)
      waiting.resolve(answer)
    }
  }

  #failed(group: readonly Waiting[], error: unknown): void {
    this.#parts.onFailed?.()
    for (const { append } of group) this.#parts.onWrite?.(append.stream)
    if (!(error instanceof Fault)) {
      for (const waiting of group) waiting.reject(error)
      return
    }
    const kept = group.filter((waiting) => waiting.keep)
    const refused = [...group, ...this.#waiting].filter((waiting) => !waiting.keep)
    this.#waiting = [...kept, ...this.#waiting.filter((waiting) => waiting.keep)]
    for (const waiting of refused) waiting.reject(error)
    this.#lookLater(refused)
    if (this.#waiting.length === 0) return
    const delay = RETRY_AFTER_MS[this.#attempt]
    this.#attempt += 1
    this.#parts.log.warn("store failed", { attempt: this.#attempt, ...reasonFields(error) })
    if (this.#closed) return
    if (delay !== undefined) this.#cancelTimer = this.#parts.clock.after(delay, () => this.#flushSoon())
    else {
      this.#spooled = true
      void this.#spool().then(() => this.#replayLater())
    }
  }

  /** A rejected command may have been carried out after all: nobody has been shown it. */
  #lookLater(refused: readonly Waiting[]): void {
    for (const { append } of refused) {
      this.#unclear.add(append.stream)
      if (append.feed !== undefined) this.#unclear.add(append.feed.stream)
    }
    if (this.#unclear.size === 0 || this.#closed) return
    this.#cancelLook ??= this.#parts.clock.after(LOOK_AFTER_MS, () => {
      this.#cancelLook = undefined
      const streams = [...this.#unclear]
      this.#unclear.clear()
      for (const stream of streams) this.#parts.publish(stream, [])
    })
  }

  /** Moves waiting appends to the end of the spool. Their turns have to pause. */
  async #spool(): Promise<void> {
    const kept = this.#waiting.splice(0)
    if (kept.length === 0) return
    try {
      await this.#parts.spool.add(kept.map((waiting) => waiting.append))
    } catch (error) {
      this.#parts.log.error("spool failed", { reason: String(error) })
    }
    for (const waiting of kept) {
      this.#paused.add(waiting.append.stream)
      waiting.reject(this.#downFault())
    }
  }

  #replayLater(): void {
    if (this.#closed) return
    this.#cancelTimer = this.#parts.clock.after(REPLAY_EVERY_MS, () => {
      this.#replay().catch((error) => {
        this.#parts.log.warn("store still down", reasonFields(error))
        this.#replayLater()
      })
    })
  }

  async #replay(): Promise<void> {
    this.#replaying = true
    await this.#replayAll().finally(() => {
      this.#replaying = false
      if (this.#closed) this.#rest()
      else if (this.#spooled) void this.#spool()
    })
    if (this.#waiting.length > 0 && !this.#committing) this.#flushSoon()
    const streams = [...this.#paused]
    this.#paused.clear()
    if (streams.length > 0) this.#parts.onReplayed?.(streams)
  }

  async #replayAll(): Promise<void> {
    const left = await this.#parts.spool.read()
    for (let start = 0; start < left.length; start += GROUP_LIMIT) {
      const group = left.slice(start, start + GROUP_LIMIT)
      const answers = await this.#parts.store.log.commit(group)
      for (const [index, append] of group.entries()) {
        const answer = answers[index]
        if (answer !== undefined) publishAppend(this.#parts, append, answer)
      }
    }
    if (left.length > 0) await this.#parts.spool.clear()
    this.#spooled = false
    this.#attempt = 0
    for (const append of left) this.#paused.add(append.stream)
    if (left.length > 0) this.#parts.log.info("spool replayed", { batches: left.length })
  }

  #downFault(): Fault {
    return new Fault("The store cannot be reached.", { retryAfterMs: REPLAY_EVERY_MS })
  }
}

function publishAppend(
  parts: Pick<WriterOptions, "publish" | "onWrite" | "onSkipped">,
  append: Append,
  answer: Appended,
): void {
  if (!answer.ok) return
  const { stream, changes, feed } = append
  parts.onWrite?.(stream)
  if (changes.length > 0) {
    if (answer.skipped) parts.onSkipped?.(stream, answer.head)
    else parts.publish(stream, numbered(append, changes, answer.head))
  }
  if (feed === undefined || feed.changes.length === 0) return
  if (answer.skipped) parts.onSkipped?.(feed.stream, answer.feedHead)
  else parts.publish(feed.stream, numbered(append, feed.changes, answer.feedHead))
}

function numbered(append: Append, changes: readonly RowChange[], head: number): StoredChange[] {
  const first = head - changes.length + 1
  return changes.map((change, index) => ({
    seq: first + index,
    collection: change.collection,
    key: change.key,
    operation: change.operation,
    value: change.value,
    txid: append.txid,
    at: append.at,
  }))
}
