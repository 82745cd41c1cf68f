import { ChevronRight, Undo2 } from "lucide-react"
import { type KeyboardEvent, useRef, useState } from "react"
import { cx } from "../../ui/cx.ts"
import { ariaKeysFor, keysFor } from "../keyboard/useShortcut.ts"
import { LISTED_TABS } from "../tab/budgets.ts"
import { useDesk, useResidents } from "../tab/DeskContext.ts"
import { labelOf, type TabState } from "../tab/residency.ts"
import type { Tab } from "../tab/tabList.ts"
import type { Tabs } from "../tab/useTabs.ts"
import { TabItem } from "./TabItem.tsx"
import { useMinute } from "./useMinute.ts"
import { useReorder } from "./useReorder.ts"

export type TabListProps = { readonly tabs: Tabs; readonly onChoose?: (() => void) | undefined }

/** The list of tabs. One Tab stop; arrow keys move between them. */
export function TabList({ tabs, onChoose }: TabListProps) {
  const desk = useDesk()
  const residents = useResidents()
  const now = useMinute()
  const list = useRef<HTMLUListElement>(null)
  const [stop, setStop] = useState<string>()
  const [isWhole, setWhole] = useState(false)
  const [showsArchived, setShowsArchived] = useState(false)
  const reorder = useReorder(tabs.open, list, tabs.move)
  const { front, archived } = tabs
  const listed = isWhole ? reorder.shown : reorder.shown.slice(0, LISTED_TABS)
  const stopAt = [stop, front].find((key) => listed.some((tab) => tab.key === key)) ?? listed[0]?.key
  const opensArchived = showsArchived || archived.some(({ key }) => key === front)
  const item = (tab: Tab, index: number | undefined) => (
    <TabItem
      key={tab.key}
      tab={tab}
      isFront={tab.key === front}
      state={stateOf(residents.tabs.get(tab.key), tab)}
      now={now}
      at={index === undefined ? undefined : { index, count: tabs.open.length }}
      acts={tabs}
      isStop={index === undefined || tab.key === stopAt}
      grip={index === undefined ? undefined : reorder.grip(tab)}
      isDragged={tab.key === reorder.dragged}
      onFocus={() => setStop(tab.key)}
      onIntent={({ agent, branch }) => desk.warm(agent, branch)}
      onChoose={onChoose}
    />
  )
  return (
    <>
      <ul ref={list} aria-label="Tabs" onKeyDown={stepWithArrows} className="space-y-0.5">
        {listed.map(item)}
      </ul>
      {listed.length < tabs.open.length && (
        <button type="button" onClick={() => setWhole(true)} className={QUIET}>
          Show all {tabs.open.length}
        </button>
      )}
      {tabs.canReopen && (
        <button type="button" onClick={tabs.reopen} aria-keyshortcuts={ariaKeysFor("reopenTab")} className={QUIET}>
          <Undo2 aria-hidden className="size-3.5" />
          Reopen closed tab
          <kbd className="ml-auto font-sans text-[0.6875rem] pointer-coarse:hidden">{keysFor("reopenTab")}</kbd>
        </button>
      )}
      {archived.length > 0 && (
        <section aria-label="Archived">
          <button
            type="button"
            aria-expanded={opensArchived}
            onClick={() => setShowsArchived(!opensArchived)}
            className={QUIET}
          >
            <ChevronRight aria-hidden className={cx("size-3.5 transition-transform", opensArchived && "rotate-90")} />
            Archived {archived.length}
          </button>
          {opensArchived && <ul className="space-y-0.5">{archived.map((tab) => item(tab, undefined))}</ul>}
        </section>
      )}
    </>
  )
}

const QUIET =
  "flex w-full items-center gap-2 rounded-lg px-2 py-1.5 text-muted text-xs transition-colors hover:bg-line/50 hover:text-ink pointer-coarse:py-2.5"

function stateOf(resident: Parameters<typeof labelOf>[0] | undefined, tab: Tab): TabState {
  if (resident !== undefined) return labelOf(resident)
  if (tab.row?.archived === true) return "archived"
  return tab.row?.pinned === true ? "pinned" : "discarded"
}

function stepWithArrows(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("a[href]")]
  const index = links.indexOf(event.target as HTMLElement)
  const next = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: links.length - 1 }[event.key]
  if (next === undefined || index === -1 || event.altKey) return
  event.preventDefault()
  links[Math.min(links.length - 1, Math.max(0, next))]?.focus()
}
