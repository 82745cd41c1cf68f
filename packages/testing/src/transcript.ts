/** A message as one line of plain text, for readable tests. Pure. */
import type { MessageRow, Part } from "@parlor/protocol"

export function lineOf(message: MessageRow): string {
  const state = message.state === "done" ? "" : ` (${message.state})`
  const said = message.inbox === null ? "" : `[${message.inbox.type} ${JSON.stringify(message.inbox.payload)}]`
  return `${message.author || message.role}${state}: ${said}${message.parts.map(partText).join("")}`
}

function partText(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text
    case "reasoning":
      return ""
    case "tool":
      return `[${part.name} ${part.state}: ${JSON.stringify(part.output ?? part.error?.code ?? null)}]`
    case "context":
      return `[${part.kind}: ${part.title}]`
    case "attachment":
      return `[attachment: ${part.name}]`
    case "notice":
      return `[${part.text}]`
  }
}
