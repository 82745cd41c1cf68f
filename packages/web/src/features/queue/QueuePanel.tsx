import type { LiveConversation, LiveState, PendingSend } from "@parlor/client"
import { CornerDownRight } from "lucide-react"
import { useMemo } from "react"
import { Alert } from "../status/Alert.tsx"
import { LateEdit } from "./LateEdit.tsx"
import { QueueEditor } from "./QueueEditor.tsx"
import { QueueHead } from "./QueueHead.tsx"
import { QueueItem } from "./QueueItem.tsx"
import { waitingList } from "./queueView.ts"
import { RemovedNote } from "./RemovedNote.tsx"
import { useActs } from "./useActs.ts"
import { useEditing } from "./useEditing.ts"
import { useItemActs } from "./useItemActs.ts"
import { useKeptFocus } from "./useKeptFocus.ts"

export type QueuePanelProps = {
  readonly live: LiveConversation | undefined
  readonly state: LiveState | undefined
  readonly sending: readonly PendingSend[]
  /** Puts words into the box below. */
  readonly onKeep: (text: string) => void
}

/** What will be said next, above the composer, and all one can do about it (TAB-8). */
export function QueuePanel({ live, state, sending, onKeep }: QueuePanelProps) {
  const queue = state?.queue ?? nothing
  const running = (state?.status?.turn ?? null) !== null
  const acts = useActs()
  const editor = useEditing(live, queue, acts)
  const { items, removed } = useItemActs(live, acts, editor.open)
  const waiting = useMemo(() => waitingList(queue, running), [queue, running])
  const { list, ...focus } = useKeptFocus(waiting.map(({ id }) => id).join())

  const late = editor.standing?.kind === "gone" ? editor.editing : undefined
  const isEmpty = waiting.length + sending.length === 0
  if (isEmpty && late === undefined && removed === undefined && acts.refusal === undefined) return null
  const keep = (text: string, then: () => void) => {
    onKeep(text)
    then()
  }
  return (
    <section
      aria-label="Queue"
      className="mb-2 animate-arrive space-y-1 rounded-xl border border-line bg-raised p-1.5 text-sm"
    >
      {waiting.length > 0 && (
        <QueueHead
          count={waiting.length}
          held={state?.status?.held ?? null}
          onHold={() => void acts.run(async () => live?.hold())}
          onResume={() => void acts.run(async () => live?.resume())}
          onClear={() => void acts.run(async () => live?.clearQueue())}
        />
      )}
      {acts.refusal && <Alert note={acts.refusal} />}
      {late && (
        <LateEdit
          editing={late}
          started={state?.messages.some(({ id }) => id === late.id) ?? false}
          onKeep={() => keep(late.text, editor.close)}
          onDiscard={editor.close}
        />
      )}
      {!isEmpty && (
        <ol ref={list} {...focus} className="max-h-[32dvh] overflow-y-auto">
          {waiting.map((message) =>
            message.id === editor.editing?.id ? (
              <QueueEditor key={message.id} editor={editor} />
            ) : (
              <QueueItem key={message.id} message={message} acts={items} />
            ),
          )}
          {sending.map((send) => (
            <Sending key={send.key} send={send} />
          ))}
        </ol>
      )}
      {removed && (
        <RemovedNote text={removed.text} onKeep={() => keep(removed.text, removed.forget)} onDismiss={removed.forget} />
      )}
    </section>
  )
}

const nothing: LiveState["queue"] = []

function Sending({ send }: { readonly send: PendingSend }) {
  return (
    <li className="flex items-center gap-2.5 rounded-lg px-2.5 py-1 opacity-60">
      <CornerDownRight aria-hidden className="size-3.5 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate">{send.text}</span>
      <span className="shrink-0 text-muted text-xs">sending…</span>
    </li>
  )
}
