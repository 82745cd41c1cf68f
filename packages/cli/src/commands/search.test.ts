import type { SearchHitView } from "@parlor/protocol"
import { expect, test } from "vitest"
import { hitLines } from "./search.ts"

const hit: SearchHitView = {
  kind: "message",
  agent: "host",
  branch: "main",
  title: "",
  at: 0,
  snippet: {
    text: "…the **red** crab\n- `red` \u001b[31m",
    marks: [
      [7, 10],
      [21, 24],
    ],
  },
  message: "msg_1",
  role: "agent",
  author: "",
  dimmed: true,
}

test("[CPT-8] a hit is two lines: where it is, and plain text, with matches in brackets on a terminal", () => {
  const [place, words, rest] = hitLines(hit, true).split("\n")
  expect(place).toMatch(/^host\/main {2}.* {2}agent {2}msg_1 {2}\(rolled back\)$/)
  expect(words).toBe("    …the [red] crab [red] \u241b[31m")
  expect(rest).toBe("")
  expect(hitLines(hit, false).split("\n")[1]).toBe("    …the red crab red \u241b[31m")
})
