import { Archive, Trash2, X } from "lucide-react"
import { t } from "../../texts/en/sidebar.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import type { Tab } from "../tab/tabList.ts"
import type { Tabs } from "../tab/useTabs.ts"

export type SelectedBarProps = {
  readonly tabs: readonly Tab[]
  readonly acts: Pick<Tabs, "archive" | "remove">
  readonly onDone: () => void
}

/** What can be done with the selected conversations. */
export function SelectedBar({ tabs, acts, onDone }: SelectedBarProps) {
  const act = (work: (tabs: readonly Tab[]) => void) => () => {
    work(tabs)
    onDone()
  }
  return (
    <div
      role="toolbar"
      aria-label={t("selectedConversations")}
      className="sticky bottom-0 mt-3 flex items-center gap-1 rounded-xl border border-line bg-raised py-1.5 pr-1.5 pl-3 text-sm shadow-float"
    >
      <p role="status" className="mr-auto">
        {t("lengthSelected", { length: tabs.length })}
      </p>
      <IconButton label={t("archiveSelected")} disabled={tabs.length === 0} onClick={act(acts.archive)}>
        <Archive aria-hidden className="size-4" />
      </IconButton>
      <IconButton label={t("deleteSelected")} disabled={tabs.length === 0} onClick={act(acts.remove)}>
        <Trash2 aria-hidden className="size-4 text-bad" />
      </IconButton>
      <IconButton label={t("cancelSelection")} onClick={onDone}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  )
}
