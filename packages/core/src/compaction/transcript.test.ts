import type { MessageRow, Part } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { LADDER, piecesOf, transcriptOf } from "./transcript.ts"

const message = (role: "person" | "agent", parts: Part[], author = "") =>
  ({ role, author, parts, trigger: null }) as unknown as MessageRow
const tool: Part = {
  type: "tool",
  call: "c",
  name: "read_file",
  input: { path: "a" },
  state: "done",
  output: "y".repeat(5_000),
  error: null,
}

describe("the transcript to sum up", () => {
  it("[CPT-1] says who said what, and what tools were used", () => {
    const [person, agent, guest] = transcriptOf(
      [
        message("person", [{ type: "text", text: "read a" }]),
        message("agent", [tool, { type: "reasoning", text: "hm" }, { type: "text", text: "It is long." }]),
        message("agent", [{ type: "text", text: "Indeed." }], "critic"),
      ],
      LADDER[0] ?? { toolChars: 0, textChars: 0 },
    )
    expect(person).toBe("## Person\nread a")
    expect(agent).toMatch(/^## Agent\n\[tool read_file: done\] \{"path":"a"\} → "y+ \[…\]\nIt is long\.$/)
    expect(agent).not.toContain("hm")
    expect(guest).toBe("## Guest critic\nIndeed.")
  })

  it("[CPT-4] says less on each rung of the ladder", () => {
    const messages = [message("agent", [tool, { type: "text", text: "z".repeat(20_000) }])]
    const lengths = LADDER.map((rung) => transcriptOf(messages, rung).join("").length)
    expect(lengths[0]).toBeGreaterThan(24_000)
    expect(lengths[1]).toBeLessThan(9_000)
    expect(lengths[2]).toBeLessThan(1_200)
  })

  it("[CPT-4] comes in pieces that fit, in order, nothing left out", () => {
    const pieces = piecesOf(["aaaa", "bbbb", "cc", "dddddd"], 10)
    expect(pieces).toEqual(["aaaa\n\nbbbb", "cc\n\ndddddd"])
    expect(piecesOf(["x".repeat(30)], 10)).toEqual([`${"x".repeat(10)} […]`])
    expect(piecesOf([], 10)).toEqual([])
  })
})
