/** The demo model's summary of a conversation: what was asked, in a few lines. */
import type { ModelRequest } from "@parlor/core"
import { type Script, say } from "./script.ts"

const maxLines = 12
const maxLineChars = 120

export function summary(request: ModelRequest): Script {
  const text = request.messages.map((message) => (message.role === "person" ? message.text : "")).join("\n")
  const before = between(text, "Summary of what came before:\n\n", "\n\n---")
  const asked = [...text.matchAll(/^## Person\n(.+)$/gm)].map(([, line = ""]) =>
    line.slice(0, maxLineChars).toWellFormed(),
  )
  const first = asked[0] ?? "nothing in particular"
  const list = asked.slice(-maxLines).map((line) => `- ${line}`)
  return say(
    [`The person began with “${first}”.`, before, "They asked for:", ...list].filter((one) => one !== "").join("\n"),
  )
}

function between(text: string, opening: string, closing: string): string {
  const start = text.indexOf(opening)
  const end = start === -1 ? -1 : text.indexOf(closing, start + opening.length)
  return end === -1 ? "" : text.slice(start + opening.length, end)
}
