import type { Conversation } from "@parlor/client"
import type { AnswerOf, MessageRow, RollbackPreview } from "@parlor/protocol"
import { useEffect, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Segments } from "../../ui/Segments.tsx"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { PreviewList } from "./PreviewList.tsx"
import { type Scope, scopes } from "./previewWords.ts"

export type RollbackDialogProps = {
  readonly conversation: Conversation
  readonly message: MessageRow
  readonly edit: boolean
  readonly onDone: (done: AnswerOf<"rollBack">) => void
  readonly onClose: () => void
}

/** Previews a rollback, lets the person choose its scope, and asks for confirmation (RBK-4). */
export function RollbackDialog({ conversation, message, edit, onDone, onClose }: RollbackDialogProps) {
  const [preview, setPreview] = useState<RollbackPreview>()
  const [scope, setScope] = useState<Scope>("both")
  const [refusal, setRefusal] = useState<Note>()
  const [isBusy, setBusy] = useState(false)
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
  const choices = edit ? scopes.filter(({ value }) => value !== "files") : scopes
  return (
    <Dialog title={edit ? "Edit and send again" : "Roll back"} isOpen onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          go()
        }}
      >
        <p className="text-muted text-sm">
          {edit
            ? "Goes back to just before this message and puts its text in the message box. Later messages are hidden from the agent, but you can still read them."
            : "Goes back to this message. Later messages are hidden from the agent, but you can still read them. You can cancel the rollback."}
        </p>
        {(preview?.files.length ?? 0) > 0 && (
          <Segments label="Roll back" value={scope} options={choices} onChange={setScope} />
        )}
        {preview === undefined && refusal === undefined && <p role="status">Checking…</p>}
        {preview && <PreviewList preview={preview} agent={conversation.agent} scope={scope} />}
        {refusal && <Alert note={refusal} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" disabled={preview === undefined || isBusy}>
            {edit ? "Go back and edit" : "Roll back"}
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
