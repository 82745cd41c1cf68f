/**
 * A short fingerprint of a request, to tell whether a rebuilt prompt is what was sent (LOG-15). Pure.
 *
 * It detects drift, not tampering: it has to be cheap, because every step of every turn computes one.
 */
import type { ModelAgentPart, ModelMessage, ModelRequest } from "../ports/model.ts"

export function fingerprint({ instructions, messages, tools }: ModelRequest): string {
  // Instructions and tools have a hash of their own; only their presence is covered here.
  const names = tools.map(({ name }) => name)
  return mark(JSON.stringify([instructions.length, names, messages.map(plainMessage)]))
}

/** A message without the bytes of its attachments and of what is returned to its provider. */
export function plainMessage(message: ModelMessage) {
  if (message.role === "agent") return { role: message.role, parts: message.parts.map(plainPart) }
  if (message.role !== "person" || message.attachments === undefined) return message
  const attachments = message.attachments.map(({ name, mediaType, data }) => ({ name, mediaType, bytes: data.length }))
  return { ...message, attachments }
}

function plainPart(part: ModelAgentPart) {
  if (part.meta === undefined) return part
  const { meta, ...rest } = part
  return { ...rest, returned: JSON.stringify(meta).length }
}

/** Its length, and a 32-bit FNV-1a hash. */
function mark(text: string): string {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return `${text.length.toString(36)}.${(sum >>> 0).toString(36)}`
}
