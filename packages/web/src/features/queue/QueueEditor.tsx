import { type KeyboardEvent, useEffect, useRef } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/queue.ts"
import { Button } from "../../ui/Button.tsx"
import { useGrowing } from "../../ui/useGrowing.ts"
import { Theirs } from "./Theirs.tsx"
import type { Editor } from "./useEditing.ts"

/** Edits a queued message: Enter saves, Escape cancels. */
export function QueueEditor({ editor }: { readonly editor: Editor }) {
  const box = useRef<HTMLTextAreaElement>(null)
  const text = editor.editing?.text ?? ""
  useGrowing(box, text)
  useEffect(() => {
    const end = box.current?.value.length ?? 0
    box.current?.focus()
    box.current?.setSelectionRange(end, end)
    box.current?.closest("li")?.scrollIntoView({ block: "nearest" })
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === "Escape") return editor.close()
    if (event.key !== "Enter" || event.shiftKey) return
    event.preventDefault()
    editor.save()
  }
  return (
    <li className="rounded-lg bg-sunken px-2.5 py-2">
      <textarea
        ref={box}
        rows={1}
        value={text}
        onChange={(event) => editor.change(event.target.value)}
        onKeyDown={onKeyDown}
        aria-label={t("editQueuedMessage")}
        className="block max-h-[24dvh] w-full resize-none rounded-md border border-line-strong bg-raised px-2.5 py-1.5 leading-6 outline-none focus:border-accent"
      />
      {editor.isShared && (
        <p role="status" className="mt-2 text-warn text-xs">
          {t("alsoBeingEditedInAnother")}
        </p>
      )}
      {editor.standing?.kind === "changed" && <Theirs text={editor.standing.theirs} onTake={editor.take} />}
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button look="main" onClick={editor.save} disabled={text.trim() === ""}>
          {editor.standing?.kind === "changed" ? t("saveMyVersion") : common("save")}
        </Button>
        <Button onClick={editor.close}>{common("cancel")}</Button>
        <span className="text-muted text-xs">{t("itWontStartWhileYou")}</span>
      </div>
    </li>
  )
}
