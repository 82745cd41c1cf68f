/** The searchable text of a message part, in visual order. Pure. */
import { type Part, type ToolPart, unreachable } from "@parlor/protocol"
import { askedWords } from "./askedWords.ts"
import { fileCall } from "./fileCall.ts"
import { keptOf, readable } from "./messageView.ts"
import { toolTitle } from "./toolTitle.ts"

export type PartWords = {
  /** Always visible; may contain Markdown syntax. */
  readonly seen: string
  /** Visible when expanded, after the rest. */
  readonly folded: string
}

export function partWords(part: Part): PartWords {
  switch (part.type) {
    case "text":
    case "notice":
      return { seen: part.text, folded: "" }
    case "attachment":
      return { seen: part.name, folded: "" }
    case "reasoning":
      return { seen: "", folded: part.text }
    case "context":
      return { seen: "", folded: part.content }
    case "tool":
      return { seen: seenWords(part), folded: toolWords(part) }
    default:
      return unreachable(part)
  }
}

function seenWords(part: ToolPart): string {
  const said = askedWords(part)
  return said === undefined ? toolTitle(part).text : `${said.question} ${said.answer}`
}

/** As `ToolCard` shows them: input, output and error. */
function toolWords(part: ToolPart): string {
  const given = fileCall(part)?.diffs.join("\n") ?? readable(part.input)
  const output = keptOf(part)?.beginning ?? (part.output === null ? "" : readable(part.output))
  return [given, output, part.error?.detail ?? ""].join("\n")
}
