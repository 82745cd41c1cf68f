import type { ArchiveRow } from "@parlor/protocol"

/** When it was, and what it saved. Pure. */
export function chapterLine({ archivedAt, tokensBefore, tokensAfter, ended }: ArchiveRow): string {
  const when = new Date(archivedAt).toLocaleDateString()
  const saved = `${tokensBefore.toLocaleString()} → ${tokensAfter.toLocaleString()} tokens`
  return `${when} · ${saved}${ended === null ? "" : " · undone"}`
}
