/** The items of the conversation menu. Pure: actions are passed in. */
import {
  Archive,
  ArchiveRestore,
  BookOpen,
  Brain,
  CalendarClock,
  Download,
  FileText,
  GitBranch,
  MessageCircleQuestion,
  Microscope,
  Paperclip,
  Pencil,
  Pin,
  PinOff,
  Search,
  Trash2,
} from "lucide-react"
import type { MenuItem } from "../../ui/Menu.tsx"
import type { PageName } from "../place/place.ts"

export type HeaderActs = {
  readonly open: (page: PageName) => void
  readonly rename: () => void
  readonly aside: () => void
  /** On narrow screens, which have no separate buttons for them. */
  readonly branches: () => void
  readonly pin: (pinned: boolean) => void
  readonly archive: (archived: boolean) => void
  readonly takeOut: () => void
  readonly remove: () => void
}

export type HeaderMarks = { readonly pinned: boolean; readonly archived: boolean; readonly isNarrow: boolean }

export function headerItems(acts: HeaderActs, { pinned, archived, isNarrow }: HeaderMarks): readonly MenuItem[] {
  const narrow: readonly MenuItem[] = [
    { label: "Files", icon: FileText, onChoose: () => acts.open("files") },
    { label: "Branches", icon: GitBranch, onChoose: acts.branches },
  ]
  return [
    { label: "Rename", icon: Pencil, keys: "F2", onChoose: acts.rename },
    { label: "New side chat", icon: MessageCircleQuestion, onChoose: acts.aside },
    "line",
    ...(isNarrow ? narrow : []),
    { label: "Attachments", icon: Paperclip, onChoose: () => acts.open("attachments") },
    { label: "Chapters", icon: BookOpen, onChoose: () => acts.open("chapters") },
    { label: "Find", icon: Search, onChoose: () => acts.open("search") },
    { label: "Inspector", icon: Microscope, onChoose: () => acts.open("inspect") },
    { label: "Memory", icon: Brain, onChoose: () => acts.open("memory") },
    { label: "Triggers", icon: CalendarClock, onChoose: () => acts.open("triggers") },
    "line",
    { label: "Export", icon: Download, onChoose: acts.takeOut },
    pinned
      ? { label: "Unpin", icon: PinOff, onChoose: () => acts.pin(false) }
      : { label: "Pin", icon: Pin, onChoose: () => acts.pin(true) },
    archived
      ? { label: "Unarchive", icon: ArchiveRestore, onChoose: () => acts.archive(false) }
      : { label: "Archive", icon: Archive, onChoose: () => acts.archive(true) },
    "line",
    { label: "Delete", icon: Trash2, bad: true, onChoose: acts.remove },
  ]
}
