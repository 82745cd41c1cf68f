import type { Sent } from "@parlor/protocol"
import { ArrowUp, ListPlus, Square } from "lucide-react"
import { type KeyboardEvent, type RefObject, useEffect, useState } from "react"
import { IconButton } from "../../ui/IconButton.tsx"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { SendHint } from "./SendHint.tsx"
import { SentNote } from "./SentNote.tsx"
import type { Outlook } from "./sendWords.ts"
import { useDraft } from "./useDraft.ts"
import { useGrowing } from "./useGrowing.ts"

export type ComposerProps = {
  readonly agent: string
  readonly conversation: string
  /** A turn runs that can be stopped. */
  readonly busy: boolean
  readonly outlook: Outlook
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly onSend: (text: string, mode: "immediate" | "steer") => Promise<Sent>
  readonly onStop: () => Promise<unknown>
}

export function Composer({ agent, conversation, busy, outlook, box, onSend, onStop }: ComposerProps) {
  const draft = useDraft(conversation)
  const [refusal, setRefusal] = useState<Note>()
  const [note, setNote] = useState<Note>()
  useGrowing(box, draft.text)
  useEffect(() => focusBox(box.current), [box])

  const isEmpty = draft.text.trim() === ""
  const queues = outlook.kind === "queue"
  const send = (mode: "immediate" | "steer" = "immediate") => {
    if (isEmpty) return
    setRefusal(undefined)
    setNote(undefined)
    draft
      .send((text) => onSend(text, mode))
      .then(
        (sent) => setNote(sent.note),
        (error: unknown) => setRefusal(noteOf(error)),
      )
  }
  const steer = () => {
    focusBox(box.current)
    send("steer")
  }
  const stop = () => {
    // The button goes away with the turn, and the focus must not go with it.
    focusBox(box.current)
    onStop().catch((error: unknown) => setRefusal(noteOf(error)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send((event.ctrlKey || event.metaKey) && queues && outlook.canSteer ? "steer" : "immediate")
  }
  return (
    <form
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {refusal && <Alert note={refusal} className="mb-2" />}
      {note && <SentNote note={note} />}
      <div className="flex items-end gap-1.5 rounded-2xl border border-line-strong bg-raised py-1.5 pr-1.5 pl-4 shadow-float focus-within:border-accent">
        <textarea
          ref={box}
          rows={1}
          value={draft.text}
          onChange={(event) => draft.change(event.target.value)}
          onKeyDown={onKeyDown}
          enterKeyHint="send"
          aria-label={`Message to ${agent}`}
          aria-describedby="composer-hint"
          placeholder={`Message ${agent}`}
          className="max-h-[40dvh] min-h-9 flex-1 resize-none bg-transparent py-1.5 leading-6 outline-none placeholder:text-muted"
        />
        {busy && (
          <IconButton label="Stop" look="plain" onClick={stop}>
            <Square aria-hidden className="size-3.5 fill-current" />
          </IconButton>
        )}
        <IconButton type="submit" label={queues ? "Queue" : "Send"} look="main" disabled={isEmpty}>
          {queues ? (
            <ListPlus aria-hidden className="size-[1.1rem]" />
          ) : (
            <ArrowUp aria-hidden className="size-[1.1rem]" />
          )}
        </IconButton>
      </div>
      <SendHint id="composer-hint" agent={agent} outlook={outlook} isEmpty={isEmpty} onSteer={steer} />
    </form>
  )
}

/** On a touch screen focus would raise the keyboard over the conversation, so there it waits for a tap. */
export function focusBox(box: HTMLTextAreaElement | null): void {
  if (window.matchMedia("(pointer: fine)").matches) box?.focus({ preventScroll: true })
}
