import { type KeyboardEvent, lazy, Suspense, useMemo, useState } from "react"
import { t } from "../../texts/en/sidebar.ts"
import type { Place } from "../place/place.ts"
import { useDesk, useResidents } from "../tab/DeskContext.ts"
import { labelOf, type TabState } from "../tab/residency.ts"
import { groupsOf, labelsOf, type Tab } from "../tab/tabList.ts"
import type { Tabs } from "../tab/useTabs.ts"
import { ArchivedTabs } from "./ArchivedTabs.tsx"
import { firstOf, QUIET_BUTTON } from "./firstTabs.ts"
import { LabelFilter } from "./LabelFilter.tsx"
import { SelectedBar } from "./SelectedBar.tsx"
import { SelectItem } from "./SelectItem.tsx"
import { TabItem } from "./TabItem.tsx"
import { useMinute } from "./useMinute.ts"

const LabelsDialog = lazy(() => import("./LabelsDialog.tsx").then((m) => ({ default: m.LabelsDialog })))

export type TabListProps = {
  readonly tabs: Tabs
  readonly defaultAgent: string
  readonly page: Place["page"]
  readonly onChoose?: (() => void) | undefined
}

/** The conversations, by day. One Tab stop; arrow keys move between them. */
export function TabList({ tabs, defaultAgent, page, onChoose }: TabListProps) {
  const desk = useDesk()
  const residents = useResidents()
  const now = useMinute()
  const [stop, setStop] = useState<string>()
  const [isWhole, setWhole] = useState(false)
  const [label, setLabel] = useState<string>()
  const [labeling, setLabeling] = useState<Tab>()
  const [selected, setSelected] = useState<ReadonlySet<string>>()
  const { front, archived } = tabs
  const labels = useMemo(() => labelsOf(tabs.open), [tabs.open])
  const wanted = labels.find((one) => one === label)
  const matching = wanted === undefined ? tabs.open : tabs.open.filter(({ row }) => row?.labels.includes(wanted))
  const listed = isWhole ? matching : firstOf(matching, front)
  const stopAt = [stop, front].find((key) => listed.some((tab) => tab.key === key)) ?? listed[0]?.key
  // These pages belong to all conversations, and have their own link.
  const isElsewhere = page === "memory" || page === "triggers" || page === "account" || page === "shared"
  const toggle = (key: string) =>
    setSelected((before = new Set()) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  const item = (tab: Tab) =>
    selected !== undefined && tab.row !== undefined ? (
      <SelectItem key={tab.key} tab={tab} isChecked={selected.has(tab.key)} onToggle={() => toggle(tab.key)} />
    ) : (
      <TabItem
        key={tab.key}
        tab={tab}
        isFront={tab.key === front && !isElsewhere}
        state={stateOf(residents.tabs.get(tab.key), tab)}
        defaultAgent={defaultAgent}
        acts={{ ...tabs, label: () => setLabeling(tab), select: () => setSelected(new Set([tab.key])) }}
        isStop={tab.row?.archived === true || tab.key === stopAt}
        onFocus={() => setStop(tab.key)}
        onIntent={({ agent, branch }) => desk.warm(agent, branch)}
        onChoose={onChoose}
      />
    )
  return (
    <>
      {labels.length > 0 && <LabelFilter labels={labels} chosen={wanted} onChoose={setLabel} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the links inside. */}
      <div data-tabs onKeyDown={stepWithArrows}>
        {groupsOf(listed, now).map(({ name, tabs: some }) => (
          <section key={name} aria-label={name}>
            <h2 className="px-2 pt-4 pb-1 font-medium text-muted text-xs">{name}</h2>
            <ul className="space-y-px">{some.map(item)}</ul>
          </section>
        ))}
      </div>
      {tabs.open.length === 0 && <p className="px-2 py-4 text-muted text-sm">{t("yourConversationsWillBeListed")}</p>}
      {listed.length < matching.length && (
        <button type="button" onClick={() => setWhole(true)} className={QUIET_BUTTON}>
          {t("showAllLength", { length: matching.length })}
        </button>
      )}
      {archived.length > 0 && <ArchivedTabs tabs={archived} front={front} item={item} />}
      {selected !== undefined && (
        <SelectedBar
          tabs={[...tabs.open, ...archived].filter(({ key }) => selected.has(key))}
          acts={tabs}
          onDone={() => setSelected(undefined)}
        />
      )}
      {labeling !== undefined && (
        <Suspense>
          <LabelsDialog
            tab={labeling}
            known={labels}
            onSave={(next) => tabs.mark(labeling, { labels: [...next] })}
            onClose={() => setLabeling(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

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
