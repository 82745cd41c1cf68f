import { Parlor } from "@parlor/client"
import type { Part, ToolPart } from "@parlor/protocol"
import { messageOf } from "@parlor/protocol/testing"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { DayLine } from "../timeline/DayLine.tsx"
import { MessageRowView } from "../timeline/MessageRowView.tsx"
import { AuthorLine } from "./AuthorLine.tsx"
import { makeFolds } from "./folds.ts"
import { KeptOutput } from "./KeptOutput.tsx"
import { OwnWords } from "./OwnWords.tsx"
import { PartView } from "./PartView.tsx"
import { ReadingContext } from "./reading.ts"
import { ThinkingMessage } from "./Thinking.tsx"
import { ToolCard } from "./ToolCard.tsx"

const row = messageOf("msg_1", 1, "Words", { at: new Date("2026-05-14T09:05:00").getTime() })
const part = (given: Part, streaming = false) =>
  renderToStaticMarkup(<PartView message="msg_1" index={0} part={given} streaming={streaming} />)

describe("parts of a message", () => {
  it("thoughts are folded, and said to go on while they do", () => {
    expect(part({ type: "reasoning", text: "so it is" }, true)).toMatch(/Thinking….*3 words/)
    expect(part({ type: "reasoning", text: "so it is" })).toMatch(/Thought process.*3 words/)
  })

  it("[CMP-10] context says what it is, and is folded", () => {
    const html = part({ type: "context", kind: "k", title: "The weather", content: "It rains", metadata: {} })
    expect(html).toContain("Added context: The weather")
    expect(html).not.toContain("It rains")
  })

  it("[CMP-15] an attachment says its name and how large it is", () => {
    const html = part({ type: "attachment", hash: "h", name: "cat.png", mediaType: "image/png", bytes: 2_048 })
    expect(html).toContain("cat.png")
    expect(html).toContain("2 KB")
    expect(html).not.toContain("<img")
  })

  it("[CMP-15] a picture is shown on request, anything else is saved, and only where it can be read", () => {
    const attached = { type: "attachment", hash: "h", bytes: 10 } as const
    expect(part({ ...attached, name: "cat.png", mediaType: "image/png" })).toContain('aria-label="Show cat.png, 10 B"')
    expect(part({ ...attached, name: "a.svg", mediaType: "image/svg+xml" })).toContain(
      'aria-label="Download a.svg, 10 B"',
    )
    expect(part({ ...attached, name: "a.pdf", mediaType: "application/pdf" })).toContain("disabled")
  })

  it("a notice is plain", () => {
    expect(part({ type: "notice", code: "c", text: "It was left out" })).toContain("It was left out")
  })
})

describe("a tool call", () => {
  const tool: ToolPart = {
    type: "tool",
    call: "c1",
    name: "move_file",
    input: { from: "a.md", to: "b.md" },
    state: "done",
    output: { from: "a.md", to: "b.md" },
    error: null,
  }
  const conversation = new Parlor({ baseUrl: "http://127.0.0.1:9", token: "t" }).conversation("host")
  const card = (given: ToolPart, isOpen: boolean) =>
    renderToStaticMarkup(
      <ReadingContext value={{ conversation, folds: makeFolds(isOpen ? ["one"] : []) }}>
        <ToolCard id="one" message="msg_1" part={given} />
      </ReadingContext>,
    )

  it("says in one line what it did, and the rest when it is opened", () => {
    expect(card(tool, false)).toContain("a.md → b.md")
    expect(card(tool, false)).not.toContain("Output")
    expect(card(tool, true)).toContain("Copy output")
    expect(card(tool, true)).toContain("<details open")
  })

  it("an error stands out, with what went wrong", () => {
    const html = card({ ...tool, state: "failed", output: null, error: { code: "x", detail: "No such file" } }, true)
    expect(html).toMatch(/text-bad">failed/)
    expect(html).toContain("No such file")
    expect(html).not.toContain("Copy output")
  })

  it("[TRN-11] all of a long output can be had only where there is a conversation to ask", () => {
    const kept = <KeptOutput message="msg_1" call="c1" kept={{ characters: 9_000, beginning: "It begins" }} />
    expect(renderToStaticMarkup(kept)).not.toContain("Show all")
    const asked = <ReadingContext value={{ conversation, folds: makeFolds() }}>{kept}</ReadingContext>
    expect(renderToStaticMarkup(asked)).toContain("Show all 9,000 characters")
  })
})

describe("what stands around messages", () => {
  it("who and when, where one looks for it", () => {
    const html = renderToStaticMarkup(<AuthorLine name="critic" at={row.at} />)
    expect(html).toContain("critic")
    expect(html).toMatch(/<time aria-hidden="true" dateTime="2026-05-1\dT[^"]*" class="invisible/)
    expect(renderToStaticMarkup(<AuthorLine name="critic" />)).not.toContain("<time")
  })

  it("a day", () => {
    expect(renderToStaticMarkup(<DayLine at={row.at} />)).toContain("May")
    expect(renderToStaticMarkup(<DayLine at={Date.now()} />)).toContain("Today")
  })

  it("[MSG-9] the sign of a failure stands below its message, a day above it", () => {
    const acts = { hasActs: true, isNewest: false, version: 1, versions: 1, onVersion: () => {} }
    const failure = { code: "model.key", detail: "" }
    const html = renderToStaticMarkup(
      <MessageRowView message={row} agent="host" named opensDay isAttempt={false} failure={failure} {...acts} />,
    )
    const places = ["May", "<article", "No reply."].map((text) => html.indexOf(text))
    expect(places.every((place) => place !== -1)).toBe(true)
    expect(places).toEqual([...places].sort((a, b) => a - b))
  })

  it("what is on its way, and that somebody thinks", () => {
    expect(renderToStaticMarkup(<OwnWords text="hello" />)).toMatch(
      /aria-label="You, sending".*hello.*Not delivered yet/s,
    )
    expect(renderToStaticMarkup(<ThinkingMessage name="critic" named />)).toMatch(/critic.*critic is thinking/s)
    expect(renderToStaticMarkup(<ThinkingMessage name="critic" named={false} />)).not.toContain("font-semibold")
  })
})
