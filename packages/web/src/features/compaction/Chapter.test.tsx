import type { ArchiveRow } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { Chapter } from "./Chapter.tsx"

const archive = {
  id: "arc_1",
  from: "m3",
  to: "m12",
  fromOrd: 3,
  toOrd: 12,
  title: "About <b>bread</b>",
  summary: "They baked.",
  tokensBefore: 1_000,
  tokensAfter: 100,
  archivedAt: 0,
  madeOrd: 12,
  began: 1,
  ended: null,
} as unknown as ArchiveRow

const shown = (change: Partial<ArchiveRow> = {}, isBusy = false) =>
  renderToStaticMarkup(
    <Chapter
      archive={{ ...archive, ...change }}
      href="#/host/main/m3"
      isOpen={false}
      isBusy={isBusy}
      onUndo={() => {}}
    />,
  )

it("[CPT-6] a chapter has a title, its size, what it saved, its summary and the way to its messages", () => {
  for (const words of ["10 messages", "90% smaller", "They baked.", 'href="#/host/main/m3"', "Undo"])
    expect(shown()).toContain(words)
  expect(shown()).not.toContain("<b>")
})

it("[CPT-5] one that was undone says so and cannot be undone again; nor can any while something runs", () => {
  expect(shown({ ended: 9 })).toContain("undone")
  expect(shown({ ended: 9 })).not.toContain("Undo<")
  expect(shown({ ended: 9 })).not.toContain("smaller")
  expect(shown({}, true)).toContain('disabled=""')
})
