/** Attachments of a draft: nodes of its input that go along with the text (CMP-3, CMP-15). Pure. */
import type { AttachmentNode, AttachmentView, ComposerInput } from "@parlor/protocol"
import { attachedTo, withAttached } from "../draft/doc.ts"
import { type Note, noteOf } from "../status/problemWords.ts"

export type Attached = {
  readonly hash: string
  readonly name: string
  readonly mediaType: string
  /** Undefined when only the hash is known. */
  readonly bytes: number | undefined
}

export function attachedList(input: ComposerInput): readonly Attached[] {
  return attachedTo(input).map(({ hash, name, mediaType, bytes }) => ({
    hash: String(hash),
    name: typeof name === "string" ? name : "attachment",
    mediaType: typeof mediaType === "string" ? mediaType : "",
    bytes: typeof bytes === "number" ? bytes : undefined,
  }))
}

/** The same content twice is one attachment. */
export function attachedWith(input: ComposerInput, { hash, name, mediaType, bytes }: AttachmentView): ComposerInput {
  const node: AttachmentNode = { kind: "attachment", hash, name, mediaType, bytes, start: 0, end: 0, raw: "" }
  return withAttached(input, [...attachedTo(input).filter((one) => one.hash !== hash), node])
}

export function attachedWithout(input: ComposerInput, hash: string): ComposerInput {
  return withAttached(
    input,
    attachedTo(input).filter((node) => node.hash !== hash),
  )
}

/** Why a message was rejected. Names the attachment when it was deleted in the meantime. */
export function refusalOfSend(error: unknown, input: ComposerInput): Note {
  const note = noteOf(error)
  if (note.code !== "attachment.unknown") return note
  // The server's message contains only the hash, which means nothing to a person.
  const gone = attachedList(input).find(({ hash }) => note.detail.includes(hash))
  return gone === undefined ? note : { code: "attachment.gone", detail: `${gone.name} was deleted.` }
}
