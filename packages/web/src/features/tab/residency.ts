/**
 * How much of each tab is in memory (TAB-1, TAB-5, TAB-14 to TAB-18). Pure, part of the state machine in `machine.ts`.
 *
 *                  ┌──────────── opened ────────────┬──────────────────────┐
 *                  ▼                                │                      │
 *   (listed) ─▶ restoring ──painted──▶ active ──left──▶ recent ──idle,──▶ suspended ──pressure,──▶ discarded
 *                  │                                         over budget     ▲    too many kept       │
 *                  └──left: what it was before───────────────────────────────┴───loaded ahead─────────┘
 *
 * - active     in front, and painted
 * - restoring  in front, its newest messages not yet painted
 * - recent     left recently: its messages are in memory
 * - suspended  a bounded snapshot of it is in the browser
 * - discarded  only its address and its last summary are kept
 *
 * Never: two tabs active or restoring; more than `hydratedTabs` in memory, including the one in front; a pinned tab that
 * becomes discarded; more than `backgroundRestores` preloading at once. Pinned and archived are set by the person and are
 * independent of these states. `activation` identifies one opening: events of another one are ignored (TAB-3).
 */
import { unreachable } from "@parlor/protocol"
import { budgets, IDLE_MS, KEPT_SNAPSHOTS } from "./budgets.ts"
import type { Held } from "./opening.ts"

export type Residency = "active" | "recent" | "suspended" | "discarded" | "restoring"
export type TabState = Residency | "pinned" | "archived"

export type Resident = {
  readonly residency: Residency
  /** The state to return to if the tab is left before it was painted. */
  readonly before: "recent" | "suspended" | "discarded"
  readonly pinned: boolean
  readonly archived: boolean
  /** When it was last in front. */
  readonly usedAt: number
  /** Its messages as last seen. Only a tab that is hydrated has them. */
  readonly held?: Held | undefined
}

export type Residents = {
  readonly tabs: ReadonlyMap<string, Resident>
  readonly front: string | undefined
  readonly activation: number
  /** Tabs being preloaded. */
  readonly warming: ReadonlySet<string>
}

type Listed = { readonly key: string; readonly pinned: boolean; readonly archived: boolean }

export type ResidencyEvent =
  /** The conversations in the feed; those in `kept` have a snapshot in the browser. */
  | { readonly type: "listed"; readonly rows: readonly Listed[]; readonly kept?: ReadonlySet<string> }
  | { readonly type: "opened"; readonly key: string; readonly activation: number; readonly at: number }
  | { readonly type: "painted"; readonly activation: number; readonly at: number }
  | { readonly type: "left"; readonly activation: number; readonly at: number; readonly held?: Held | undefined }
  | { readonly type: "ticked"; readonly at: number }
  /** No message content may stay in memory. */
  | { readonly type: "forgotten" }
  /** The browser is low on memory. */
  | { readonly type: "pressed" }
  | { readonly type: "warming"; readonly key: string }
  | { readonly type: "warmed"; readonly key: string; readonly kept: boolean }

export const nobody: Residents = { tabs: new Map(), front: undefined, activation: 0, warming: new Set() }

export function resided(before: Residents, event: ResidencyEvent): Residents {
  return withinBudget(stepped(before, event))
}

/** The state name of a tab (TAB-1, TAB-18). */
export function labelOf({ archived, pinned, residency }: Resident): TabState {
  if (archived) return "archived"
  if (residency === "restoring" || residency === "active") return residency
  return pinned ? "pinned" : residency
}

export function isHydrated({ residency }: Resident): boolean {
  return residency === "active" || residency === "restoring" || residency === "recent"
}

export function mayWarm({ tabs, front, warming }: Residents, key: string): boolean {
  const tab = tabs.get(key)
  if (tab === undefined || key === front || isHydrated(tab)) return false
  return !warming.has(key) && warming.size < budgets.backgroundRestores
}

function stepped(before: Residents, event: ResidencyEvent): Residents {
  switch (event.type) {
    case "listed":
      return listed(before, event)
    case "opened":
      return opened(before, event)
    case "painted":
      if (event.activation !== before.activation || before.front === undefined) return before
      return change(before, before.front, (tab) => ({ ...tab, residency: "active", usedAt: event.at }))
    case "left":
      return event.activation === before.activation ? aside(before, event.at, event.held) : before
    case "ticked":
      return each(before, (tab) => (isIdle(tab, event.at) ? { ...tab, residency: "suspended" } : tab))
    case "forgotten":
      return each(before, dehydrated)
    case "pressed":
      return each(before, pressed)
    case "warming":
      return mayWarm(before, event.key) ? { ...before, warming: new Set(before.warming).add(event.key) } : before
    case "warmed":
      return warmed(before, event.key, event.kept)
    default:
      return unreachable(event)
  }
}

