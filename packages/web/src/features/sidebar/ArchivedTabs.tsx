import { ChevronRight } from "lucide-react"
import { type ReactNode, useState } from "react"
import { t } from "../../texts/en/sidebar.ts"
import { cx } from "../../ui/cx.ts"
import type { Tab } from "../tab/tabList.ts"
import { firstOf, QUIET_BUTTON } from "./firstTabs.ts"

export type ArchivedTabsProps = {
  readonly tabs: readonly Tab[]
  readonly front: string
  readonly item: (tab: Tab) => ReactNode
}

/** The archived conversations, closed unless one of them is in front (TAB-46). */
export function ArchivedTabs({ tabs, front, item }: ArchivedTabsProps) {
  const [isAsked, setAsked] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const isOpen = isAsked || tabs.some(({ key }) => key === front)
  const listed = isWhole ? tabs : firstOf(tabs, front)
  return (
    <section aria-label={t("archived")} className="mt-3">
      <button type="button" aria-expanded={isOpen} onClick={() => setAsked(!isOpen)} className={QUIET_BUTTON}>
        <ChevronRight aria-hidden className={cx("size-3.5 transition-transform", isOpen && "rotate-90")} />
        {t("archived")} {tabs.length}
      </button>
      {isOpen && <ul className="space-y-px">{listed.map(item)}</ul>}
      {isOpen && listed.length < tabs.length && (
        <button type="button" onClick={() => setWhole(true)} className={QUIET_BUTTON}>
          {t("showAllLength", { length: tabs.length })}
        </button>
      )}
    </section>
  )
}
