import type { ComposerInput, Sent } from "@parlor/protocol"
import { useRef, useState } from "react"
import { t } from "../../texts/en/composer.ts"
import { refusalOfSend } from "../attachment/attached.ts"
import type { Upload } from "../attachment/uploads.ts"
import { isBlank } from "../draft/doc.ts"
import { type Draft, isCancelled } from "../draft/useDraft.ts"
import { type Note, noteOf } from "../status/problemWords.ts"
import type { Act } from "./sendWords.ts"

export type Sending = {
  /** Why the last send was rejected. */
  readonly refusal: Note | undefined
  /** What must be done before it can be sent. */
  readonly heldUp: string | undefined
  /** It was sent, but not in the requested mode. */
  readonly note: Note | undefined
  /** The missing-argument warning was shown. */
  readonly isAsked: boolean
  readonly send: (act: Act) => void
  readonly refuse: (error: unknown) => void
}

export type SendingOptions = {
  readonly draft: Draft
  readonly uploads: readonly Upload[]
  /** What a command in the box is missing, as a sentence. */
  readonly wants: string | undefined
  readonly onSend: (input: ComposerInput, act: Act) => Promise<Pick<Sent, "note">>
}

/** Sends the draft, unless a warning is due first. A rejected send restores the draft and reports why. */
export function useSending({ draft, uploads, wants, onSend }: SendingOptions): Sending {
  const [refusal, setRefusal] = useState<Note>()
  const [note, setNote] = useState<Note>()
  const [asked, setAsked] = useState<string>()
  const [isHeldUp, setHeldUp] = useState(false)
  /** The send the note belongs to; responses to older sends are ignored. */
  const count = useRef(0)
  const { source } = draft.input
  const isAsked = wants !== undefined && asked === source
  const unfinished = unfinishedWords(uploads)

  const send = (act: Act) => {
    if (isBlank(draft.input) && uploads.every(isRejected)) return
    setNote(undefined)
    setRefusal(undefined)
    setHeldUp(unfinished !== undefined)
    if (unfinished !== undefined) return
    if (wants !== undefined && !isAsked) return setAsked(source)
    setAsked(undefined)
    count.current += 1
    const mine = count.current
    draft
      .send((input) => onSend(input, act))
      .then(
        (sent) => mine === count.current && setNote(sent.note),
        (error: unknown) => isCancelled(error) || setRefusal(refusalOfSend(error, draft.input)),
      )
  }
  const heldUp = isHeldUp ? unfinished : undefined
  return { refusal, heldUp, note, isAsked, send, refuse: (error) => setRefusal(noteOf(error)) }
}

/** It will never be part of a message. */
export function isRejected({ state, mayRetry }: Pick<Upload, "state" | "mayRetry">): boolean {
  return state === "failed" && !mayRetry
}

/** An unfinished upload must finish or be removed first, so that no attachment is dropped silently. */
export function unfinishedWords(uploads: readonly Pick<Upload, "name" | "state">[]): string | undefined {
  const failed = uploads.find(({ state }) => state === "failed")
  if (failed !== undefined) return t("nameFailedToUploadRetry", { name: failed.name })
  const [busy, ...more] = uploads
  if (busy === undefined) return undefined
  return more.length === 0
    ? t("stillUploading", { name: busy.name })
    : t("severalUploading", { name: busy.name, count: more.length })
}
