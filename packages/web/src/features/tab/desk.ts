/**
 * The tabs of this page: what the feed tells, how much is held of each, and what is in front. Carries out what
 * `residency.ts` decides: messages in memory belong to hydrated tabs only, snapshots in the browser to those that are not
 * discarded.
 *
 * One connection is for the feed, one for what is in front (and one for a sidecar beside it); tabs in the background have
 * none (TAB-6).
 */
import {
  type LiveConversation,
  type LiveFeed,
  type LiveFeedState,
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
import { Opener, type OpenerDesk } from "./opener.ts"
import type { Held } from "./opening.ts"
import { isHydrated, mayWarm, nobody, type ResidencyEvent, type Residents, resided } from "./residency.ts"
import type { Shelf } from "./shelf.ts"
import { heldOf, snapshotOf } from "./snapshot.ts"
import { markStep } from "./steps.ts"

export type DeskParts = {
  readonly parlor: Parlor
  readonly person: string
  readonly keep: Keep
  readonly shelf: Shelf
  readonly now: () => number
}

export type FeedState = Pick<LiveFeedState, "phase" | "connection" | "reconnectAt" | "error"> & {
  readonly rows: readonly FeedRow[]
}

export class Desk implements OpenerDesk {
  readonly residents: Signal<Residents> = signalOf(nobody)
  readonly feed: Signal<FeedState>
  readonly kept: KeptLists
  /** What is painted in front, once its newest messages are. */
  readonly front: Signal<LiveConversation | undefined> = signalOf<LiveConversation | undefined>(undefined)
  readonly #parts: DeskParts
  readonly #held = new Map<string, Held>()
  readonly #warming = new Map<string, AbortController>()
  /** Whose snapshots are in the browser. */
  readonly #onShelf = new Set<string>()
  /** Pinned tabs that were loaded ahead once: what could not be had is not asked for again and again. */
  readonly #warmedOnce = new Set<string>()
  #live: LiveFeed | undefined
  #activation = 0
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

  /** Works until what is returned is called. */
  start(): () => void {
    const live = this.#parts.parlor.feed().live()
    this.#live = live
    const leaveFeed = live.subscribe(() => this.#read(live))
    const timer = setInterval(() => this.#decide({ type: "ticked", at: this.#parts.now() }), TICK_MS)
    const hear = (event: StorageEvent) => this.kept.hear(event.key)
    const press = () => this.#decide({ type: "pressed" })
    const keepNow = () => document.visibilityState === "hidden" && this.#keepNow()
    window.addEventListener("storage", hear)
    // A browser that is about to freeze a page wants its memory back.
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

  /** Does not wait until the feed is tried again. */
  reconnect(): void {
    this.#live?.reconnect()
  }

  opener(): Opener {
    return new Opener(this)
  }

  /** Nothing of this person stays in the browser (SEC-2). */
  forget(): Promise<void> {
    this.#isForgotten = true
    this.#held.clear()
    this.kept.forget()
    return this.#parts.shelf.clear()
  }

  /** Loads a tab ahead that is likely to be opened next, if there is room for that. */
  warm(agent: string, branch: string): void {
    const key = conversationOf({ agent, branch })
    if (!mayWarm(this.residents.get(), key)) return
    this.#decide({ type: "warming", key })
    const warming = new AbortController()
    this.#warming.set(key, warming)
    const done = (kept: boolean) => {
      this.#warming.delete(key)
      this.#decide({ type: "warmed", key, kept })
      this.#warmPinned()
    }
    this.#parts.parlor
      .conversation(agent, branch)
      .open({ messages: SNAPSHOT_MESSAGES, signal: warming.signal })
      .then((snapshot) => this.#keep(key, snapshot, true))
      .then(done, () => done(false))
  }

  begin(key: string, isFront: boolean): number {
    const activation = ++this.#activation
    if (!isFront) return activation
    this.#warming.get(key)?.abort()
    this.front.set(undefined)
    this.#decide({ type: "opened", key, activation, at: this.#parts.now() })
    return activation
  }

  painted(activation: number, isFront: boolean, live: LiveConversation): void {
    const residents = this.residents.get()
    if (!isFront || residents.activation !== activation || residents.front === undefined) return
    markStep("newest", residents.front, activation)
    this.#decide({ type: "painted", activation, at: this.#parts.now() })
    this.front.set(live)
    this.#warmPinned()
  }

  changed(key: string, state: LiveState, isFront: boolean): void {
    if (!isFront) return
    this.#unkept = () => void this.#keep(key, state, false)
    clearTimeout(this.#keeping)
    this.#keeping = setTimeout(() => this.#keepNow(), KEEP_PAUSE_MS)
  }

  end(key: string, activation: number, state: LiveState | undefined, isFront: boolean): void {
    if (!isFront) return
    const at = this.#parts.now()
    this.#keepNow()
    if (state !== undefined && !this.#isForgotten) this.#held.set(key, { state, asOf: at })
    if (this.residents.get().activation === activation) this.front.set(undefined)
    this.#decide({ type: "left", activation, at })
  }

  heldFor(key: string): Held | undefined {
    return this.#held.get(key)
  }

  async keptFor(key: string): Promise<Held | undefined> {
    const kept = await this.#parts.shelf.read(key)
    return kept && heldOf(kept, loadingState)
  }

  #decide(event: ResidencyEvent): void {
    const before = this.residents.get()
    const after = resided(before, event)
    if (after === before) return
    this.residents.set(after)
    for (const [key, tab] of after.tabs) {
      if (tab === before.tabs.get(key)) continue
      if (!isHydrated(tab)) this.#held.delete(key)
      if (tab.residency === "discarded" && before.tabs.has(key)) this.#unshelve(key)
    }
    for (const key of before.tabs.keys()) {
      if (after.tabs.has(key)) continue
      this.#held.delete(key)
      this.#unshelve(key)
    }
  }

  #unshelve(key: string): void {
    if (this.#onShelf.delete(key)) void this.#parts.shelf.remove(key)
  }

  /** What the person marked as important is there at once also after a reload. */
  #warmPinned(): void {
    const { tabs } = this.residents.get()
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
    const { phase, connection, reconnectAt, error, conversations } = live.getState()
    const rows = phase === "loading" ? this.feed.get().rows : conversations
    const isNew = rows !== this.feed.get().rows
    this.feed.set({ phase, connection, reconnectAt, error, rows })
    if (phase !== "ready" || !isNew || this.#isForgotten) return
    this.kept.keepSummaries(rows)
    this.#list()
  }

  #list(): void {
    const rows = this.feed.get().rows.filter((row) => !row.ephemeral)
    const listed = rows.map((row) => ({ key: conversationOf(row), pinned: row.pinned, archived: row.archived }))
    this.#decide({ type: "listed", rows: listed, kept: this.#onShelf })
    if (this.feed.get().phase !== "ready") return
    const { tabs } = this.residents.get()
    for (const key of [...this.#onShelf]) if (!tabs.has(key)) this.#unshelve(key)
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
    if (outcome === "full") this.#decide({ type: "pressed" })
    return outcome === "kept"
  }
}
