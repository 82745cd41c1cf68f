import type { LiveState } from "@parlor/client"
import { useSyncExternalStore } from "react"
import { t } from "../../texts/en/sidebar.ts"
import { cx } from "../../ui/cx.ts"
import { previews } from "../files/previews.ts"
import { usePaintedFront, useResidents } from "../tab/DeskContext.ts"
import { mounted } from "../tab/mounted.ts"
import { labelOf } from "../tab/residency.ts"
import { type Counter, countersOf, counterWords } from "./usage.ts"

const never = () => () => undefined
const nothing = () => undefined

/** Memory use compared with the budgets (TAB-5). */
export function MemoryUse({ openTabs }: { readonly openTabs: number }) {
  const residents = useResidents()
  const timelineItems = useSyncExternalStore(mounted.subscribe, mounted.get)
  const filePreviewBytes = useSyncExternalStore(previews.subscribe, previews.bytes)
  const live = usePaintedFront()
  const state = useSyncExternalStore<LiveState | undefined>(live?.subscribe ?? never, live?.getState ?? nothing)
  const messageLists = document.querySelectorAll("main [role=log]").length
  const reported = { messageLists, timelineItems, filePreviewBytes }
  const counters = countersOf(openTabs, residents, reported, state?.messages ?? [])
  return (
    <section aria-label={t("memoryUse")}>
      <h3 className="mb-2 font-medium">{t("memoryUse")}</h3>
      <CounterTable counters={counters} />
      <p className="mt-3 text-muted text-xs">{t("statesAnythingElseIsLoaded", { states: statesOf(residents) })}</p>
    </section>
  )
}

export function CounterTable({ counters }: { readonly counters: readonly Counter[] }) {
  return (
    <dl className="space-y-1">
      {counters.map((counter) => (
        <div key={counter.name} data-counter={counter.name} className="flex gap-3">
          <dt className="flex-1 text-muted">{counter.label}</dt>
          <dd className={cx("tabular-nums", isOver(counter) && "font-semibold text-warn")}>{counterWords(counter)}</dd>
        </div>
      ))}
    </dl>
  )
}

function isOver({ value, most }: Counter): boolean {
  return most !== undefined && value > most
}

/** Such as: 1 active, 3 recent, 2 suspended. */
function statesOf(residents: ReturnType<typeof useResidents>): string {
  const counts = new Map<string, number>()
  for (const tab of residents.tabs.values()) counts.set(labelOf(tab), (counts.get(labelOf(tab)) ?? 0) + 1)
  const words = [...counts].map(([state, count]) => `${count} ${state}`)
  return words.length === 0 ? "" : t("tabsValue", { value: words.join(", ") })
}
