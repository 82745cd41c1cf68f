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
  Share2,
  ShieldCheck,
  Trash2,
} from "lucide-react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/pane.ts"
import type { MenuItem } from "../../ui/menuItem.ts"
import type { PageName } from "../place/place.ts"

export type HeaderActs = {
  readonly open: (page: PageName) => void
  readonly rename: () => void
  readonly aside: () => void
  /** On narrow screens, which have no separate buttons for them. */
  readonly branches: () => void
  readonly pin: (pinned: boolean) => void
  readonly archive: (archived: boolean) => void
  /** The tools that are always allowed. */
  readonly allowed: () => void
  readonly share: () => void
  readonly takeOut: () => void
  readonly remove: () => void
}

export type HeaderMarks = { readonly pinned: boolean; readonly archived: boolean; readonly isNarrow: boolean }

export function headerItems(acts: HeaderActs, { pinned, archived, isNarrow }: HeaderMarks): readonly MenuItem[] {
  const narrow: readonly MenuItem[] = [
    { label: "Files", icon: FileText, onChoose: () => acts.open("files") },
    { label: t("branches"), icon: GitBranch, onChoose: acts.branches },
  ]
  return [
    { label: t("rename"), icon: Pencil, keys: "F2", onChoose: acts.rename },
    { label: t("share"), icon: Share2, onChoose: acts.share },
    { label: t("newSideChat"), icon: MessageCircleQuestion, onChoose: acts.aside },
    "line",
    ...(isNarrow ? narrow : []),
    { label: t("attachments"), icon: Paperclip, onChoose: () => acts.open("attachments") },
    { label: t("chapters"), icon: BookOpen, onChoose: () => acts.open("chapters") },
    { label: t("find"), icon: Search, onChoose: () => acts.open("search") },
    { label: t("inspector"), icon: Microscope, onChoose: () => acts.open("inspect") },
    { label: t("memory"), icon: Brain, onChoose: () => acts.open("memory") },
    { label: t("triggers"), icon: CalendarClock, onChoose: () => acts.open("triggers") },
    { label: t("allowedTools"), icon: ShieldCheck, onChoose: acts.allowed },
    "line",
    { label: t("export"), icon: Download, onChoose: acts.takeOut },
    pinned
      ? { label: t("unpin"), icon: PinOff, onChoose: () => acts.pin(false) }
      : { label: t("pin"), icon: Pin, onChoose: () => acts.pin(true) },
    archived
      ? { label: t("unarchive"), icon: ArchiveRestore, onChoose: () => acts.archive(false) }
      : { label: t("archive"), icon: Archive, onChoose: () => acts.archive(true) },
    "line",
    { label: common("delete"), icon: Trash2, bad: true, onChoose: acts.remove },
  ]
}
