import type { Conversation } from "@parlor/client"
import type { AnswerOf, MessageRow, RollbackPreview, RollbackRow } from "@parlor/protocol"
import { useEffect, useRef, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { PreviewList } from "./PreviewList.tsx"

export type RollbackDialogProps = {
  readonly conversation: Conversation
  readonly message: MessageRow
  readonly edit: boolean
  readonly onDone: (done: AnswerOf<"rollBack">) => void
  readonly onClose: () => void
}

type Scope = RollbackRow["scope"]

const SCOPES: readonly (readonly [Scope, string])[] = [
  ["both", "Messages and files"],
  ["conversation", "Messages only"],
  ["files", "Files only"],
]

/** What a rollback would do, and of what: nothing is done before it is agreed to (RBK-4). */
export function RollbackDialog({ conversation, message, edit, onDone, onClose }: RollbackDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [preview, setPreview] = useState<RollbackPreview>()
  const [scope, setScope] = useState<Scope>("both")
  const [refusal, setRefusal] = useState<Note>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    let isOld = false
    conversation.rollbacks.preview(message.id, { edit }).then(
      (seen) => !isOld && setPreview(seen),
      (error: unknown) => !isOld && setRefusal(noteOf(error)),
    )
    return () => {
      isOld = true
    }
  }, [conversation, message.id, edit])

  const go = () => {
    setBusy(true)
    conversation.rollbacks.make(message.id, { scope, edit }).then(onDone, (error: unknown) => {
      setBusy(false)
      setRefusal(noteOf(error))
    })
  }
  const scopes = edit ? SCOPES.filter(([name]) => name !== "files") : SCOPES
  return (
    <dialog
      ref={dialog}
      aria-label={edit ? "Edit and send again" : "Roll back"}
      onClose={onClose}
      className="m-auto w-[min(34rem,94vw)] rounded-xl border border-line bg-page p-5 text-ink shadow-float"
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          go()
        }}
      >
        <h2 className="font-semibold">{edit ? "Go back and edit this message" : "Roll back to this message"}</h2>
        {preview === undefined && refusal === undefined && <p role="status">Looking…</p>}
        {preview && <PreviewList preview={preview} agent={conversation.agent} />}
        {(preview?.files.length ?? 0) > 0 && (
          <fieldset className="flex flex-wrap gap-4 text-sm">
            <legend className="mb-1 text-muted">Roll back</legend>
            {scopes.map(([name, words]) => (
              <label key={name} className="flex items-center gap-1.5">
                <input type="radio" name="scope" checked={scope === name} onChange={() => setScope(name)} /> {words}
              </label>
            ))}
          </fieldset>
        )}
        {refusal && <Alert note={refusal} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" look="main" disabled={preview === undefined || isBusy}>
            {edit ? "Go back and edit" : "Roll back"}
          </Button>
        </p>
      </form>
    </dialog>
  )
}
