/** What a part of a message says, in the order and as it is seen, for whoever looks for words in it. Pure. */
import { type Part, type ToolPart, unreachable } from "@parlor/protocol"
import { fileCall } from "./fileCall.ts"
import { keptOf, readable } from "./messageView.ts"

export type PartWords = {
  /** Seen as it stands: with marks of markdown, which are not seen, where there are any. */
  readonly seen: string
  /** Seen when it is unfolded, after the others. */
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
      return { seen: part.name, folded: toolWords(part) }
    default:
      return unreachable(part)
  }
}

/** As `ToolCard` shows them: what it was given, what came of it, what went wrong. */
function toolWords(part: ToolPart): string {
  const given = fileCall(part)?.diffs.join("\n") ?? readable(part.input)
  const output = keptOf(part)?.beginning ?? (part.output === null ? "" : readable(part.output))
  return [given, output, part.error?.detail ?? ""].join("\n")
}
