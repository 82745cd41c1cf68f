import { limits } from "@parlor/protocol"
import { X } from "lucide-react"
import { type FormEvent, useId, useState } from "react"
import { t } from "../../texts/en/sidebar.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { type Tab, titleOf } from "../tab/tabList.ts"

export type LabelsDialogProps = {
  readonly tab: Tab
  /** Labels of other conversations, offered while typing. */
  readonly known: readonly string[]
  readonly onSave: (labels: readonly string[]) => void
  readonly onClose: () => void
}

/** Adds and removes the labels of a conversation. Each change is saved at once. */
export function LabelsDialog({ tab, known, onSave, onClose }: LabelsDialogProps) {
  const [labels, setLabels] = useState(tab.row?.labels ?? [])
  const [text, setText] = useState("")
  const list = useId()
  const change = (next: readonly string[]) => {
    setLabels([...next])
    onSave(next)
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    const label = text.trim()
    if (label === "" || labels.length >= limits.labels) return
    setText("")
    if (!labels.includes(label)) change([...labels, label])
  }
  return (
    <Dialog
      title={t("labelsOfTitle", { title: titleOf(tab) })}
      isOpen
      onClose={onClose}
      className="w-[min(26rem,94vw)]"
    >
      <form onSubmit={add} className="space-y-4 text-sm">
        {labels.length > 0 && (
          <ul aria-label={t("labels")} className="flex flex-wrap gap-1.5">
            {labels.map((label) => (
              <li key={label} className="flex max-w-full items-center rounded-full bg-tint pl-3 text-accent">
                <span className="min-w-0 truncate">{label}</span>
                <IconButton
                  label={t("removeLabel", { label })}
                  onClick={() => change(labels.filter((one) => one !== label))}
                >
                  <X aria-hidden className="size-3.5" />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
        <div className="flex gap-2">
          <input
            data-autofocus
            aria-label={t("newLabel")}
            placeholder={t("newLabel")}
            list={list}
            value={text}
            maxLength={limits.labelLength}
            disabled={labels.length >= limits.labels}
            onChange={(event) => setText(event.target.value)}
            className="min-w-0 flex-1 rounded-lg border border-line-strong bg-raised px-3 py-1.5 outline-none focus:border-accent"
          />
          <datalist id={list}>
            {known
              .filter((label) => !labels.includes(label))
              .map((label) => (
                <option key={label} value={label} />
              ))}
          </datalist>
          <Button type="submit" disabled={text.trim() === "" || labels.length >= limits.labels}>
            {t("add")}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
