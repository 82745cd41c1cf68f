import type { ArchiveRow } from "@parlor/protocol"
import { expect, test } from "vitest"
import { chapterLine } from "./chapterLine.ts"

test("[CPT-6] a chapter says what it saved, and that it was undone", () => {
  const row = { archivedAt: 0, tokensBefore: 85_000, tokensAfter: 900, ended: null } as ArchiveRow
  expect(chapterLine(row)).toContain("tokens")
  expect(chapterLine(row)).not.toContain("undone")
  expect(chapterLine({ ...row, ended: 9 })).toContain("undone")
})
