import { expect, test } from "vitest"
import { piecesOf } from "./marked.ts"

test("[CPT-8] a snippet falls into plain pieces and found words, nothing left out", () => {
  const pieces = piecesOf({
    text: "…the red crab and the blue",
    marks: [
      [5, 8],
      [22, 26],
    ],
  })
  expect(pieces.map(({ text, isFound }) => (isFound ? `[${text}]` : text)).join("")).toBe(
    "…the [red] crab and the [blue]",
  )
  expect(piecesOf({ text: "", marks: [] })).toEqual([])
  expect(piecesOf({ text: "all", marks: [[0, 3]] })).toEqual([{ text: "all", isFound: true, at: 0 }])
})

test("[CPT-8] marks of markdown are not shown, and the words stay marked where they stand", () => {
  const pieces = piecesOf({
    text: "…the **red** crab\n- `red`",
    marks: [
      [7, 10],
      [21, 24],
    ],
  })
  expect(pieces.map(({ text, isFound }) => (isFound ? `[${text}]` : text)).join("")).toBe("…the [red] crab [red]")
})
