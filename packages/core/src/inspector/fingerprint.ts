/**
 * A short mark of a request, to tell whether what is rebuilt later is what was sent (LOG-15). Pure.
 *
 * It guards against drift, not against anybody: it has to be cheap, because every step of every turn takes one.
 */
import type { ModelMessage, ModelRequest } from "../ports/model.ts"

export function fingerprint({ instructions, messages, tools }: ModelRequest): string {
  const names = tools.map(({ name }) => name)
  return mark(JSON.stringify([instructions, messages.map(plainMessage), names]))
}

/** A message without the bytes of what goes along with it. */
export function plainMessage(message: ModelMessage) {
  if (message.role !== "person" || message.attachments === undefined) return message
  const attachments = message.attachments.map(({ name, mediaType, data }) => ({ name, mediaType, bytes: data.length }))
  return { ...message, attachments }
}

/** Two rounds of multiply and shift over the text, 53 bits of them. */
function mark(text: string): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 2_654_435_761)
    b = Math.imul(b ^ code, 1_597_334_677)
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & b) + (a >>> 0)).toString(36)
}
