import { useShortcut } from "../keyboard/useShortcut.ts"
import { addressOf } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { isPinned, type Tab } from "../tab/tabList.ts"
import type { Tabs } from "../tab/useTabs.ts"

/** Global shortcuts for tabs. */
export function useTabKeys(tabs: Tabs): void {
  const { open, front } = tabs
  const index = open.findIndex(({ key }) => key === front)
  const current = open[index]
  const show = (tab: Tab | undefined) => tab && go(addressOf(tab.agent, tab.branch))
  useShortcut("previousTab", () => show(open[(index <= 0 ? open.length : index) - 1]))
  useShortcut("nextTab", () => show(open[(index + 1) % open.length]))
  useShortcut("numberedTab", (digit = 1) => show(open[digit - 1]))
  useShortcut("closeTab", () => current && tabs.close(current), current !== undefined)
  useShortcut("reopenTab", tabs.reopen, tabs.canReopen)
  useShortcut(
    "pin",
    () => current?.row && tabs.mark(current, { pinned: !isPinned(current) }),
    current?.row !== undefined,
  )
}
