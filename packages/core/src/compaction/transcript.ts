/**
 * A range of messages as plain text, for a model to summarize. Pure.
 *
 * Plain text is always a valid request: no tool calls, no alternating roles. No message is dropped: what does not fit
 * one request continues in the next. Each rung of the ladder asks for less at once and shows less tool output, in case
 * a request is rejected.
 */
import type { MessageRow, Part } from "@parlor/protocol"

export type Rung = {
  readonly toolChars: number
  /** The share of the room for one piece. */
  readonly share: number
}

export const LADDER: readonly Rung[] = [
  { toolChars: 4_000, share: 1 },
  { toolChars: 300, share: 1 / 2 },
  { toolChars: 0, share: 1 / 4 },
]

/** A longer text is cut to its beginning and end, so that one message cannot cost any number of requests. */
const MAX_TEXT_PIECES = 8

/** `room`: the characters of one piece. */
export function transcriptOf(messages: readonly MessageRow[], rung: Rung, room: number): readonly string[] {
  const most = { tool: rung.toolChars, text: room * MAX_TEXT_PIECES }
  return messages.flatMap((message) => {
    // A failed attempt was never shown to a model.
    if (message.state === "failed") return []
    const said = message.parts.map((part) => partText(part, most)).filter((text) => text !== "")
    if (message.inbox !== null)
      said.unshift(shortened(`[${message.inbox.type}] ${JSON.stringify(message.inbox.payload)}`, most.text))
    return said.length === 0 ? [] : [`## ${who(message)}\n${said.join("\n")}`]
  })
}

/** Pieces of at most `maxChars` characters, in order; a longer text continues in the next piece. */
export function piecesOf(texts: readonly string[], maxChars: number): readonly string[] {
  const pieces: string[] = []
  let piece = ""
  for (const text of texts.flatMap((one) => split(one, maxChars))) {
    if (piece !== "" && piece.length + text.length + 2 > maxChars) {
      pieces.push(piece)
      piece = ""
    }
    piece = piece === "" ? text : `${piece}\n\n${text}`
  }
  return piece === "" ? pieces : [...pieces, piece]
}

/** The beginning and the end of a text, with the number of omitted characters in between. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const tail = Math.floor(most / 4)
  const head = Math.max(0, Math.floor(most) - tail)
  const left = text.length - head - tail
  return `${text.slice(0, head).toWellFormed()} [… ${left} characters left out …] ${text.slice(text.length - tail).toWellFormed()}`
}

function split(text: string, maxChars: number): readonly string[] {
  const length = Math.max(1, Math.floor(maxChars))
  if (text.length <= length) return [text]
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    let end = Math.min(text.length, from + length)
    if (end < text.length && isHighSurrogate(text, end - 1) && end - 1 > from) end -= 1
    pieces.push(text.slice(from, end).toWellFormed())
    from = end
  }
  return pieces
}

function isHighSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xd800 && code <= 0xdbff
}

function who(message: MessageRow): string {
  if (message.role === "person") return message.trigger === null ? "Person" : `Trigger (${message.trigger.source})`
  return message.author === "" ? "Agent" : `Guest ${message.author}`
}

type PartLimits = { readonly tool: number; readonly text: number }

function partText(part: Part, most: PartLimits): string {
  switch (part.type) {
    case "text":
      return shortened(part.text, most.text)
    case "context":
      return shortened(`[${part.kind}: ${part.title}]\n${part.content}`, most.text)
    case "tool":
      return toolText(part, most.tool)
    case "attachment":
      return `[attachment ${part.name}]`
    case "reasoning":
    case "notice":
      return ""
  }
}

function toolText(part: Extract<Part, { type: "tool" }>, most: number): string {
  const call = `[tool ${part.name}: ${part.state}]`
  if (most === 0) return call
  const output = part.state === "failed" ? (part.error?.detail ?? "") : JSON.stringify(part.output)
  return `${call} ${shortened(JSON.stringify(part.input), most)} → ${shortened(output, most)}`
}
