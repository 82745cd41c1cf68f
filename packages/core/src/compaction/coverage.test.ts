import type { ArchiveRow, MessageRow, StepNote } from "@parlor/protocol"
import { expect, it } from "vitest"
import { uncovered } from "./coverage.ts"

const messages = [3, 1, 2, 4, 5, 6].map((ord) => ({ id: `m${ord}`, ord })) as unknown as Pick<
  MessageRow,
  "id" | "ord"
>[]
const archive = (id: string, fromOrd: number, toOrd: number, began: number, ended: number | null = null) =>
  ({ id, fromOrd, toOrd, began, ended }) as ArchiveRow
const step = (change: object) => ({ shown: [[5, 5]], archive: null, message: "m6", ...change }) as unknown as StepNote

it("[CPT-12] what was neither shown nor summed up before a step is uncovered, in order", () => {
  expect(uncovered(step({}), messages, [])).toEqual([1, 2, 3, 4])
  expect(
    uncovered(
      step({
        shown: [
          [1, 2],
          [4, 5],
        ],
      }),
      messages,
      [],
    ),
  ).toEqual([3])
  expect(uncovered(step({ message: "gone" }), messages, [])).toEqual([1, 2, 3, 4])
  expect(uncovered(step({ message: "gone", shown: [] }), messages, [])).toEqual([])
})

it("[CPT-12] the archive it was shown counts, and those it was built on", () => {
  const archives = [archive("a", 1, 2, 10, 30), archive("b", 3, 4, 20)]
  expect(uncovered(step({ archive: "b" }), messages, archives)).toEqual([])
  expect(uncovered(step({ archive: "a" }), messages, archives)).toEqual([3, 4])
  expect(uncovered(step({ archive: "none" }), messages, archives)).toEqual([1, 2, 3, 4])
  expect(uncovered(step({ archive: "b" }), messages, [archive("a", 1, 2, 10, 20), archive("b", 3, 4, 20)])).toEqual([
    1, 2,
  ])
})
