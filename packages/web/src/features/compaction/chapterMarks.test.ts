import type { ArchiveRow, MessageId } from "@parlor/protocol"
import { messageOf, rollbackWith } from "@parlor/protocol/testing"
import { expect, it } from "vitest"
import { chapterMarks } from "./chapterMarks.ts"

const messages = [1, 2, 3, 4].map((ord) => messageOf(`m${ord}`, ord, "x"))
const archive = (change: Partial<ArchiveRow> = {}): ArchiveRow => ({
  id: "arc_1",
  from: "m1" as MessageId,
  to: "m2" as MessageId,
  fromOrd: 1,
  toOrd: 2,
  title: "Tea",
  summary: "",
  tokensBefore: 9,
  tokensAfter: 1,
  archivedAt: 0,
  madeOrd: 4,
  began: 1,
  ended: null,
  ...change,
})

it("[MSG-15] a chapter in force is marked below its last message; one that is undone or rolled back is not", () => {
  expect([...chapterMarks(messages, [archive()], []).keys()]).toEqual(["m2"])
  expect(chapterMarks(messages, [archive({ ended: 5 })], []).size).toBe(0)
  expect(chapterMarks(messages, [archive()], [rollbackWith("r", { toOrd: 3, fromOrd: 4 })]).size).toBe(0)
  expect(chapterMarks(messages.slice(2), [archive()], []).size).toBe(0)
})
