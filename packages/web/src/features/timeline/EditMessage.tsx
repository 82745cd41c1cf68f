import type { RollbackPreview } from "@parlor/protocol"
import { type KeyboardEvent, useContext, useEffect, useRef, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/timeline.ts"
import { Button } from "../../ui/Button.tsx"
import { useGrowing } from "../../ui/useGrowing.ts"
import { ReadingContext } from "../message/reading.ts"
import type { MessageEdit } from "../rollback/acts.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"

/** Edits a sent message in its place: Enter sends the new version, Escape keeps the old one (MSG-3). */
export function EditMessage({ edit }: { readonly edit: MessageEdit }) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(edit.text.current)
  const [files, setFiles] = useState<RollbackPreview["files"]>([])
  const [withFiles, setWithFiles] = useState(true)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Note>()
  const rollbacks = useContext(ReadingContext)?.conversation.rollbacks
  useGrowing(box, text)
  useEffect(() => {
    const end = box.current?.value.length ?? 0
    box.current?.focus({ preventScroll: true })
    box.current?.setSelectionRange(end, end)
    box.current?.scrollIntoView({ block: "nearest" })
  }, [])
  useEffect(() => {
    let isOld = false
    rollbacks?.preview(edit.message, { edit: true }).then(
      (preview) => isOld || setFiles(preview.files),
      (error: unknown) => isOld || setRefusal(noteOf(error)),
    )
    return () => {
      isOld = true
    }
  }, [rollbacks, edit.message])
  const change = (next: string) => {
    edit.text.current = next
    setText(next)
  }
  const send = () => {
    if (text.trim() === "" || isBusy) return
    setBusy(true)
    edit.send(text, withFiles).catch((error: unknown) => {
      setBusy(false)
      setRefusal(noteOf(error))
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === "Escape") edit.cancel()
    else if (event.key === "Enter" && !event.shiftKey) send()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="w-full rounded-2xl border border-line-strong bg-raised p-2 focus-within:border-accent">
      <textarea
        ref={box}
        rows={1}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
        aria-label={t("editMessage")}
        className="block max-h-[40dvh] w-full resize-none bg-transparent px-2 py-1 leading-6 outline-none"
      />
      {files.length > 0 && (
        <label className="mt-1 flex items-center gap-2 px-2 text-muted text-sm">
          <input
            type="checkbox"
            checked={withFiles}
            onChange={(event) => setWithFiles(event.target.checked)}
            className="size-4 accent-(--color-accent)"
          />
          {t("alsoReturnFiles", { count: files.length })}
        </label>
      )}
      {refusal && <Alert note={refusal} className="mt-2" />}
      <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
        <span className="mr-auto px-2 text-muted text-xs max-md:hidden">{t("theOldVersionIsKept")}</span>
        <Button onClick={edit.cancel}>{common("cancel")}</Button>
        <Button look="main" onClick={send} disabled={text.trim() === "" || isBusy}>
          {t("send")}
        </Button>
      </div>
    </div>
  )
}
