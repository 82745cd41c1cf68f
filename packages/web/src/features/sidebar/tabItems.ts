/** The items of a tab's menu. Pure: actions are passed in. */
import { Archive, ArchiveRestore, ArrowDown, ArrowUp, Mail, MailOpen, Pencil, Pin, PinOff, X } from "lucide-react"
import type { MenuItem } from "../../ui/Menu.tsx"
import { isPinned, type Tab } from "../tab/tabList.ts"
import type { Tabs } from "../tab/useTabs.ts"

export type TabPlace = { readonly index: number; readonly count: number }

/** `at` is its position in the list; undefined for archived tabs. */
export function tabItems(
  tab: Tab,
  at: TabPlace | undefined,
  { mark, move, close }: Pick<Tabs, "mark" | "move" | "close">,
  onRename: () => void,
): readonly MenuItem[] {
  const { row } = tab
  const marks: readonly MenuItem[] =
    row === undefined
      ? []
      : [
          isPinned(tab)
            ? { label: "Unpin", icon: PinOff, onChoose: () => mark(tab, { pinned: false }) }
            : { label: "Pin", icon: Pin, onChoose: () => mark(tab, { pinned: true }) },
          { label: "Rename", icon: Pencil, keys: "F2", onChoose: onRename },
          row.unread
            ? { label: "Mark as read", icon: MailOpen, onChoose: () => mark(tab, { read: true }) }
            : { label: "Mark as unread", icon: Mail, onChoose: () => mark(tab, { read: false }) },
          row.archived
            ? { label: "Unarchive", icon: ArchiveRestore, onChoose: () => mark(tab, { archived: false }) }
            : { label: "Archive", icon: Archive, onChoose: () => mark(tab, { archived: true }) },
        ]
  if (at === undefined) return marks
  const places: readonly MenuItem[] = [
    {
      label: "Move up",
      icon: ArrowUp,
      keys: "Alt+↑",
      disabled: at.index === 0,
      onChoose: () => move(tab, at.index - 1),
    },
    {
      label: "Move down",
      icon: ArrowDown,
      keys: "Alt+↓",
      disabled: at.index === at.count - 1,
      onChoose: () => move(tab, at.index + 1),
    },
    "line",
    { label: "Close tab", icon: X, keys: "Del", onChoose: () => close(tab) },
  ]
  return marks.length === 0 ? places : [...marks, "line", ...places]
}
