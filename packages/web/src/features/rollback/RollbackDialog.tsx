import type { Conversation } from "@parlor/client"
import type { MessageRow, RollbackPreview } from "@parlor/protocol"
import { useEffect, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/rollback.ts"
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
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Previews a rollback, lets the person choose its scope, and asks for confirmation (RBK-4). */
export function RollbackDialog({ conversation, message, onDone, onClose }: RollbackDialogProps) {
  const [preview, setPreview] = useState<RollbackPreview>()
  const [scope, setScope] = useState<Scope>("both")
  const [refusal, setRefusal] = useState<Note>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    let isOld = false
    conversation.rollbacks.preview(message.id).then(
      (seen) => !isOld && setPreview(seen),
      (error: unknown) => !isOld && setRefusal(noteOf(error)),
    )
    return () => {
      isOld = true
    }
  }, [conversation, message.id])

  const go = () => {
    setBusy(true)
    conversation.rollbacks.make(message.id, { scope }).then(onDone, (error: unknown) => {
      setBusy(false)
      setRefusal(noteOf(error))
    })
  }
  return (
    <Dialog title={t("rollBack")} isOpen onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          go()
        }}
      >
        <p className="text-muted text-sm">{t("goesBackToThisMessage")}</p>
        {(preview?.files.length ?? 0) > 0 && (
          <Segments label={t("rollBack")} value={scope} options={scopes()} onChange={setScope} />
        )}
        {preview === undefined && refusal === undefined && <p role="status">{t("checking")}</p>}
        {preview && <PreviewList preview={preview} agent={conversation.agent} scope={scope} />}
        {refusal && <Alert note={refusal} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button type="submit" look="main" disabled={preview === undefined || isBusy}>
            {t("rollBack")}
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
