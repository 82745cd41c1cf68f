import type { Conversation } from "@parlor/client"
import type { AnswerOf, MessageRow } from "@parlor/protocol"
import { type ReactNode, useMemo, useState } from "react"
import { openNewSidecar } from "../branch/side.ts"
import { addressOf } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { ActsContext, type MessageActs } from "./acts.ts"
import { RollbackDialog } from "./RollbackDialog.tsx"

export type ActingProps = {
  readonly conversation: Conversation
  /** Called after a rollback; may contain text to edit. */
  readonly onRolledBack: (done: AnswerOf<"rollBack">) => void
  readonly onCanceled: () => void
  readonly children: ReactNode
}

/** Provides message actions to its children, and shows the rollback dialog. */
export function Acting({ conversation, onRolledBack, onCanceled, children }: ActingProps) {
  const [asking, setAsking] = useState<{ readonly message: MessageRow; readonly edit: boolean }>()
  const [refusal, setRefusal] = useState<Note>()
  const acts = useMemo<MessageActs>(() => {
    const tried = (work: Promise<unknown>) =>
      void work.then(
        () => setRefusal(undefined),
        (error: unknown) => setRefusal(noteOf(error)),
      )
    return {
      rollBack: (message, edit) => setAsking({ message, edit }),
      cancel: (rollback) => tried(conversation.rollbacks.cancel(rollback).then(onCanceled)),
      branch: ({ id }, ephemeral) =>
        tried(
          ephemeral
            ? openNewSidecar(conversation, id)
            : conversation.branches.make({ from: id }).then(({ agent, branch }) => go(addressOf(agent, branch))),
        ),
    }
  }, [conversation, onCanceled])
  return (
    <ActsContext value={acts}>
      {children}
      {refusal && <Alert note={refusal} className="mx-auto mb-2 w-full max-w-read" />}
      {asking && (
        <RollbackDialog
          key={`${asking.message.id} ${asking.edit}`}
          conversation={conversation}
          message={asking.message}
          edit={asking.edit}
          onClose={() => setAsking(undefined)}
          onDone={(done) => {
            setAsking(undefined)
            setRefusal(undefined)
            onRolledBack(done)
          }}
        />
      )}
    </ActsContext>
  )
}
