import type { ChangeEvent, FeedRow } from "@parlor/protocol"
import { ParlorError } from "../error.ts"
import type { Connection, FollowOptions, News } from "../follow.ts"
import type { NextTry } from "../timing.ts"
import { Watched } from "./watched.ts"

export type LiveFeedState = {
  readonly phase: "loading" | "ready" | "failed"
  readonly connection: Connection
  /** When the next connection attempt is due; null while connected or connecting. */
  readonly reconnectAt: number | null
  /** Pinned first, then by last activity, newest first. */
  readonly conversations: readonly FeedRow[]
  /** When what others share with the caller last changed, if it ever did (SHR-14). */
  readonly sharedAt?: number
  readonly error: ParlorError | null
}

export type FeedSource = (options: Omit<FollowOptions, "offset">) => AsyncGenerator<News>

/** The caller's conversations for a user interface, kept current (LOG-14). */
export class LiveFeed {
  readonly getState: () => LiveFeedState
  readonly subscribe: (listener: () => void) => () => void
  readonly #closed = new AbortController()
  readonly #rows = new Map<string, FeedRow>()
  readonly #watched: Watched<LiveFeedState>
  #sorted: readonly FeedRow[] | undefined = []
  #next: NextTry | null = null
  #state: LiveFeedState = {
    phase: "loading",
    connection: "connecting",
    reconnectAt: null,
    conversations: [],
    error: null,
  }

  constructor(rows: FeedSource) {
    this.#watched = new Watched(this.#state, () => this.#build())
    this.getState = this.#watched.get
    this.subscribe = this.#watched.subscribe
    void this.#run(rows)
  }

  /** Connects now instead of waiting for the next attempt. */
  reconnect(): void {
    this.#next?.now()
  }

  close(): void {
    this.#closed.abort()
  }

  async #run(rows: FeedSource): Promise<void> {
    try {
      const onConnection = (connection: Connection, next: NextTry | null): void => {
        this.#next = next
        this.#set({ connection, reconnectAt: next?.at ?? null })
      }
      for await (const news of rows({ signal: this.#closed.signal, onConnection })) {
        if (news.startsOver) {
          this.#rows.clear()
          this.#sorted = undefined
        }
        for (const change of news.changes) this.#apply(change)
        this.#set(news.upToDate ? { phase: "ready" } : {})
      }
    } catch (error) {
      const failure = error instanceof ParlorError ? error : new ParlorError("network", String(error), { cause: error })
      this.#set({ phase: "failed", connection: "offline", reconnectAt: null, error: failure })
    }
  }

  #apply(change: ChangeEvent): void {
    if (change.type === "shared") this.#set(change.value)
    if (change.type !== "conversations") return
    if (change.headers.operation === "delete") this.#rows.delete(change.key)
    else this.#rows.set(change.key, change.value)
    this.#sorted = undefined
  }

  #set(next: Partial<LiveFeedState>): void {
    this.#state = { ...this.#state, ...next }
    this.#watched.touch()
  }

  #build(): LiveFeedState {
    this.#sorted ??= [...this.#rows.values()].sort(
      (a, b) => Number(b.pinned) - Number(a.pinned) || b.activityAt - a.activityAt,
    )
    this.#state = { ...this.#state, conversations: this.#sorted }
    return this.#state
  }
}
