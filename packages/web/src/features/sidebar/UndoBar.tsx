import { X } from "lucide-react"
import { useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/sidebar.ts"
import { Button } from "../../ui/Button.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { isListed, type Tab, titleOf } from "../tab/tabList.ts"
import { type Tabs, undoOf } from "../tab/useTabs.ts"

export type UndoBarProps = {
  readonly tabs: Pick<Tabs, "leaving" | "undoable" | "restore" | "undoArchive" | "dismissUndo">
}

/** What was just deleted or archived, with a button to undo it. A deletion can be undone on every device (ADR-10). */
export function UndoBar({ tabs }: UndoBarProps) {
  const [dismissed, setDismissed] = useState("")
  const undo = undoOf(tabs)
  const keys = undo?.tabs.map(({ key }) => key).join(" ") ?? ""
  const isShown = undo !== undefined && (undo.kind === "archived" || keys !== dismissed)
  return (
    <div
      role="status"
      className="pointer-events-none fixed bottom-4 left-4 z-40 max-w-[calc(100vw-2rem)] max-md:inset-x-4 max-md:bottom-28"
    >
      {isShown && (
        <div className="pointer-events-auto flex animate-arrive items-center gap-3 rounded-xl border border-line bg-raised py-2 pr-2 pl-3.5 text-sm shadow-float">
          <p className="min-w-0 truncate">{undoWords(undo.kind, undo.tabs)}</p>
          <Button onClick={() => (undo.kind === "archived" ? tabs.undoArchive() : tabs.restore(undo.tabs))}>
            {common("undo")}
          </Button>
          <IconButton
            label={t("dismiss")}
            onClick={() => (undo.kind === "archived" ? tabs.dismissUndo() : setDismissed(keys))}
          >
            <X aria-hidden className="size-4" />
          </IconButton>
        </div>
      )}
    </div>
  )
}

function undoWords(kind: "archived" | "deleted", tabs: readonly Tab[]): string {
  const listed = tabs.filter(isListed)
  const [first = tabs[0], ...more] = listed
  if (first === undefined) return ""
  if (more.length === 0) return t(kind === "archived" ? "titleArchived" : "titleDeleted", { title: titleOf(first) })
  return t(kind === "archived" ? "severalArchived" : "severalDeleted", { count: listed.length })
}
