import type { MessageRow, Part } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { LADDER, piecesOf, transcriptOf } from "./transcript.ts"

const message = (role: "person" | "agent", parts: Part[], author = "") =>
  ({ role, author, parts, trigger: null, inbox: null }) as unknown as MessageRow
const tool: Part = {
  type: "tool",
  call: "c",
  name: "read_file",
  input: { path: "a" },
  state: "done",
  output: "y".repeat(5_000),
  error: null,
}

describe("the transcript to summarize", () => {
  it("[CPT-1] says who said what, and what tools were used", () => {
    const [person, agent, guest] = transcriptOf(
      [
        message("person", [{ type: "text", text: "read a" }]),
        message("agent", [tool, { type: "reasoning", text: "hm" }, { type: "text", text: "It is long." }]),
        message("agent", [{ type: "text", text: "Indeed." }], "critic"),
      ],
      LADDER[0] ?? { toolChars: 0, share: 1 },
      10_000,
    )
    expect(person).toBe("## Person\nread a")
    expect(agent).toMatch(
      /^## Agent\n\[tool read_file: done\] \{"path":"a"\} → "y+ \[… 1002 characters left out …\] y+"\nIt is long\.$/,
    )
    expect(agent).not.toContain("hm")
    expect(guest).toBe("## Guest critic\nIndeed.")
  })

  it("[CPT-12] shows less tool output on each rung of the ladder, and never less of anyone's messages", () => {
    const said = "z".repeat(20_000)
    const messages = [message("agent", [tool, { type: "text", text: said }])]
    const texts = LADDER.map((rung) => transcriptOf(messages, rung, 10_000).join(""))
    for (const text of texts) expect(text).toContain(said)
    expect(texts.map(({ length }) => length)).toEqual([...texts.map(({ length }) => length)].sort((a, b) => b - a))
    expect(texts[2]).toBe(`## Agent\n[tool read_file: done]\n${said}`)
  })

  it("[CPT-12] is split into pieces that fit, in order, with nothing left out", () => {
    const pieces = piecesOf(["aaaa", "bbbb", "cc", "dddddd"], 10)
    expect(pieces).toEqual(["aaaa\n\nbbbb", "cc\n\ndddddd"])
    expect(piecesOf(["x".repeat(25)], 10)).toEqual(["x".repeat(10), "x".repeat(10), "x".repeat(5)])
    expect(piecesOf(["😀".repeat(4)], 5)).toEqual(["😀😀", "😀😀"])
    expect(piecesOf([], 10)).toEqual([])
  })

  it("[CPT-12] cuts a text longer than eight pieces to its beginning and end, and says how much is missing", () => {
    const text = `begin ${"x".repeat(100_000)} end`
    const [all] = transcriptOf([message("person", [{ type: "text", text }])], { toolChars: 0, share: 1 }, 1_000)
    expect(all).toMatch(/^## Person\nbegin x+ \[… 92010 characters left out …\] x+ end$/)
  })

  it("[CPT-12] includes what a program sent, and no failed attempts", () => {
    const sent = { ...message("person", []), inbox: { type: "build", payload: { ok: true } } } as MessageRow
    const failed = { ...message("agent", [{ type: "text", text: "no" }]), state: "failed" } as MessageRow
    expect(transcriptOf([sent, failed], { toolChars: 0, share: 1 }, 1_000)).toEqual(['## Person\n[build] {"ok":true}'])
  })

  it("[CPT-1] says what was attached, what sent a message by itself, and why a tool failed; who says nothing is left out", () => {
    const file: Part = { type: "attachment", hash: "h", name: "a.pdf", mediaType: "application/pdf", bytes: 1 }
    const fired = { ...message("person", [file]), trigger: { source: "schedule" } } as unknown as MessageRow
    const failed = (error: object | null) =>
      message("agent", [{ ...tool, state: "failed", output: "late", error } as Part])
    const silent = message("agent", [{ type: "reasoning", text: "hm" }])
    const rung = { toolChars: 100, share: 1 }
    expect(
      transcriptOf([fired, failed({ code: "e", detail: "No funds." }), failed(null), silent], rung, 1_000),
    ).toEqual([
      "## Trigger (schedule)\n[attachment a.pdf]",
      '## Agent\n[tool read_file: failed] {"path":"a"} → No funds.',
      '## Agent\n[tool read_file: failed] {"path":"a"} → ',
    ])
  })

  it("[CPT-12] what just fits is whole, and no character is cut in two", () => {
    const exact = message("person", [{ type: "text", text: "x".repeat(800) }])
    expect(transcriptOf([exact], { toolChars: 0, share: 1 }, 100)).toEqual([`## Person\n${"x".repeat(800)}`])
    expect(piecesOf(["x".repeat(10)], 10)).toEqual(["x".repeat(10)])
    for (const character of ["\u{10000}", "\u{10ffff}"])
      expect(piecesOf([`abcd${character}efgh`], 5)).toEqual(["abcd", `${character}efg`, "h"])
    expect(piecesOf(["\u{10000}"], 1).join("")).toHaveLength(2)
  })
})
