import type { Conversation } from "@parlor/client"
import type { AnswerOf, MessageRow } from "@parlor/protocol"
import { type ReactNode, useMemo, useState } from "react"
import { askAside } from "../branch/side.ts"
import { addressOf } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { ActsContext, type MessageActs } from "./acts.ts"
import { RollbackDialog } from "./RollbackDialog.tsx"

export type ActingProps = {
  readonly conversation: Conversation
  /** A rollback was made; its text is to be edited when it says so. */
  readonly onRolledBack: (done: AnswerOf<"rollBack">) => void
  readonly onCancelled: () => void
  readonly children: ReactNode
}

/** Gives the messages within it what can be done about them, and asks before something is rolled back. */
export function Acting({ conversation, onRolledBack, onCancelled, children }: ActingProps) {
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
      cancel: (rollback) => tried(conversation.rollbacks.cancel(rollback).then(onCancelled)),
      branch: ({ id }, ephemeral) =>
        tried(
          ephemeral
            ? askAside(conversation, id)
            : conversation.branches.make({ from: id }).then(({ agent, branch }) => go(addressOf(agent, branch))),
        ),
    }
  }, [conversation, onCancelled])
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
