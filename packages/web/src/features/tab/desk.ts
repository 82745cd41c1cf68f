/**
 * The tabs of this page. Feeds events into the state machine (`machine.ts`) and runs its effects: one connection for
 * the feed, one per open pane, snapshots in the browser. Background tabs have no connection (TAB-6).
 */
import {
  type Conversation,
  type LiveConversation,
  type LiveFeed,
  type LiveFeedState,
  type LiveOptions,
  type LiveState,
  loadingState,
  type Parlor,
} from "@parlor/client"
import type { FeedRow } from "@parlor/protocol"
import type { Keep } from "../keep/keep.ts"
import { type Signal, signalOf } from "../keep/signal.ts"
import { conversationOf } from "../place/place.ts"
import { KEEP_PAUSE_MS, SNAPSHOT_MESSAGES, TICK_MS } from "./budgets.ts"
import { type KeptLists, keptListsIn } from "./keptLists.ts"
import { noTabs, type Shown, step, type TabEvent, type Tabs } from "./machine.ts"
import { mayWarm } from "./residency.ts"
import type { Shelf } from "./shelf.ts"
import { heldOf, snapshotOf } from "./snapshot.ts"
import { markStep, type OpeningStep } from "./steps.ts"

export type DeskParts = {
  readonly parlor: Parlor
  readonly person: string
  readonly keep: Keep
  readonly shelf: Shelf
  readonly now: () => number
}

export type FeedState = Pick<LiveFeedState, "phase" | "connection" | "reconnectAt" | "error" | "sharedAt"> & {
  readonly rows: readonly FeedRow[]
}

export type OpenOptions = LiveOptions & {
  /** The pane it opens in. */
  readonly pane: string
  readonly isFront: boolean
}

export class Desk {
  readonly tabs: Signal<Tabs> = signalOf(noTabs)
  readonly feed: Signal<FeedState>
  readonly kept: KeptLists
  readonly #parts: DeskParts
  readonly #warming = new Map<string, AbortController>()
  /** The person the snapshots in the browser belong to. */
  readonly #onShelf = new Set<string>()
  /** Pinned tabs that were preloaded once, so that a failed preload is not repeated. */
  readonly #warmedOnce = new Set<string>()
  #live: LiveFeed | undefined
  #isForgotten = false
  #keeping: ReturnType<typeof setTimeout> | undefined
  #unkept: (() => void) | undefined

  constructor(parts: DeskParts) {
    this.#parts = parts
    this.kept = keptListsIn(parts.keep, parts.person)
    this.feed = signalOf<FeedState>({
      phase: "loading",
      connection: "connecting",
      reconnectAt: null,
      error: null,
      rows: this.kept.summaries(),
    })
  }

  /** Starts; call the returned function to stop. */
  start(): () => void {
    const live = this.#parts.parlor.feed().live()
    this.#live = live
    const leaveFeed = live.subscribe(() => this.#read(live))
    const timer = setInterval(() => this.#step({ type: "ticked", at: this.#parts.now() }), TICK_MS)
    const hear = (event: StorageEvent) => this.kept.hear(event.key)
    const press = () => this.#step({ type: "pressed" })
    const keepNow = () => document.visibilityState === "hidden" && this.#keepNow()
    window.addEventListener("storage", hear)
    // A frozen page should release its memory.
    document.addEventListener("freeze", press)
    document.addEventListener("visibilitychange", keepNow)
    void this.#parts.shelf.keys().then((keys) => {
      for (const key of keys) this.#onShelf.add(key)
      this.#list()
    })
    return () => {
      leaveFeed()
      live.close()
      clearInterval(timer)
      clearTimeout(this.#keeping)
      for (const warming of this.#warming.values()) warming.abort()
      window.removeEventListener("storage", hear)
      document.removeEventListener("freeze", press)
      document.removeEventListener("visibilitychange", keepNow)
    }
  }

  /** Reconnects to the feed now. */
  reconnect(): void {
    this.#live?.reconnect()
  }

  /** Deletes this person's data from the browser (SEC-2). */
  forget(): Promise<void> {
    this.#isForgotten = true
    this.#step({ type: "forgotten" })
    this.kept.forget()
    return this.#parts.shelf.clear()
  }

  /**
   * Opens a conversation in a pane until the returned function is called: first what is in memory, or a snapshot from
   * the browser, then the conversation itself. `tabs` has what the pane shows.
   */
  open(conversation: Conversation, { pane, isFront, ...options }: OpenOptions): () => void {
    const key = conversationOf(conversation)
    const live = conversation.live(options)
    const { lastActivation: activation } = this.#step({
      type: "opened",
      pane,
      key,
      isFront,
      live,
      at: this.#parts.now(),
    })
    const shown = () => this.tabs.get().panes.get(pane)
    const isCurrent = () => shown()?.activation === activation
    const mark = (name: OpeningStep) => isFront && afterPaint(() => isCurrent() && markStep(name, key, activation))
    if (isFront) markStep("open", key, activation)
    mark("shell")
    if (shown()?.from === "held") mark("snapshot")
    else void this.#readSnapshot(key, activation).then((isShown) => isShown && mark("snapshot"))
    const leave = live.subscribe(() => this.#take(live, activation, shown()))
    return () => {
      leave()
      const last = live.getState()
      live.close()
      if (isFront) this.#keepNow()
      const isWhole = last.phase === "ready" && !this.#isForgotten
      this.#step({ type: "left", activation, at: this.#parts.now(), last: isWhole ? last : undefined })
    }
  }

  /** Preloads a tab that is likely to be opened next, within the budget. */
  warm(agent: string, branch: string): void {
    const key = conversationOf({ agent, branch })
    if (!mayWarm(this.tabs.get().residents, key)) return
    this.#step({ type: "warming", key })
    const warming = new AbortController()
    this.#warming.set(key, warming)
    const done = (kept: boolean) => {
      this.#warming.delete(key)
      this.#step({ type: "warmed", key, kept })
      this.#warmPinned()
    }
    this.#parts.parlor
      .conversation(agent, branch)
      .open({ messages: SNAPSHOT_MESSAGES, signal: warming.signal })
      .then((snapshot) => this.#keep(key, snapshot, true))
      .then(done, () => done(false))
  }

  /** Handles updates of a pane's conversation. */
  #take(live: LiveConversation, activation: number, before: Shown | undefined): void {
    if (before?.activation !== activation || before.key === undefined) return
    const state = live.getState()
    const { key, isFront } = before
    const after = this.#step({ type: "news", activation, state })
    const isLive = [...after.panes.values()].some((pane) => pane.activation === activation && pane.from === "live")
    if (!isLive) return
    if (before.from !== "live") afterPaint(() => this.#painted(key, activation))
    if (isFront && state.phase === "ready") this.#keepSoon(key, state)
  }

  #painted(key: string, activation: number): void {
    const before = this.tabs.get()
    const { residents } = this.#step({ type: "painted", activation, at: this.#parts.now() })
    if (residents === before.residents) return
    markStep("newest", key, activation)
    this.#warmPinned()
  }

  async #readSnapshot(key: string, activation: number): Promise<boolean> {
    const kept = await this.#parts.shelf.read(key)
    if (kept === undefined) return false
    const before = this.tabs.get()
    return this.#step({ type: "snapshot", activation, kept: heldOf(kept, loadingState) }) !== before
  }

