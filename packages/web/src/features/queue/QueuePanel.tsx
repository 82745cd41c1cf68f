import type { LiveConversation, LiveState, PendingSend } from "@parlor/client"
import { CornerDownRight } from "lucide-react"
import { type RefObject, useCallback, useImperativeHandle, useMemo, useRef, useState } from "react"
import { t } from "../../texts/en/queue.ts"
import { useKeptFocus } from "../../ui/useKeptFocus.ts"
import { registry, useShortcut } from "../keyboard/useShortcut.ts"
import { Alert } from "../status/Alert.tsx"
import { dropPlace, type Spot } from "./drag.ts"
import { LateEdit } from "./LateEdit.tsx"
import { QueueEditor } from "./QueueEditor.tsx"
import { QueueHead } from "./QueueHead.tsx"
import { QueueItem } from "./QueueItem.tsx"
import { waitingList } from "./queueView.ts"
import { RemovedNote } from "./RemovedNote.tsx"
import { FIRST_SHOWN, MORE_SHOWN, moreWords, shownCount, unreadWords } from "./shown.ts"
import { useActs } from "./useActs.ts"
import { useEditing } from "./useEditing.ts"
import { useItemActs } from "./useItemActs.ts"

export type QueuePanelProps = {
  readonly live: LiveConversation | undefined
  readonly state: LiveState | undefined
  readonly sending: readonly PendingSend[]
  /** Lets other components open a queued message for editing. */
  readonly opener?: RefObject<((id: string) => void) | undefined>
  /** Moves text into the composer. */
  readonly onKeep: (text: string) => void
}

/** The queue above the composer, with its actions (TAB-8). */
export function QueuePanel({ live, state, sending, opener, onKeep }: QueuePanelProps) {
  const queue = state?.queue ?? nothing
  const unread = state?.unreadQueued ?? 0
  const running = (state?.status?.turn ?? null) !== null
  const acts = useActs()
  const editor = useEditing(live, queue, acts)
  useImperativeHandle(opener, () => editor.open)
  const { items, removed } = useItemActs(live, acts, editor.open)
  const waiting = useMemo(() => waitingList(queue, running), [queue, running])
  const { list, ...focus } = useKeptFocus(waiting.map(({ id }) => id).join(), focusComposer)
  const [wanted, setWanted] = useState(FIRST_SHOWN)
  const shown = shownCount(waiting.length, wanted)
  useShortcut("focusQueue", () => list.current?.querySelector("button")?.focus(), waiting.length > 0, list)
  const order = useRef<readonly string[]>([])
  order.current = waiting.map(({ id }) => id)
  const onDropped = useCallback(
    (moved: string, at: { readonly id: string; readonly spot: Spot }) => {
      const place = dropPlace(moved, at, order.current)
      if (place !== undefined) items.place(moved, place)
    },
    [items],
  )

  const late = editor.standing?.kind === "gone" ? editor.editing : undefined
  const isEmpty = waiting.length + sending.length === 0
  if (isEmpty && late === undefined && removed === undefined && acts.refusal === undefined) return null
  const keep = (text: string, then: () => void) => {
    onKeep(text)
    then()
  }
  return (
    <section
      aria-label={t("queue")}
      className="mb-2 animate-arrive space-y-1 rounded-xl border border-line bg-raised p-1.5 text-sm"
    >
      {waiting.length > 0 && (
        <QueueHead
          count={waiting.length + unread}
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
          {waiting
            .slice(0, shown)
            .map((message) =>
              message.id === editor.editing?.id ? (
                <QueueEditor key={message.id} editor={editor} />
              ) : (
                <QueueItem key={message.id} message={message} acts={items} onDropped={onDropped} />
              ),
            )}
          {shown < waiting.length && (
            <li className="px-2.5">
              <button
                type="button"
                onClick={() => setWanted(shown + MORE_SHOWN)}
                className="rounded-sm py-1 text-accent text-xs hover:underline pointer-coarse:min-h-10"
              >
                {moreWords(waiting.length, shown)}
              </button>
            </li>
          )}
          {unread > 0 && shown === waiting.length && (
            <li className="px-2.5 py-1 text-muted text-xs">{unreadWords(unread)}</li>
          )}
          {sending.map((send) => (
            <Sending key={send.key} send={send} />
          ))}
        </ol>
      )}
      {removed && <RemovedNote text={removed.text} onUndo={removed.putBack} onDismiss={removed.forget} />}
    </section>
  )
}

const nothing: LiveState["queue"] = []

function focusComposer(): void {
  registry.run("write")
}

function Sending({ send }: { readonly send: PendingSend }) {
  return (
    <li className="flex items-center gap-2.5 rounded-lg px-2.5 py-1 opacity-60">
      <CornerDownRight aria-hidden className="size-3.5 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate">{send.text}</span>
      <span className="shrink-0 text-muted text-xs">{t("sending")}</span>
    </li>
  )
}
