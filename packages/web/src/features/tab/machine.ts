/**
 * The state machine of tabs: what each tab keeps in memory (`residency.ts`) and what each pane shows while a tab opens
 * (`opening.ts`). Pure; `desk.ts` feeds it events and runs its effects.
 *
 *   opened ──▶ skeleton, or data in memory ──snapshot──▶ snapshot ──news──▶ live ──painted──▶ active ──left──▶ recent …
 *
 * There are two panes, front and side. Only the tab in front affects residency. Every opening has its own number, the
 * activation; events for an outdated activation are ignored (TAB-3).
 */
import type { LiveConversation, LiveState } from "@parlor/client"
import { closed, type Held, type Opening, opening } from "./opening.ts"
import { nobody, type ResidencyEvent, type Residents, resided } from "./residency.ts"

export type Shown = Opening & {
  /** The stream of the conversation while the pane is open. */
  readonly live: LiveConversation | undefined
  readonly isFront: boolean
  /** Its newest messages were painted. */
  readonly isPainted: boolean
}

export type Tabs = {
  readonly residents: Residents
  readonly panes: ReadonlyMap<string, Shown>
  /** The number of the last opening in any pane. */
  readonly lastActivation: number
}

export type TabEvent =
  | Opened
  /** A snapshot from the browser. */
  | { readonly type: "snapshot"; readonly activation: number; readonly kept: Held }
  /** The conversation itself. */
  | { readonly type: "news"; readonly activation: number; readonly state: LiveState }
  | { readonly type: "painted"; readonly activation: number; readonly at: number }
  | Left
  | Exclude<ResidencyEvent, { type: "opened" | "painted" | "left" }>

type Opened = {
  readonly type: "opened"
  readonly pane: string
  readonly key: string
  readonly isFront: boolean
  readonly live: LiveConversation | undefined
  readonly at: number
}

/** `last` is what was last shown, if it was complete. */
type Left = {
  readonly type: "left"
  readonly activation: number
  readonly at: number
  readonly last: LiveState | undefined
}

export const noTabs: Tabs = { residents: nobody, panes: new Map(), lastActivation: 0 }

export const nothingShown: Shown = { ...closed, live: undefined, isFront: false, isPainted: false }

export function step(before: Tabs, event: TabEvent): Tabs {
  switch (event.type) {
    case "opened":
      return opened(before, event)
    case "snapshot":
      return shown(before, event.activation, (pane) => ({ ...pane, ...opening(pane, { ...event, type: "kept" }) }))
    case "news":
      return shown(before, event.activation, (pane) => ({ ...pane, ...opening(pane, event) }))
    case "painted":
      return painted(before, event)
    case "left":
      return left(before, event)
    default:
      return withResidents(before, resided(before.residents, event))
  }
}

/** The stream of the conversation in front, once its newest messages are painted. */
export function paintedFront({ panes, residents }: Tabs): LiveConversation | undefined {
  const front = [...panes.values()].find(({ activation }) => activation === residents.activation)
  return front?.isFront && front.isPainted ? front.live : undefined
}

function opened(before: Tabs, { pane, key, isFront, live, at }: Opened): Tabs {
  const activation = before.lastActivation + 1
  const held = before.residents.tabs.get(key)?.held
  const first = opening(before.panes.get(pane) ?? closed, { type: "opened", key, activation, held })
  return {
    residents: isFront ? resided(before.residents, { type: "opened", key, activation, at }) : before.residents,
    panes: new Map(before.panes).set(pane, { ...first, live, isFront, isPainted: false }),
    lastActivation: activation,
  }
}

function painted(before: Tabs, { activation, at }: Extract<TabEvent, { type: "painted" }>): Tabs {
  const now = shown(before, activation, (pane) => (pane.from === "live" ? { ...pane, isPainted: true } : pane))
  return now === before ? before : withResidents(now, resided(now.residents, { type: "painted", activation, at }))
}

/** A closed pane shows nothing and keeps nothing; its tab may stay in memory, within the budget. */
function left(before: Tabs, { activation, at, last }: Left): Tabs {
  const panes = new Map([...before.panes].filter(([, pane]) => pane.activation !== activation))
  const now = panes.size === before.panes.size ? before : { ...before, panes }
  const held = last && { state: last, asOf: at }
  return withResidents(now, resided(now.residents, { type: "left", activation, at, held }))
}

function shown(before: Tabs, activation: number, to: (pane: Shown) => Shown): Tabs {
  const found = [...before.panes].find(([, pane]) => pane.activation === activation)
  if (found === undefined) return before
  const [name, pane] = found
  const next = to(pane)
  return isSame(pane, next) ? before : { ...before, panes: new Map(before.panes).set(name, next) }
}

function isSame(pane: Shown, next: Shown): boolean {
  return (Object.keys(next) as readonly (keyof Shown)[]).every((name) => Object.is(pane[name], next[name]))
}

function withResidents(before: Tabs, residents: Residents): Tabs {
  return residents === before.residents ? before : { ...before, residents }
}
