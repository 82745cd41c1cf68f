/**
 * Requests that chat clients make on their own: a title, tags, follow-up questions. They are not part of the
 * conversation. Clients do not mark them, so they are recognized by the clients' default prompts.
 */
import type { SaidAll } from "./said.ts"

/** Of LibreChat. */
const TITLE_PROMPTS = [
  "provide a concise, 5-word-or-less title",
  "please generate a concise, 5-word-or-less title",
  "analyze this conversation and provide:",
] as const

export function isTaskPrompt({ history, message }: SaidAll): boolean {
  if (history.length > 0 || message.files.length > 0) return false
  const text = message.text.trimStart()
  // Open WebUI. Its prompt for searching documents begins the same way, but belongs to the conversation.
  if (text.startsWith("### Task:")) return text.includes("<chat_history>") || text.includes("autocompletion system")
  const opening = text.slice(0, 100).toLowerCase()
  return TITLE_PROMPTS.some((prompt) => opening.startsWith(prompt))
}
