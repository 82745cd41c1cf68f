import type { AgentView } from "@parlor/protocol"
import { useShortcut } from "../keyboard/useShortcut.ts"
import { addressOf } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { useFeed } from "../tab/DeskContext.ts"
import { isPinned, type Tab } from "../tab/tabList.ts"
import type { Tabs } from "../tab/useTabs.ts"
import { newChatAddress } from "./NewChat.tsx"

/** Global shortcuts for conversations. */
export function useTabKeys(tabs: Tabs, agents: readonly AgentView[]): void {
  const { open, archived, front } = tabs
  const { rows } = useFeed()
  const index = open.findIndex(({ key }) => key === front)
  const current = [...open, ...archived].find(({ key, row }) => key === front && row !== undefined)
  const [first] = agents
  const show = (tab: Tab | undefined) => tab && go(addressOf(tab.agent, tab.branch))
  const isThere = current !== undefined
  const isArchived = current?.row?.archived === true
  useShortcut("newChat", () => first && go(newChatAddress(first.name, rows)), first !== undefined)
  useShortcut("previousTab", () => show(open[(index <= 0 ? open.length : index) - 1]), open.length > 0)
  useShortcut("nextTab", () => show(open[(index + 1) % open.length]), open.length > 0)
  useShortcut("numberedTab", (digit = 1) => show(open[digit - 1]))
  useShortcut("pin", () => current && tabs.mark(current, { pinned: !isPinned(current) }), isThere)
  useShortcut("archive", () => current && tabs.archive([current]), isThere && !isArchived)
  useShortcut("unarchive", () => current && tabs.mark(current, { archived: false }), isArchived)
  useShortcut("markUnread", () => current && tabs.mark(current, { read: false }), isThere)
  useShortcut("remove", () => current && tabs.remove([current]), isThere)
}
