/** What full-text search finds a row by (CPT-7): what was said, not what was thought or what tools gave. */
import type { ArchiveRow, MessageRow } from "@parlor/protocol"

/** Undefined while it is being said. */
export function messageText({ state, parts }: Pick<MessageRow, "state" | "parts">): string | null | undefined {
  if (state !== "done" && state !== "truncated") return undefined
  const said = parts.filter((part) => part.type === "text").map((part) => part.text)
  return said.length === 0 ? null : said.join("\n")
}

/** None once it is no longer in force: its messages stand for themselves again. */
export function archiveText({ title, summary, ended }: ArchiveRow): string | null {
  return ended === null ? `${title}\n${summary}` : null
}
