/** Messages of a conversation as numbered lines, and how a person refers to one. Pure; safe for a terminal. */
import type { MessageRow } from "@parlor/protocol"
import { Complaint } from "./complaint.ts"
import { plain } from "./plain.ts"
import { shortened } from "./queue-lines.ts"
import { senderOf } from "./sender.ts"

/** The newest is number 1, because it is needed most often. */
export function messageLines(messages: readonly MessageRow[], agent: string): readonly string[] {
  const width = String(messages.length).length
  return [...messages].reverse().map((message, index) => {
    const number = String(index + 1).padStart(width)
    return plain(`${number}  ${message.id}  ${senderOf(message, { agent, person: "you" })}: ${textOf(message)}`)
  })
}

/** The id of a reference: a number in the list, or an id. */
export function messageId(messages: readonly MessageRow[], ref: string): string {
  if (!/^\d+$/.test(ref)) return ref
  const row = messages[messages.length - Number(ref)]
  if (row !== undefined) return row.id
  const there = messages.length === 0 ? "There are none." : `There are ${messages.length}.`
  throw new Complaint(`There is no message number ${ref}. ${there}`)
}

function textOf({ parts, inbox }: MessageRow): string {
  const words = parts.flatMap((part) => {
    if (part.type === "text") return [part.text]
    return part.type === "context" ? [part.content] : []
  })
  return shortened(words.join(" ") || (inbox === null ? "" : JSON.stringify(inbox.payload)))
}
