import type { Part } from "@parlor/protocol"

/** What was said in a message, without thoughts, tools and notices. */
export function textOf(parts: readonly Part[]): string {
  let text = ""
  for (const part of parts) if (part.type === "text") text += part.text
  return text
}
