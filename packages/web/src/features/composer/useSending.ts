import type { ComposerInput, Sent } from "@parlor/protocol"
import { useRef, useState } from "react"
import { refusalOfSend } from "../attachment/attached.ts"
import type { Upload } from "../attachment/uploads.ts"
import { isBlank } from "../draft/doc.ts"
import { type Draft, isCancelled } from "../draft/useDraft.ts"
import { type Note, noteOf } from "../status/problemWords.ts"
import type { Act } from "./sendWords.ts"

export type Sending = {
  /** Why the last one did not go. */
  readonly refusal: Note | undefined
  /** What has to be done before it can go. */
  readonly heldUp: string | undefined
  /** It went, but not as it was asked for. */
  readonly note: Note | undefined
  /** Said once that the command lacks something. */
  readonly isAsked: boolean
  readonly send: (act: Act) => void
  readonly refuse: (error: unknown) => void
}

export type SendingOptions = {
  readonly draft: Draft
  readonly uploads: readonly Upload[]
  /** What a command in the box still lacks, in words. */
  readonly wants: string | undefined
  readonly onSend: (input: ComposerInput, mode: "immediate" | "steer") => Promise<Sent>
}

/** Sends what is in the box, unless something has to be said first; what is refused is said, and its words are back. */
export function useSending({ draft, uploads, wants, onSend }: SendingOptions): Sending {
  const [refusal, setRefusal] = useState<Note>()
  const [note, setNote] = useState<Note>()
  const [asked, setAsked] = useState<string>()
  const [isHeldUp, setHeldUp] = useState(false)
  /** Which send the note belongs to: an older one's answer says nothing about a newer. */
  const count = useRef(0)
  const { source } = draft.input
  const isAsked = wants !== undefined && asked === source
  const unfinished = unfinishedWords(uploads)

  const send = (act: Act) => {
    if (isBlank(draft.input) && uploads.length === 0) return
    setNote(undefined)
    setRefusal(undefined)
    setHeldUp(unfinished !== undefined)
    if (unfinished !== undefined) return
    if (wants !== undefined && !isAsked) return setAsked(source)
    setAsked(undefined)
    count.current += 1
    const mine = count.current
    draft
      .send((input) => onSend(input, act === "steer" ? "steer" : "immediate"))
      .then(
        (sent) => mine === count.current && setNote(sent.note),
        (error: unknown) => isCancelled(error) || setRefusal(refusalOfSend(error, draft.input)),
      )
  }
  const heldUp = isHeldUp ? unfinished : undefined
  return { refusal, heldUp, note, isAsked, send, refuse: (error) => setRefusal(noteOf(error)) }
}

/** What is attached goes along or is taken off: nothing is left behind without a word. */
export function unfinishedWords(uploads: readonly Pick<Upload, "name" | "state">[]): string | undefined {
  const failed = uploads.find(({ state }) => state === "failed")
  if (failed !== undefined) return `${failed.name} was not uploaded. Try it again or remove it, then send.`
  const [busy, ...more] = uploads
  if (busy === undefined) return undefined
  return `${busy.name}${more.length === 0 ? " is" : ` and ${more.length} more are`} still being uploaded. Send when it is there.`
}
