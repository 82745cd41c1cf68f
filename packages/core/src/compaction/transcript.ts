/**
 * A stretch of conversation as plain text, for a model that is to sum it up. Pure.
 *
 * As text it is a valid request whatever it holds: no tool calls, no roles to alternate. Each rung of the ladder says
 * less of what tools answered and of long texts, for when the whole is too much.
 */
import type { MessageRow, Part } from "@parlor/protocol"

export type Rung = { readonly toolChars: number; readonly textChars: number }

/** From everything to the bare outline. */
export const LADDER: readonly Rung[] = [
  { toolChars: 4_000, textChars: Number.POSITIVE_INFINITY },
  { toolChars: 300, textChars: 8_000 },
  { toolChars: 0, textChars: 1_000 },
]

export function transcriptOf(messages: readonly MessageRow[], rung: Rung): readonly string[] {
  return messages.flatMap((message) => {
    const said = message.parts.map((part) => partText(part, rung)).filter((text) => text !== "")
    return said.length === 0 ? [] : [`## ${who(message)}\n${said.join("\n")}`]
  })
}

/** Pieces of at most so many characters, in order; a message longer than that is cut. */
export function piecesOf(texts: readonly string[], maxChars: number): readonly string[] {
  const pieces: string[] = []
  let piece = ""
  for (const text of texts.map((one) => cut(one, maxChars))) {
    if (piece !== "" && piece.length + text.length + 2 > maxChars) {
      pieces.push(piece)
      piece = ""
    }
    piece = piece === "" ? text : `${piece}\n\n${text}`
  }
  return piece === "" ? pieces : [...pieces, piece]
}

function who(message: MessageRow): string {
  if (message.role === "person") return message.trigger === null ? "Person" : `Trigger (${message.trigger.source})`
  return message.author === "" ? "Agent" : `Guest ${message.author}`
}

function partText(part: Part, rung: Rung): string {
  switch (part.type) {
    case "text":
      return cut(part.text, rung.textChars)
    case "context":
      return cut(`[${part.kind}: ${part.title}]\n${part.content}`, rung.textChars)
    case "tool":
      return toolText(part, rung)
    case "attachment":
      return `[attachment ${part.name}]`
    case "reasoning":
    case "notice":
      return ""
  }
}

function toolText(part: Extract<Part, { type: "tool" }>, { toolChars }: Rung): string {
  const call = `[tool ${part.name}: ${part.state}]`
  if (toolChars === 0) return call
  const output = part.state === "failed" ? (part.error?.detail ?? "") : JSON.stringify(part.output)
  return `${call} ${cut(JSON.stringify(part.input), toolChars)} → ${cut(output, toolChars)}`
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()} […]`
}
