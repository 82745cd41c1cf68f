import type { ModelMessage } from "@parlor/core"

/** The messages of a request as text, for counting and comparing. Without the content of attachments. */
export function messagesText(messages: readonly ModelMessage[]): string {
  return JSON.stringify(messages.map((message) => (message.role === "person" ? named(message) : message)))
}

function named({ text, attachments = [] }: Extract<ModelMessage, { role: "person" }>): unknown {
  return attachments.length === 0
    ? { role: "person", text }
    : { role: "person", text, with: attachments.map(({ name }) => name) }
}
