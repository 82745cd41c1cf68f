import type { FeedRow } from "./rows/feed.ts"

/** Whether a conversation waits for its person. Their number is on the icon of the installed app (APP-5). */
export function needsYou(row: Pick<FeedRow, "state" | "asks">): boolean {
  return row.asks > 0 || row.state === "waiting"
}

/** Whether it counts for that number: side chats and archived conversations do not. */
export function countsAsNeeding(row: Pick<FeedRow, "state" | "asks" | "ephemeral" | "archived">): boolean {
  return !row.ephemeral && !row.archived && needsYou(row)
}