  /** The only place where the state changes. Releases what is no longer held. */
  #step(event: TabEvent): Tabs {
    const before = this.tabs.get()
    const after = step(before, event)
    if (after === before) return after
    this.tabs.set(after)
    if (after.residents === before.residents) return after
    const { tabs, warming } = after.residents
    for (const key of before.residents.tabs.keys()) {
      const isDiscarded = tabs.get(key)?.residency === "discarded"
      const was = before.residents.tabs.get(key)?.residency
      if (!tabs.has(key) || (isDiscarded && was !== "discarded")) this.#unshelve(key)
    }
    for (const [key, loading] of this.#warming) if (!warming.has(key)) loading.abort()
    return after
  }

  #unshelve(key: string): void {
    if (this.#onShelf.delete(key)) void this.#parts.shelf.remove(key)
  }

  /** Pinned tabs open at once even after a reload. */
  #warmPinned(): void {
    const { tabs } = this.tabs.get().residents
    const row = this.feed.get().rows.find((one) => {
      const tab = tabs.get(conversationOf(one))
      const isWanted = tab?.pinned === true && !tab.archived && tab.residency === "discarded"
      return isWanted && !this.#warmedOnce.has(conversationOf(one))
    })
    if (row === undefined) return
    this.#warmedOnce.add(conversationOf(row))
    this.warm(row.agent, row.branch)
  }

  #read(live: LiveFeed): void {
    const { phase, connection, reconnectAt, error, conversations, sharedAt } = live.getState()
    const rows = phase === "loading" ? this.feed.get().rows : conversations
    const isNew = rows !== this.feed.get().rows
    this.feed.set({ phase, connection, reconnectAt, error, rows, ...(sharedAt === undefined ? {} : { sharedAt }) })
    if (phase !== "ready" || !isNew || this.#isForgotten) return
    this.kept.keepSummaries(rows)
    this.#list()
  }

  #list(): void {
    const rows = this.feed.get().rows.filter((row) => !row.ephemeral)
    const listed = rows.map((row) => ({ key: conversationOf(row), pinned: row.pinned, archived: row.archived }))
    this.#step({ type: "listed", rows: listed, kept: this.#onShelf })
    if (this.feed.get().phase !== "ready") return
    const { tabs } = this.tabs.get().residents
    for (const key of [...this.#onShelf]) if (!tabs.has(key)) this.#unshelve(key)
  }

  #keepSoon(key: string, state: LiveState): void {
    this.#unkept = () => void this.#keep(key, state, false)
    clearTimeout(this.#keeping)
    this.#keeping = setTimeout(() => this.#keepNow(), KEEP_PAUSE_MS)
  }

  #keepNow(): void {
    clearTimeout(this.#keeping)
    this.#unkept?.()
    this.#unkept = undefined
  }

  async #keep(key: string, shown: Parameters<typeof snapshotOf>[1], isAhead: boolean): Promise<boolean> {
    const snapshot = snapshotOf(key, shown, this.#parts.now())
    if (snapshot === undefined || this.#isForgotten || (isAhead && !this.#warming.has(key))) return false
    const outcome = await this.#parts.shelf.write(snapshot)
    if (outcome === "kept") this.#onShelf.add(key)
    if (outcome === "full") this.#step({ type: "pressed" })
    return outcome === "kept"
  }
}

/** Runs after the next paint. A hidden page never paints, so there it runs at once. */
function afterPaint(run: () => void): void {
  if (document.visibilityState === "hidden") run()
  else requestAnimationFrame(() => setTimeout(run))
}
