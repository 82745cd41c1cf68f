import type { Conversation } from "@parlor/client"
import { type ComposerInput, type MessageRow, Refusal } from "@parlor/protocol"
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from "react"
import { openNewSidecar } from "../branch/side.ts"
import { addressOf } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { ActsContext, EditContext, type MessageActs, type MessageEdit } from "./acts.ts"
import { questionOf } from "./questionOf.ts"

const RollbackDialog = lazy(() => import("./RollbackDialog.tsx").then((m) => ({ default: m.RollbackDialog })))

export type ActingProps = {
  readonly conversation: Conversation
  readonly messages: readonly MessageRow[]
  /** The input of a message with this text, including its chips and attachments. */
  readonly inputOf: (message: MessageRow, text: string | undefined) => ComposerInput
  /** Sends a new version of a message that was rolled back. */
  readonly onSend: (input: ComposerInput, editedFrom: string) => Promise<unknown>
  readonly onProceed: () => Promise<unknown>
  readonly onCanceled: () => void
  readonly children: ReactNode
}

/** Provides message actions to its children, and shows the rollback dialog. */
export function Acting(props: ActingProps) {
  const { conversation, children } = props
  const [asking, setAsking] = useState<MessageRow>()
  const [edited, setEdited] = useState<MessageRow>()
  const [refusal, setRefusal] = useState<Note>()
  const text = useRef("")
  const latest = useRef(props)
  latest.current = props
  const acts = useMemo<MessageActs>(() => {
    const tried = (work: Promise<unknown>) =>
      void work.then(
        () => setRefusal(undefined),
        (error: unknown) => setRefusal(noteOf(error)),
      )
    return {
      rollBack: setAsking,
      cancel: (rollback) => tried(conversation.rollbacks.cancel(rollback).then(() => latest.current.onCanceled())),
      branch: ({ id }, ephemeral) =>
        tried(
          ephemeral
            ? openNewSidecar(conversation, id)
            : conversation.branches.make({ from: id }).then(({ agent, branch }) => go(addressOf(agent, branch))),
        ),
      edit: (message) => {
        text.current = latest.current.inputOf(message, undefined).source
        setEdited(message)
      },
      tryAgain: (message) => tried(sendAgain(latest.current, message)),
      rate: ({ id }, feedback) => tried(conversation.rate(id, feedback)),
      proceed: () => tried(latest.current.onProceed()),
    }
  }, [conversation])
  const edit = useMemo<MessageEdit | undefined>(
    () =>
      edited && {
        message: edited.id,
        text,
        cancel: () => setEdited(undefined),
        send: async (next, files) => {
          await replace(latest.current, edited, next, files)
          setEdited(undefined)
        },
      },
    [edited],
  )
  return (
    <ActsContext value={acts}>
      <EditContext value={edit}>{children}</EditContext>
      {refusal && <Alert note={refusal} className="mx-auto mb-2 w-full max-w-read" />}
      {asking && (
        <Suspense>
          <RollbackDialog
            key={asking.id}
            conversation={conversation}
            message={asking}
            onClose={() => setAsking(undefined)}
            onDone={() => {
              setAsking(undefined)
              setRefusal(undefined)
            }}
          />
        </Suspense>
      )}
    </ActsContext>
  )
}

/** The old version is rolled back, and the new one is sent in its place (RBK-3). */
async function replace(acting: ActingProps, message: MessageRow, text: string | undefined, files: boolean) {
  const input = acting.inputOf(message, text)
  await acting.conversation.rollbacks.make(message.id, { scope: files ? "both" : "conversation", edit: true })
  await acting.onSend(input, message.id)
}

async function sendAgain(acting: ActingProps, message: MessageRow): Promise<void> {
  const question = questionOf(message, acting.messages)
  if (question === undefined) throw new Refusal("message.unknown", "The message it answers is not loaded.")
  await replace(acting, question, undefined, true)
}
