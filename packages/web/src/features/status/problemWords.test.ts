import { errorTable } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { t } from "../../texts/en/problem.ts"
import { problemRow } from "./problemTable.ts"
import { noteOf, problemWords } from "./problemWords.ts"

/** What this page does not meet: how it speaks to the server is its own doing, and the SDK mends these. */
const notHere: ReadonlySet<string> = new Set([
  "request.json",
  "request.media-type",
  "request.encoding",
  "request.http",
  "request.headers-too-large",
  "offset.invalid",
  "cursor.invalid",
  "hook.signature",
])
/** What the page, the SDK and a turn add to the server's codes. */
const ours = ["network", "connection.lost", "timeout", "answer.unreadable", "turn.too-many-steps", "handler.failed"]
const codes = [...Object.keys(errorTable).filter((code) => !notHere.has(code)), ...ours]

describe("the words for a problem", () => {
  it("every code has words of its own: what happened, and what to do", () => {
    for (const code of codes) {
      const { title = "", advice = "" } = problemRow(code) ?? {}
      expect(title.length, code).toBeGreaterThan(5)
      expect(title, "a title has no full stop").not.toMatch(/[.!]$/)
      expect(advice, `${code}: advice is a sentence`).toMatch(/^[A-Z].{8,}[.]$/)
      expect(`${title} ${advice}`, "no jargon").not.toMatch(/\b(JSON|HTTP|header|idempot|payload|null|undefined)\b/i)
    }
  })

  it("has no words for what does not exist", () => {
    const known = new Set([...Object.keys(errorTable), ...ours])
    const beside = t.keys.filter((code) => !known.has(code))
    expect(beside.sort()).toEqual([
      "attachment.gone",
      "handler.timeout",
      "harness.failed",
      "harness.interrupted",
      "harness.start",
      "harness.timeout",
      "harness.too-much",
      "model.key",
      "model.quota",
      "send.cancelled",
      "steer.guests",
      "steer.nothing-running",
      "tool.failed",
      "tool.input",
      "tool.refused",
      "tool.timeout",
      "tool.unknown",
      "wakeup.over",
    ])
  })

  it("adds what the server says where that helps, and leaves ids out", () => {
    expect(problemWords({ code: "memory.full", detail: "It holds 200 memories" }).detail).toBe(
      "It holds 200 memories. Delete or unpin one you no longer need.",
    )
    expect(problemWords({ code: "rollback.unknown", detail: "There is no rollback rbk_1." }).detail).not.toContain(
      "rbk_1",
    )
  })

  it("a code that is no word of ours is not looked up in what every object has", () => {
    expect(problemWords({ code: "constructor", detail: "Odd." })).toEqual({
      title: "Something went wrong",
      detail: "Odd.",
    })
    expect(problemWords({ code: "constructor", detail: "" }).detail).not.toBe("")
    expect(noteOf("text")).toEqual({ code: "unknown", detail: "text" })
    expect(noteOf({ code: 5, message: "m" })).toEqual({ code: "unknown", detail: "m" })
  })
})
