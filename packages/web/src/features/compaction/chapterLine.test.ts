import type { ArchiveRow } from "@parlor/protocol"
import { expect, test } from "vitest"
import { chapterLine, chaptersInOrder, messageCount, messagesWords, savedPercent } from "./chapterLine.ts"

const row = { archivedAt: 0, tokensBefore: 85_000, tokensAfter: 900, ended: null, fromOrd: 3, toOrd: 12 } as ArchiveRow

test("[CPT-6] a chapter says what it saved, and that it was undone", () => {
  expect(chapterLine(row)).toContain("tokens")
  expect(chapterLine(row)).not.toContain("undone")
  expect(chapterLine({ ...row, ended: 9 })).toContain("undone")
  expect(savedPercent(row)).toBe(99)
  expect(savedPercent({ tokensBefore: 0, tokensAfter: 5 })).toBe(0)
  expect(savedPercent({ tokensBefore: 10, tokensAfter: 20 })).toBe(0)
})

test("[CPT-6] and how many messages are in it", () => {
  expect(messageCount(row)).toBe(10)
  expect([messagesWords(1), messagesWords(10)]).toEqual(["1 message", "10 messages"])
})

test("[CPT-6] the last chapter comes first", () => {
  const older = { ...row, id: "a", archivedAt: 1 }
  const newer = { ...row, id: "b", archivedAt: 2 }
  expect(chaptersInOrder([older, newer]).map(({ id }) => id)).toEqual(["b", "a"])
})
