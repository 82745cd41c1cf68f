/** The items of a conversation's menu in the sidebar. Pure: actions are passed in. */
import { Archive, ArchiveRestore, Mail, MailOpen, Pencil, Pin, PinOff, SquareCheck, Tag, Trash2 } from "lucide-react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/sidebar.ts"
import type { MenuItem } from "../../ui/menuItem.ts"
import { isPinned, type Tab } from "../tab/tabList.ts"
import type { Tabs } from "../tab/useTabs.ts"

export type TabActs = Pick<Tabs, "mark" | "archive" | "remove"> & {
  readonly rename: () => void
  readonly label: () => void
  readonly select: () => void
}

/** None for a draft, which is not on the server yet. */
export function tabItems(tab: Tab, acts: TabActs): readonly MenuItem[] {
  const { row } = tab
  if (row === undefined) return []
  const { mark } = acts
  return [
    { label: t("rename"), icon: Pencil, keys: "F2", onChoose: acts.rename },
    isPinned(tab)
      ? { label: t("unpin"), icon: PinOff, onChoose: () => mark(tab, { pinned: false }) }
      : { label: t("pin"), icon: Pin, onChoose: () => mark(tab, { pinned: true }) },
    { label: t("labels2"), icon: Tag, onChoose: acts.label },
    row.unread
      ? { label: t("markAsRead"), icon: MailOpen, onChoose: () => mark(tab, { read: true }) }
      : { label: t("markAsUnread"), icon: Mail, onChoose: () => mark(tab, { read: false }) },
    { label: t("select"), icon: SquareCheck, onChoose: acts.select },
    "line",
    row.archived
      ? { label: t("unarchive"), icon: ArchiveRestore, onChoose: () => mark(tab, { archived: false }) }
      : { label: t("archive"), icon: Archive, onChoose: () => acts.archive([tab]) },
    { label: common("delete"), icon: Trash2, keys: "Del", bad: true, onChoose: () => acts.remove([tab]) },
  ]
}
