/**
 * The tabs and their order. The set is derived from the feed, so every window and device shows the same; order and
 * closed tabs are per browser. Pure.
 */
import { type FeedRow, MAIN_BRANCH } from "@parlor/protocol"
import { conversationOf, firstAgent } from "../place/place.ts"
import { KEPT_BEGUN, KEPT_CLOSED, KEPT_ORDER } from "./budgets.ts"
import { needsYou } from "./capsules.ts"

/** A tab. `row` is missing for a conversation without messages. */
export type Tab = {
  readonly key: string
  readonly agent: string
  readonly branch: string
  readonly row: FeedRow | undefined
}

/** Tabs closed here, with the conversation's last activity at that time. */
export type ClosedTab = { readonly key: string; readonly activityAt: number }

export type TabLists = {
  readonly order: readonly string[]
  readonly closed: readonly ClosedTab[]
  /** Conversations with a draft but no messages. */
  readonly begun: readonly string[]
}

export type Listing = { readonly open: readonly Tab[]; readonly archived: readonly Tab[] }

export type Front = { readonly agent: string; readonly branch: string }

export function listingOf(rows: readonly FeedRow[], lists: TabLists, front: Front | undefined): Listing {
  const inFront = front && conversationOf(front)
  const known = rows.map(tabOf).filter(({ key, row }) => key === inFront || row?.ephemeral !== true)
  const shown = known.filter(({ key, row }) => !row?.archived && (key === inFront || !isClosed(lists.closed, key, row)))
  const begun = unspoken(rows, lists, front && conversationOf(front))
  return {
    open: inOrder([...begun, ...shown], lists.order),
    archived: known.filter(({ row }) => row?.archived === true),
  }
}

/** The one in front even if empty, and those with a draft. */
function unspoken(rows: readonly FeedRow[], { begun, closed }: TabLists, inFront: string | undefined): readonly Tab[] {
  const spoken = new Set(rows.map(conversationOf))
  const kept = begun.filter((key) => key !== inFront && !isClosed(closed, key, undefined))
  const keys = inFront === undefined ? kept : [inFront, ...kept]
  return keys.filter((key) => !spoken.has(key)).map((key) => ({ key, ...placeOf(key), row: undefined }))
}

/**
 * The list to store: adds the one in front when it has a draft but no messages; drops those that have messages by now.
 * Returns the same array when nothing changed.
 */
export function settledBegun(
  rows: readonly FeedRow[],
  begun: readonly string[],
  inFront: { readonly key: string; readonly isDrafted: boolean },
): readonly string[] {
  const spoken = new Set(rows.map(conversationOf))
  const rest = begun.filter((key) => !spoken.has(key))
  const isNew = inFront.isDrafted && !spoken.has(inFront.key) && !rest.includes(inFront.key)
  if (isNew) return [...rest, inFront.key].slice(-KEPT_BEGUN)
  return rest.length === begun.length ? begun : rest
}

/** Agent and branch names contain no slash. */
export function placeOf(key: string): Front {
  const [agent = firstAgent, branch = MAIN_BRANCH] = key.split("/")
  return { agent, branch }
}

/** Pinned first, then in the person's order; new tabs above the others, newest first. */
export function inOrder(tabs: readonly Tab[], order: readonly string[]): readonly Tab[] {
  const places = new Map(order.map((key, index) => [key, index]))
  const placeOf = (tab: Tab) => places.get(tab.key) ?? -1
  const movedAt = (tab: Tab) => tab.row?.activityAt ?? Number.POSITIVE_INFINITY
  return tabs.toSorted(
    (a, b) =>
      Number(isPinned(b)) - Number(isPinned(a)) || placeOf(a) - placeOf(b) || movedAt(b) - movedAt(a) || byKey(a, b),
  )
}

/** The order to store, so that new tabs stay where they appeared. Returns the same array when nothing changed. */
export function settledOrder(open: readonly Tab[], order: readonly string[]): readonly string[] {
  const known = new Set(order)
  if (open.every(({ key }) => known.has(key))) return order
  const listed = new Set(open.map(({ key }) => key))
  const others = order.filter((key) => !listed.has(key))
  return [...open.map(({ key }) => key), ...others].slice(0, KEPT_ORDER)
}

/** Moves a tab within the list. Pinned tabs stay above the others. */
export function movedTo(open: readonly Tab[], key: string, index: number): readonly string[] {
  const tab = open.find((one) => one.key === key)
  const keys = open.map((one) => one.key)
  if (tab === undefined) return keys
  const pinned = open.filter(isPinned).length
  const [first, last] = isPinned(tab) ? [0, pinned - 1] : [pinned, open.length - 1]
  const rest = keys.filter((one) => one !== key)
  return rest.toSpliced(Math.min(last, Math.max(first, index)), 0, key)
}

/** The index under the pointer, from the middle of each row. */
export function indexAt(y: number, middles: readonly number[]): number {
  return middles.filter((middle) => middle < y).length
}

export function withClosed(closed: readonly ClosedTab[], tab: Tab): readonly ClosedTab[] {
  const rest = closed.filter(({ key }) => key !== tab.key)
  return [...rest, { key: tab.key, activityAt: tab.row?.activityAt ?? 0 }].slice(-KEPT_CLOSED)
}

/** Closed by the person, with nothing unread since. */
export function isClosed(closed: readonly ClosedTab[], key: string, row: FeedRow | undefined): boolean {
  const since = closed.find((one) => one.key === key)
  if (since === undefined) return false
  return !(row !== undefined && row.activityAt > since.activityAt && (row.unread || needsYou(row)))
}

/** Its title; without one, agent and branch. */
export function titleOf({ agent, branch, row }: Pick<Tab, "agent" | "branch" | "row">): string {
  if (row !== undefined && row.title !== "") return row.title
  return branch === "main" ? agent : `${agent} · ${branch}`
}

/** Where to go when the tab in front is closed: the next one, or the previous. */
export function neighbor(open: readonly Tab[], key: string): Tab | undefined {
  const index = open.findIndex((tab) => tab.key === key)
  return open[index + 1] ?? open[index - 1]
}

export function isPinned(tab: Tab): boolean {
  return tab.row?.pinned === true
}

function tabOf(row: FeedRow): Tab {
  return { key: conversationOf(row), agent: row.agent, branch: row.branch, row }
}

function byKey(a: Tab, b: Tab): number {
  return a.key < b.key ? -1 : 1
}
