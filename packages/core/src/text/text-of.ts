import type { Part } from "@parlor/protocol"

/** The text of a message, without reasoning, tools and notices. */
export function textOf(parts: readonly Part[]): string {
  let text = ""
  for (const part of parts) if (part.type === "text") text += part.text
  return text
}
