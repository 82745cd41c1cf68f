import { ArrowUp, ListPlus, Square } from "lucide-react"
import { type KeyboardEvent, type RefObject, useEffect, useState } from "react"
import { cx } from "../../ui/cx.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { noteOf, problemWords } from "../status/problemWords.ts"
import { useDraft } from "./useDraft.ts"
import { useGrowing } from "./useGrowing.ts"

export type ComposerProps = {
  readonly agent: string
  readonly conversation: string
  readonly busy: boolean
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly onSend: (text: string) => Promise<unknown>
  readonly onStop: () => Promise<unknown>
}

export function Composer({ agent, conversation, busy, box, onSend, onStop }: ComposerProps) {
  const draft = useDraft(conversation)
  const [refusal, setRefusal] = useState<unknown>()
  useGrowing(box, draft.text)
  useEffect(() => focusBox(box.current), [box])

  const empty = draft.text.trim() === ""
  const send = () => {
    if (empty) return
    setRefusal(undefined)
    draft.send(onSend).catch(setRefusal)
  }
  const stop = () => {
    // The button goes away with the turn, and the focus must not go with it.
    focusBox(box.current)
    onStop().catch(setRefusal)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {refusal !== undefined && <Refused refusal={refusal} />}
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
        <IconButton type="submit" label={busy ? "Queue" : "Send"} look="main" disabled={empty}>
          {busy ? (
            <ListPlus aria-hidden className="size-[1.1rem]" />
          ) : (
            <ArrowUp aria-hidden className="size-[1.1rem]" />
          )}
        </IconButton>
      </div>
      <p
        id="composer-hint"
        className={cx("mt-1.5 px-1 text-center text-muted text-xs", !busy && "pointer-coarse:hidden")}
      >
        {hint(agent, busy, empty)}
      </p>
    </form>
  )
}

function Refused({ refusal }: { readonly refusal: unknown }) {
  const { title, detail } = problemWords(noteOf(refusal))
  return (
    <p role="alert" className="mb-2 rounded-xl bg-bad-tint px-3.5 py-2 text-bad text-sm">
      <strong className="font-semibold">{title}.</strong> {detail}
    </p>
  )
}

function hint(agent: string, busy: boolean, empty: boolean): string {
  if (busy) return empty ? `${agent} is busy: what you send will queue` : "Enter queues this for when the reply is done"
  return "Enter sends, Shift+Enter makes a new line"
}

/** On a touch screen focus would raise the keyboard over the conversation, so there it waits for a tap. */
export function focusBox(box: HTMLTextAreaElement | null): void {
  if (window.matchMedia("(pointer: fine)").matches) box?.focus({ preventScroll: true })
}
