import type { FileRead, Files } from "@parlor/client"
import { type KeyboardEvent, useRef, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/files.ts"
import { Button } from "../../ui/Button.tsx"
import { useOwnPart } from "../keep/OwnContext.ts"
import { Alert } from "../status/Alert.tsx"
import type { Note } from "../status/problemWords.ts"
import { textIn } from "./content.ts"
import { ownFileDrafts } from "./fileDrafts.ts"
import { Overtaken } from "./Overtaken.tsx"
import { save, type Theirs } from "./saving.ts"

export type FileEditorProps = {
  readonly files: Files
  readonly conversation: string
  readonly path: string
  readonly read: FileRead
  /** Called after saving or canceling. */
  readonly onDone: () => void
}

/**
 * The text editor. Saving checks that the file is still the version that was read, and shows a conflict otherwise
 * (WSP-4).
 */
export function FileEditor({ files, conversation, path, read, onDone }: FileEditorProps) {
  const fileDrafts = useOwnPart(ownFileDrafts)
  const [draft, setDraft] = useState(
    () => fileDrafts.read(conversation, path) ?? { text: textIn(read.bytes) ?? "", hash: read.hash },
  )
  const [theirs, setTheirs] = useState<Theirs>()
  const [refusal, setRefusal] = useState<Note>()
  const [isSaving, setSaving] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const change = (text: string) => {
    const next = { ...draft, text }
    setDraft(next)
    fileDrafts.write(conversation, path, next)
  }
  const done = () => {
    fileDrafts.write(conversation, path, undefined)
    onDone()
  }
  const saveOver = async (was: string | null) => {
    setSaving(true)
    const saved = await save(files, path, draft.text, was)
    setSaving(false)
    if (saved.kind === "saved") return done()
    setRefusal(saved.kind === "refused" ? saved.note : undefined)
    setTheirs(saved.kind === "overtaken" ? saved.theirs : undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return
    event.preventDefault()
    if (theirs === undefined) void saveOver(draft.hash)
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 p-4">
      {theirs !== undefined && (
        <Overtaken
          theirs={theirs}
          mine={draft.text}
          onMine={() => saveOver(theirs.read?.hash ?? null)}
          onTheirs={done}
        />
      )}
      <textarea
        ref={box}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here.
        autoFocus
        aria-label={t("contentOf", { path })}
        value={draft.text}
        spellCheck={false}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
        className="min-h-64 w-full flex-1 resize-none rounded-lg border border-line-strong bg-raised p-3 font-mono text-xs leading-5 outline-none focus:border-accent"
      />
      {refusal && <Alert note={refusal} />}
      {theirs === undefined && (
        <p className="flex flex-wrap gap-2">
          <Button look="main" disabled={isSaving} onClick={() => saveOver(draft.hash)}>
            {common("save")}
          </Button>
          <Button onClick={done}>{common("cancel")}</Button>
        </p>
      )}
    </div>
  )
}
