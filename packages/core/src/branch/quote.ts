/** A sidecar's answer as a message of its parent: quoted material, not the words of any author there (BRA-4). Pure. */
import { type MessageRow, type Part, type QueueRow, SIDECAR_ANSWER } from "@parlor/protocol"

export type SidecarAnswer = {
  readonly branch: string
  readonly title: string
  readonly message: string
  readonly text: string
}

/** Undefined for every other message. */
export function quotedPart({ type, payload }: Pick<QueueRow, "type" | "payload">): Part | undefined {
  if (type !== SIDECAR_ANSWER) return undefined
  const { branch, title, message, text } = payload as SidecarAnswer
  const metadata = { origin: `the sidecar ${branch}`, branch, message }
  return { type: "context", kind: "sidecar", title: title || branch, content: text, metadata }
}

/** An agent's final answer: its text, without reasoning and tools. */
export function answerOf(message: MessageRow): string {
  return message.parts
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("")
    .trim()
}
