/** Labels for chapters (archives). Pure. */
import type { ArchiveRow } from "@parlor/protocol"
import { t } from "../../texts/en/compaction.ts"
import { dayText } from "../../texts/format.ts"

/** When it was made, and what it saved. */
export function chapterLine({ archivedAt, tokensBefore, tokensAfter, ended }: ArchiveRow): string {
  const when = dayText(archivedAt)
  const saved = t("tokensbeforeTokensafterTokens", { tokensBefore, tokensAfter })
  return `${when} · ${saved}${ended === null ? "" : ` · ${t("undone")}`}`
}

/** How many messages it covers: they are numbered in their order. */
export function messageCount({ fromOrd, toOrd }: Pick<ArchiveRow, "fromOrd" | "toOrd">): number {
  return toOrd - fromOrd + 1
}

export function messagesWords(count: number): string {
  return t("countMessages", { count })
}

/** Newest first: the last chapter is the one a person looks for. */
export function chaptersInOrder(archives: readonly ArchiveRow[]): readonly ArchiveRow[] {
  return [...archives].sort((a, b) => b.archivedAt - a.archivedAt)
}

/** How much smaller the context became, in percent. */
export function savedPercent({ tokensBefore, tokensAfter }: Pick<ArchiveRow, "tokensBefore" | "tokensAfter">): number {
  if (tokensBefore <= 0) return 0
  return Math.max(0, Math.round((1 - tokensAfter / tokensBefore) * 100))
}
