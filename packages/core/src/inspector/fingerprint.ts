/**
 * A short mark of a request, to tell whether what is rebuilt later is what was sent (LOG-15). Pure.
 *
 * It guards against drift, not against anybody: it has to be cheap, because every step of every turn takes one.
 */
import type { ModelMessage, ModelRequest } from "../ports/model.ts"

export function fingerprint({ instructions, messages, tools }: ModelRequest): string {
  // Instructions and tools are kept by a hash of their own; what is left of them to guard is which of them went along.
  const names = tools.map(({ name }) => name)
  return mark(JSON.stringify([instructions.length, names, messages.map(plainMessage)]))
}

/** A message without the bytes of what goes along with it. */
export function plainMessage(message: ModelMessage) {
  if (message.role !== "person" || message.attachments === undefined) return message
  const attachments = message.attachments.map(({ name, mediaType, data }) => ({ name, mediaType, bytes: data.length }))
  return { ...message, attachments }
}

/** Its length, and 32 bits of FNV-1a over it. */
function mark(text: string): string {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return `${text.length.toString(36)}.${(sum >>> 0).toString(36)}`
}
