/** The demo model's title of a conversation: the words of the first message that matter. */
import type { ModelRequest } from "@parlor/core"
import { type Script, say } from "./script.ts"

const MAX_WORDS = 6
/** Words that say how something is asked, not what. */
const POLITE =
  /^(please|can|could|would|will|you|me|tell|show|give|write|make|do|i|we|want|need|to|a|an|the|some|my|hello|hi|hey|about|for|of)$/i

export function title(request: ModelRequest): Script {
  const text = request.messages.map((message) => (message.role === "person" ? message.text : "")).join("\n")
  const [, asked = ""] = /^The person wrote:\n(.+)$/m.exec(text) ?? []
  const words = asked
    .replace(/[^\p{L}\p{N}\s'’_./-]/gu, " ")
    .split(/\s+/)
    .filter(Boolean)
  const first = words.findIndex((word) => !POLITE.test(word))
  const kept = words.slice(Math.max(0, first), Math.max(0, first) + MAX_WORDS).join(" ")
  return say(kept === "" ? "A first hello" : kept.charAt(0).toUpperCase() + kept.slice(1))
}
