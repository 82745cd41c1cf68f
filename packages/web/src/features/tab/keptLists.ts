/**
 * Conversations with a draft but no messages, and the last rows of the others, stored per person in this browser. Changes of other
 * windows arrive by the storage event.
 */
import type { FeedRow } from "@parlor/protocol"
import type { Keep } from "../keep/keep.ts"
import { type Signal, signalOf } from "../keep/signal.ts"
import { KEPT_SUMMARIES } from "./budgets.ts"
import type { TabLists } from "./tabList.ts"

const PREFIX = "parlor.tabs."

export type KeptLists = {
  readonly lists: Signal<TabLists>
  readonly change: (change: Partial<TabLists>) => void
  /** Another window wrote. */
  readonly hear: (key: string | null) => void
  readonly summaries: () => readonly FeedRow[]
  readonly keepSummaries: (rows: readonly FeedRow[]) => void
  readonly forget: () => void
}

export function keptListsIn(keep: Keep, person: string): KeptLists {
  const listsKey = `${PREFIX}lists.${person}`
  const rowsKey = `${PREFIX}rows.${person}`
  const lists = signalOf(listsFrom(keep.read(listsKey)))
  return {
    lists,
    change(change) {
      const next = { ...lists.get(), ...change }
      keep.write(listsKey, JSON.stringify(next))
      lists.set(next)
    },
    hear(key) {
      if (key === listsKey) lists.set(listsFrom(keep.read(listsKey)))
    },
    summaries: () => rowsFrom(keep.read(rowsKey)),
    keepSummaries: (rows) => keep.write(rowsKey, JSON.stringify(rows.slice(0, KEPT_SUMMARIES).map(quiet))),
    forget() {
      keep.write(listsKey, undefined)
      keep.write(rowsKey, undefined)
    },
  }
}

/** Stored data may be old or tampered with: invalid entries are dropped. */
function listsFrom(text: string | undefined): TabLists {
  const kept = parsed(text)
  const { begun } = (typeof kept === "object" && kept !== null ? kept : {}) as Record<string, unknown>
  return { begun: textsIn(begun) }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : []
}

function rowsFrom(text: string | undefined): readonly FeedRow[] {
  const kept = parsed(text)
  return Array.isArray(kept) ? kept.filter(isRow) : []
}

/** Running and waiting states are stale when read back, so they are cleared. */
function quiet(row: FeedRow): FeedRow {
  return { ...row, state: "idle", held: false, queued: 0, asks: 0, unread: false, news: null }
}

function isRow(value: unknown): value is FeedRow {
  const row = value as Partial<FeedRow> | null
  const texts = [row?.agent, row?.branch, row?.title, row?.preview]
  return texts.every((text) => typeof text === "string") && typeof row?.activityAt === "number"
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
