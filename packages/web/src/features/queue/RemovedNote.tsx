import { X } from "lucide-react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/queue.ts"
import { IconButton } from "../../ui/IconButton.tsx"

export type RemovedNoteProps = {
  readonly text: string
  /** Puts it back where it was. */
  readonly onUndo: () => void
  readonly onDismiss: () => void
}

/** The last removed message, with undo. */
export function RemovedNote({ text, onUndo, onDismiss }: RemovedNoteProps) {
  return (
    <div role="status" className="flex animate-arrive items-center gap-2 px-2.5 text-muted text-xs">
      <span className="min-w-0 truncate">{t("removedText", { text })}</span>
      <button
        type="button"
        onClick={onUndo}
        className="ml-auto shrink-0 rounded-sm px-1 font-medium text-accent hover:underline pointer-coarse:min-h-10"
      >
        {common("undo")}
      </button>
      <IconButton label={t("dismiss")} onClick={onDismiss}>
        <X aria-hidden className="size-3.5" />
      </IconButton>
    </div>
  )
}
