/** The text that full-text search indexes for a row (CPT-7): messages, without reasoning and tool output. */
import type { ArchiveRow, MessageRow } from "@parlor/protocol"

/** Undefined while it is streaming. */
export function messageText({ state, parts }: Pick<MessageRow, "state" | "parts">): string | null | undefined {
  if (state !== "done" && state !== "truncated") return undefined
  const said = parts.filter((part) => part.type === "text").map((part) => part.text)
  return said.length === 0 ? null : said.join("\n")
}

/** Null once it is no longer in force: its messages are shown to the model again. */
export function archiveText({ title, summary, ended }: ArchiveRow): string | null {
  return ended === null ? `${title}\n${summary}` : null
}
