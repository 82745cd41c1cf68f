import type { MemoryLine } from "@parlor/protocol"
import { ChevronRight, Pencil, Pin, PinOff, Trash2 } from "lucide-react"
import { useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/memory.ts"
import { dayText } from "../../texts/format.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { LazyMarkdown } from "../markdown/LazyMarkdown.tsx"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { type Draft, originWords } from "./memoryView.ts"

export type MemoryItemProps = {
  readonly memory: MemoryLine
  /** Expanded and scrolled into view at once. */
  readonly isOpened?: boolean
  readonly read: (line: MemoryLine) => Promise<Draft>
  readonly onEdit: (line: MemoryLine) => void
  readonly onPin: (line: MemoryLine) => void
  readonly onDelete: (line: MemoryLine) => void
}

/** One memory: its description, its text when expanded, and its actions. Deleting asks first. */
export function MemoryItem({ memory, isOpened = false, read, onEdit, onPin, onDelete }: MemoryItemProps) {
  const [asking, setAsking] = useState(false)
  return (
    <li className="rounded-xl border border-line bg-raised px-3.5 py-2.5">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="break-words">{memory.description}</p>
          <p className="mt-0.5 break-words text-muted text-xs">
            <code>{memory.name}</code> · {memory.type}
            {memory.pinned && ` · ${t("isPinned")}`} · {originWords(memory)},{" "}
            <time dateTime={new Date(memory.updatedAt).toISOString()}>{dayText(memory.updatedAt)}</time>
          </p>
        </div>
        <IconButton
          label={
            memory.pinned ? t("unpinName", { name: memory.name }) : t("pinNameAgentsReadIt", { name: memory.name })
          }
          aria-pressed={memory.pinned}
          onClick={() => onPin(memory)}
        >
          {memory.pinned ? <PinOff className="size-3.5" /> : <Pin className="size-3.5" />}
        </IconButton>
        <IconButton label={t("editName", { name: memory.name })} onClick={() => onEdit(memory)}>
          <Pencil className="size-3.5" />
        </IconButton>
        <IconButton label={t("deleteName", { name: memory.name })} onClick={() => setAsking(true)}>
          <Trash2 className="size-3.5" />
        </IconButton>
      </div>
      {asking && (
        <Confirm
          title={t("deleteName2", { name: memory.name })}
          action={common("delete")}
          onDo={() => {
            setAsking(false)
            onDelete(memory)
          }}
          onClose={() => setAsking(false)}
        >
          {t("everyAgentWillForgetDescription", { description: memory.description })}
        </Confirm>
      )}
      <Body memory={memory} isOpened={isOpened} read={read} />
    </li>
  )
}

/** The text is loaded when expanded. */
function Body({ memory, isOpened = false, read }: Pick<MemoryItemProps, "memory" | "isOpened" | "read">) {
  const [text, setText] = useState<string>()
  const [note, setNote] = useState<Note>()
  const open = () => {
    read(memory).then(
      ({ body }) => setText(body),
      (error: unknown) => setNote(noteOf(error)),
    )
  }
  return (
    <details
      open={isOpened}
      ref={(element) => {
        if (isOpened) element?.scrollIntoView({ block: "nearest" })
      }}
      className="group/text mt-1.5 text-sm"
      onToggle={(event) => event.currentTarget.open && text === undefined && open()}
    >
      <summary className="-mx-1.5 inline-flex items-center gap-1.5 rounded-md px-1.5 py-0.5 text-muted hover:text-ink">
        <ChevronRight aria-hidden className="size-3.5 transition-transform group-open/text:rotate-90" />
        {t("text")}
      </summary>
      {note !== undefined && <Alert note={note} className="mt-2" />}
      {text === "" && <p className="mt-2 text-muted">{t("noTextBeyondTheDescription")}</p>}
      {text !== undefined && text !== "" && (
        <div className="mt-2">
          <LazyMarkdown text={text} streaming={false} />
        </div>
      )}
    </details>
  )
}