/** Tabs that are no longer listed are forgotten, except the one in front, which may not be listed yet. */
function listed(before: Residents, { rows, kept }: Extract<ResidencyEvent, { type: "listed" }>): Residents {
  const tabs = new Map(
    rows.map((row) => [row.key, settled(marked(before.tabs.get(row.key), row, kept?.has(row.key) === true))]),
  )
  const front = before.front === undefined ? undefined : before.tabs.get(before.front)
  if (before.front !== undefined && front !== undefined && !tabs.has(before.front)) tabs.set(before.front, front)
  if (tabs.size === before.tabs.size && isSame(tabs, before.tabs)) return before
  return { ...before, tabs, warming: new Set([...before.warming].filter((key) => tabs.has(key))) }
}

function marked(known: Resident | undefined, { pinned, archived }: Listed, kept: boolean): Resident {
  if (known === undefined) return fresh({ pinned, archived }, kept)
  const isLoose = archived && known.residency === "recent"
  const isFound = kept && known.residency === "discarded"
  const residency = isLoose || isFound ? "suspended" : known.residency
  if (known.pinned === pinned && known.archived === archived && known.residency === residency) return known
  return { ...known, pinned, archived, residency }
}

function opened(before: Residents, event: Extract<ResidencyEvent, { type: "opened" }>): Residents {
  if (event.activation <= before.activation) return before
  const left = aside(before, event.at)
  const known = left.tabs.get(event.key) ?? fresh({ pinned: false, archived: false }, false)
  const held = known.residency === "recent" || known.residency === "suspended" ? known.residency : "discarded"
  const tab: Resident = { ...known, residency: "restoring", before: held, usedAt: event.at }
  const warming = without(left.warming, event.key)
  return { ...place(left, event.key, tab), front: event.key, activation: event.activation, warming }
}

/** Nothing is in front. */
function aside(before: Residents, at: number, held?: Held): Residents {
  if (before.front === undefined) return before
  const left = change(before, before.front, (tab) => ({
    ...tab,
    ...(held && { held }),
    residency: tab.residency === "active" ? (tab.archived ? "suspended" : "recent") : tab.before,
    usedAt: at,
  }))
  return { ...left, front: undefined }
}

function warmed(before: Residents, key: string, kept: boolean): Residents {
  if (!before.warming.has(key)) return before
  const done = { ...before, warming: without(before.warming, key) }
  if (!kept || before.tabs.get(key)?.residency !== "discarded") return done
  return change(done, key, (tab) => ({ ...tab, residency: "suspended" }))
}

function pressed(tab: Resident): Resident {
  if (tab.residency === "recent") return { ...tab, residency: "suspended" }
  return tab.residency === "suspended" && !tab.pinned ? { ...tab, residency: "discarded" } : tab
}

function isIdle(tab: Resident, at: number): boolean {
  return tab.residency === "recent" && at - tab.usedAt >= IDLE_MS
}

/** Evicts unpinned, least recently used tabs first, from memory and from the browser. */
function withinBudget(state: Residents): Residents {
  const hydrated = [...state.tabs.values()].filter(isHydrated).length
  const tight = demote(state, "recent", "suspended", hydrated - budgets.hydratedTabs)
  const kept = [...tight.tabs.values()].filter((tab) => tab.residency === "suspended" && !tab.pinned).length
  return demote(tight, "suspended", "discarded", kept - KEPT_SNAPSHOTS)
}

function demote(state: Residents, from: Residency, to: "suspended" | "discarded", count: number): Residents {
  if (count <= 0) return state
  const victims = [...state.tabs]
    .filter(([, tab]) => tab.residency === from && !(to === "discarded" && tab.pinned))
    .sort(([, a], [, b]) => Number(a.pinned) - Number(b.pinned) || a.usedAt - b.usedAt)
    .slice(0, count)
  return victims.reduce((now, [key]) => change(now, key, (tab) => ({ ...tab, residency: to })), state)
}

function fresh(marks: Pick<Resident, "pinned" | "archived">, kept: boolean): Resident {
  const residency = kept ? "suspended" : "discarded"
  return { ...marks, residency, before: residency, usedAt: 0 }
}

function change(state: Residents, key: string, to: (tab: Resident) => Resident): Residents {
  const tab = state.tabs.get(key)
  return tab === undefined ? state : place(state, key, to(tab))
}

function place(state: Residents, key: string, tab: Resident): Residents {
  return { ...state, tabs: new Map(state.tabs).set(key, settled(tab)) }
}

/** Without its messages, unless it is hydrated. */
function settled(tab: Resident): Resident {
  return isHydrated(tab) ? tab : dehydrated(tab)
}

function dehydrated(tab: Resident): Resident {
  return tab.held === undefined ? tab : { ...tab, held: undefined }
}

function each(state: Residents, to: (tab: Resident) => Resident): Residents {
  const tabs = new Map([...state.tabs].map(([key, tab]) => [key, settled(to(tab))]))
  return isSame(tabs, state.tabs) ? state : { ...state, tabs }
}

function isSame(some: Residents["tabs"], others: Residents["tabs"]): boolean {
  return [...some].every(([key, tab]) => others.get(key) === tab)
}

function without(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  if (!keys.has(key)) return keys
  const rest = new Set(keys)
  rest.delete(key)
  return rest
}
