/**
 * Loading a conversation and following it.
 *
 *   loading ──snapshot──▶ ready ──refused──▶ failed
 *      └────────────refused──────────────────▲
 *
 * Loads the snapshot, follows from its offset and folds. It reconnects without leaving `ready`; `connection` shows
 * the state of the connection.
 */
import type { ChangeEvent, MessagePage, QueuePage, Snapshot } from "@parlor/protocol"
import { ParlorError } from "../error.ts"
import { type Connection, type Following, type FollowOptions, isGone } from "../follow.ts"
import { backoff, type NextTry, pause, pauseUntil, type Timing } from "../timing.ts"
import { Window } from "./window.ts"

/** Until it is created here, or `reconnect` is called because it was created elsewhere. */
const UNTIL_MADE_MS = 2 ** 31 - 1
/** How much of a queue is loaded beyond the snapshot's first page. */
const QUEUE_CHARS = 16 * 1024 * 1024

export type ReadingSource = {
  open(options: { readonly messages?: number; readonly signal: AbortSignal }): Promise<Snapshot>
  messages(page: { readonly before: string; readonly limit: number }): Promise<MessagePage>
  queue(page: { readonly after: string }): Promise<QueuePage>
  follow(options: FollowOptions): Following
}

export type ReadingOptions = {
  readonly messages: number | undefined
  /** It does not exist yet: it is shown as empty, and nothing is requested before it is created. */
  readonly isNew?: boolean
  readonly timing: Timing
  readonly signal: AbortSignal
  /** The history that was read so far no longer exists. A new snapshot follows. */
  readonly onStartOver: () => void
  readonly onSnapshot: (snapshot: Snapshot) => void
  readonly onChanges: (changes: readonly ChangeEvent[], offset: string) => void
  /** Something visible has changed. */
  readonly changed: () => void
}

export class Reading {
  readonly #source: ReadingSource
  readonly #options: ReadingOptions
  #window: Window | undefined
  #phase: "loading" | "ready" | "failed" = "loading"
  #connection: Connection = "connecting"
  #next: NextTry | null = null
  #error: ParlorError | null = null

  constructor(source: ReadingSource, options: ReadingOptions) {
    this.#source = source
    this.#options = options
    void this.#run()
  }

  get window(): Window | undefined {
    return this.#window
  }

  get phase(): "loading" | "ready" | "failed" {
    return this.#phase
  }

  get connection(): Connection {
    return this.#connection
  }

  /** The next attempt, while waiting for it. */
  get next(): NextTry | null {
    return this.#next
  }

  get error(): ParlorError | null {
    return this.#error
  }

  async loadOlder(limit: number): Promise<void> {
    const window = this.#window
    if (window === undefined || window.older === null) return
    const page = await this.#source.messages({ before: window.older, limit })
    window.prepend(page)
  }

  async #run(): Promise<void> {
    const { signal, timing } = this.#options
    // Whoever created it has it before it announces anything.
    await Promise.resolve()
    while (!signal.aborted) {
      try {
        const snapshot = await this.#load()
        if (snapshot === undefined) return
        await this.#follow(snapshot)
        return
      } catch (error) {
        if (signal.aborted) return
        if (isGone(error)) {
          this.#options.onStartOver()
          await pause(backoff(timing, 0), signal)
          continue
        }
        this.#fail(error)
        return
      }
    }
  }

  async #load(): Promise<Snapshot | undefined> {
    const { messages, isNew, signal, timing } = this.#options
    if (isNew && this.#window === undefined) {
      this.#phase = "ready"
      await pauseUntil(UNTIL_MADE_MS, signal, (next) => this.#connected("live", next))
    }
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        return await this.#source.open({ signal, ...(messages === undefined ? {} : { messages }) })
      } catch (error) {
        if (signal.aborted) return undefined
        if (!(error instanceof ParlorError && error.passing)) throw error
        const waitMs = backoff(timing, failures, error.retryAfterMs)
        const connection = failures > 0 ? "offline" : "connecting"
        await pauseUntil(waitMs, signal, (next) => this.#connected(connection, next))
        this.#connected(connection, null)
      }
    }
    return undefined
  }

  async #follow(snapshot: Snapshot): Promise<void> {
    const { signal, onSnapshot, onChanges, changed } = this.#options
    const window = new Window(snapshot)
    this.#window = window
    this.#phase = "ready"
    onSnapshot(snapshot)
    changed()
    void this.#loadQueue(window)
    const onConnection: FollowOptions["onConnection"] = (...told) => this.#connected(...told)
    const stream = this.#source.follow({ offset: snapshot.offset, signal, onConnection })
    for await (const changes of stream) {
      window.apply(changes)
      onChanges(changes, stream.offset)
      changed()
    }
  }

  /** A snapshot has the front of a long queue; the rest is read by page. What stays unread is counted by the window. */
  async #loadQueue(window: Window): Promise<void> {
    try {
      let read = 0
      for (let after = window.queueEnd; after !== null && read < QUEUE_CHARS; ) {
        const page = await this.#source.queue({ after })
        if (this.#options.signal.aborted || this.#window !== window) return
        window.addQueued(page.queue)
        this.#options.changed()
        read += JSON.stringify(page.queue).length
        after = page.later
      }
    } catch {
      // The conversation works without it. The next snapshot tries again.
    }
  }

  #fail(error: unknown): void {
    this.#phase = "failed"
    this.#connection = "offline"
    this.#next = null
    this.#error = error instanceof ParlorError ? error : new ParlorError("network", String(error), { cause: error })
    this.#options.changed()
  }

  #connected(connection: Connection, next: NextTry | null): void {
    this.#connection = connection
    this.#next = next
    this.#options.changed()
  }
}
