/**
 * The last resort for a message larger than the window: its longest parts are shortened, with a note in place of what
 * was removed (CPT-14). Pure; the stored message does not change.
 */
import type { MessageRow, Part } from "@parlor/protocol"
import { charsPerToken, type Prompt, promptTokens } from "./size.ts"

/** Shortening further would leave nothing worth reading. */
const MIN_CHARS = 500

/** The maximum length of a part so that the prompt fits in `tokens`. Undefined if it fits as it is. */
export function maxPartChars(prompt: Prompt, tokens: number): number | undefined {
  let excess = (promptTokens(prompt) - tokens) * charsPerToken(prompt)
  if (excess <= 0) return undefined
  const sizes = prompt.messages.flatMap(({ parts, inbox }) => [...parts.map(textChars), payloadChars(inbox)])
  sizes.sort((a, b) => b - a)
  let most = sizes[0] ?? 0
  // The longest parts are cut to the length of the next shorter one, together, until enough is saved.
  for (let count = 1; count <= sizes.length && excess > 0; count++) {
    const next = Math.max(sizes[count] ?? 0, MIN_CHARS)
    const saved = Math.min(excess, Math.max(0, most - next) * count)
    excess -= saved
    most -= saved / count
  }
  return Math.max(MIN_CHARS, Math.floor(most))
}

export function shortenParts(messages: readonly MessageRow[], most: number): readonly MessageRow[] {
  return messages.map((message) => {
    if (!isLong(message, most)) return message
    const { inbox } = message
    const isLongPayload = payloadChars(inbox) > most
    return {
      ...message,
      parts: message.parts.map((part) => shortenPart(part, most)),
      inbox:
        inbox !== null && isLongPayload ? { ...inbox, payload: shorten(JSON.stringify(inbox.payload), most) } : inbox,
    }
  })
}

/** How many characters of these messages a model is not shown. */
export function leftOutChars(messages: readonly MessageRow[], most: number): number {
  let left = 0
  for (const { parts, inbox } of messages)
    for (const chars of [...parts.map(textChars), payloadChars(inbox)]) left += Math.max(0, chars - most)
  return left
}

function isLong({ parts, inbox }: MessageRow, most: number): boolean {
  return payloadChars(inbox) > most || parts.some((part) => textChars(part) > most)
}

function shortenPart(part: Part, most: number): Part {
  if (textChars(part) <= most) return part
  if (part.type === "text") return { ...part, text: shorten(part.text, most) }
  if (part.type === "context") return { ...part, content: shorten(part.content, most) }
  if (part.type !== "tool") return part
  const half = Math.floor(most / 2)
  const input = jsonText(part.input)
  const output = jsonText(part.output)
  return {
    ...part,
    input: input.length > half ? { shortened: shorten(input, half) } : part.input,
    output: output.length > half ? shorten(output, half) : part.output,
  }
}

/** The beginning and the end of a text, with a note in between. */
function shorten(text: string, most: number): string {
  const tail = Math.floor(most / 4)
  const head = most - tail
  const left = text.length - head - tail
  const note = `[… ${left} characters omitted: the message is too large for the model …]`
  return `${text.slice(0, head).toWellFormed()}\n${note}\n${text.slice(text.length - tail).toWellFormed()}`
}

function textChars(part: Part): number {
  if (part.type === "text") return part.text.length
  if (part.type === "context") return part.content.length
  return part.type === "tool" ? jsonText(part.input).length + jsonText(part.output).length : 0
}

function payloadChars(inbox: MessageRow["inbox"]): number {
  return inbox === null ? 0 : jsonText(inbox.payload).length
}

function jsonText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}
