/**
 * The conversations in the sidebar: which, in which order, and under which heading. All of it follows from the feed, so
 * every window and device shows the same; only unsent drafts are per browser. Pure.
 */
import { type FeedRow, MAIN_BRANCH } from "@parlor/protocol"
import { t } from "../../texts/en/tab.ts"
import { locale as pageLocale } from "../../texts/texts.ts"
import { conversationOf } from "../place/place.ts"
import { KEPT_BEGUN } from "./budgets.ts"

/** A tab. `row` is missing for a conversation without messages. */
export type Tab = {
  readonly key: string
  readonly agent: string
  readonly branch: string
  readonly row: FeedRow | undefined
}

export type TabLists = {
  /** Conversations with a draft but no messages. */
  readonly begun: readonly string[]
}

export type Listing = {
  /** Pinned first, then by last activity. */
  readonly open: readonly Tab[]
  readonly archived: readonly Tab[]
  /** Deleted, but it can still be undone; sidecars too, which go with their conversation. The latest first. */
  readonly leaving: readonly Tab[]
}

export type Front = { readonly agent: string; readonly branch: string }

export function listingOf(rows: readonly FeedRow[], lists: TabLists, front: Front | undefined): Listing {
  const inFront = front && conversationOf(front)
  const all = rows.map(tabOf)
  const known = all.filter(({ key, row }) => row?.deleteAt == null && (key === inFront || row?.ephemeral !== true))
  const shown = known.filter(({ row }) => !row?.archived && row !== undefined && isSpoken(row))
  return {
    open: inOrder([...unspoken(shown, lists), ...shown]),
    archived: known.filter(({ row }) => row?.archived === true),
    leaving: all.filter(({ row }) => row?.deleteAt != null).toSorted((a, b) => deletedAt(b) - deletedAt(a)),
  }
}

/** Rows from before `spoken` existed: an untitled one without a preview was never written in. */
export function isSpoken(row: FeedRow): boolean {
  return row.spoken ?? (row.title !== "" || row.preview !== "")
}

/** Conversations with a draft but no messages. */
function unspoken(shown: readonly Tab[], { begun }: TabLists): readonly Tab[] {
  const spoken = new Set(shown.map(({ key }) => key))
  return begun.filter((key) => !spoken.has(key)).map((key) => ({ key, ...placeOf(key), row: undefined }))
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
  const spoken = new Set(rows.filter(isSpoken).map(conversationOf))
  const rest = begun.filter((key) => !spoken.has(key))
  const isNew = inFront.isDrafted && !spoken.has(inFront.key) && !rest.includes(inFront.key)
  if (isNew) return [...rest, inFront.key].slice(-KEPT_BEGUN)
  return rest.length === begun.length ? begun : rest
}

/** Agent and branch names contain no slash. */
function placeOf(key: string): Front {
  const [agent = "", branch = MAIN_BRANCH] = key.split("/")
  return { agent, branch }
}

/** Pinned first, then by last activity, newest first; drafts are newer than anything said. */
export function inOrder(tabs: readonly Tab[]): readonly Tab[] {
  const movedAt = (tab: Tab) => tab.row?.activityAt ?? Number.MAX_SAFE_INTEGER
  return tabs.toSorted((a, b) => Number(isPinned(b)) - Number(isPinned(a)) || movedAt(b) - movedAt(a) || byKey(a, b))
}

export type TabGroup = { readonly name: string; readonly tabs: readonly Tab[] }

/** Under the headings people know from their mail: pinned, then by the day of the last activity. Keeps the order. */
export function groupsOf(tabs: readonly Tab[], now: number, locale?: string): readonly TabGroup[] {
  const groups: { readonly name: string; readonly tabs: Tab[] }[] = []
  for (const tab of tabs) {
    const name = isPinned(tab) ? t("pinned") : dayName(tab.row?.activityAt ?? now, now, locale)
    const last = groups.at(-1)
    if (last?.name === name) last.tabs.push(tab)
    else groups.push({ name, tabs: [tab] })
  }
  return groups
}

const DAY_MS = 24 * 60 * 60_000

function dayName(at: number, now: number, locale: string | undefined): string {
  const days = Math.round((midnight(now) - midnight(at)) / DAY_MS)
  if (days <= 0) return t("today")
  if (days === 1) return t("yesterday")
  if (days <= 7) return t("previous7Days")
  if (days <= 30) return t("previous30Days")
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return new Date(at).toLocaleDateString(
    locale ?? pageLocale(),
    sameYear ? { month: "long" } : { month: "long", year: "numeric" },
  )
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

/** How far apart the parts of one bulk deletion may be. */
const TOGETHER_MS = 3_000

/** Those that were deleted last, together: they are restored together. */
export function lastDeleted(leaving: readonly Tab[]): readonly Tab[] {
  const [last] = leaving
  return last === undefined ? [] : leaving.filter((tab) => deletedAt(tab) > deletedAt(last) - TOGETHER_MS)
}

/** Not a sidecar. */
export function isListed({ row }: Tab): boolean {
  return row?.ephemeral !== true
}

/** All labels in use, sorted. */
export function labelsOf(tabs: readonly Tab[], locale?: string): readonly string[] {
  const all = new Set(tabs.flatMap(({ row }) => row?.labels ?? []))
  return [...all].sort((a, b) => a.localeCompare(b, locale))
}

export function untitled(): string {
  return t("untitled")
}

export function titleOf({ row }: Pick<Tab, "row">): string {
  return row?.title || untitled()
}

/** In a sentence, where its row may not be known. */
export function calledOf(row: FeedRow | undefined): string {
  return row === undefined ? t("anotherConversation") : titleOf({ row })
}

export function isPinned(tab: Tab): boolean {
  return tab.row?.pinned === true
}

function deletedAt({ row }: Tab): number {
  return row?.deleteAt ?? 0
}

function tabOf(row: FeedRow): Tab {
  return { key: conversationOf(row), agent: row.agent, branch: row.branch, row }
}

function byKey(a: Tab, b: Tab): number {
  return a.key < b.key ? -1 : 1
}
