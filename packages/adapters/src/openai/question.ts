/** A question of the agent as text, for clients that can only show and send text. */
import type { AskRow } from "@parlor/protocol"

export function questionText({ kind, title, detail, options }: AskRow): string {
  const lines = [`**${title}**`, ...(detail === "" ? [] : [detail])]
  if (kind === "approval") lines.push("Reply yes or no.")
  if (kind === "form") lines.push("Reply with JSON.")
  if (options !== null) lines.push(options.map((option, index) => `${index + 1}. ${option}`).join("\n"))
  return lines.join("\n\n")
}
