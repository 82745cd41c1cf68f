import type { Conversation, LiveState, Parlor } from "@parlor/client"
import { MAIN_BRANCH } from "@parlor/protocol"
import { useEffect, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { NOTHING } from "../draft/doc.ts"
import { ownDrafts } from "../draft/draft.ts"
import { useOwnPart } from "../keep/OwnContext.ts"
import { addressOf, conversationOf } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { deletedWords } from "./branchView.ts"
import { allDescendants } from "./descendants.ts"

export type DeleteDialogProps = {
  readonly parlor: Parlor
  readonly conversation: Conversation
  readonly state: Pick<LiveState, "title" | "status"> | undefined
  readonly onClose: () => void
}

/** Lists what will be deleted and asks for confirmation (BRA-6). */
export function DeleteDialog({ parlor, conversation, state, onClose }: DeleteDialogProps) {
  const { agent, branch } = conversation
  const drafts = useOwnPart(ownDrafts)
  const [hanging, setHanging] = useState<readonly string[]>()
  const [refusal, setRefusal] = useState<Note>()
  useEffect(() => {
    let isLeft = false
    allDescendants(branch, (name) => parlor.conversation(agent, name).branches.list()).then(
      (names) => isLeft || setHanging(names),
      (error: unknown) => isLeft || setRefusal(noteOf(error)),
    )
    return () => {
      isLeft = true
    }
  }, [parlor, agent, branch])
  const parent = state?.status?.origin?.branch ?? MAIN_BRANCH
  const remove = () =>
    conversation.delete({ branches: hanging ?? [] }).then(
      () => {
        for (const name of [branch, ...(hanging ?? [])]) drafts.write(conversationOf({ agent, branch: name }), NOTHING)
        onClose()
        // The main branch always exists and starts over, so reload to clear what is shown of the old one.
        if (branch === MAIN_BRANCH) window.location.reload()
        else go(addressOf(agent, parent))
      },
      (error: unknown) => setRefusal(noteOf(error)),
    )
  const called = state?.title || (branch === MAIN_BRANCH ? `the conversation with ${agent}` : branch)
  return (
    <Dialog title={`Delete ${called}?`} isOpen onClose={onClose} className="w-[min(30rem,94vw)]">
      <div className="space-y-4 text-sm">
        {hanging === undefined && refusal === undefined && <p role="status">Checking what will be deleted…</p>}
        {hanging !== undefined && (
          <>
            <p>This will be deleted and can't be undone:</p>
            <ul aria-label="What will be deleted" className="list-disc space-y-1 pl-5">
              {deletedWords({ files: state?.status?.files ?? 0, hanging }).map((words) => (
                <li key={words} className="break-words">
                  {words}
                </li>
              ))}
            </ul>
            <p className="text-muted">Memories are kept.</p>
          </>
        )}
        {refusal && <Alert note={refusal} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={remove} disabled={hanging === undefined} look="bad">
            Delete
          </Button>
        </p>
      </div>
    </Dialog>
  )
}
