import type { InspectedPrompt } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { ChangeLog } from "./ChangeLog.tsx"
import { glance, inspected, step } from "./fixtures.ts"
import { LongText } from "./LongText.tsx"
import { PromptView } from "./PromptView.tsx"
import { ToolsOffered } from "./ToolsOffered.tsx"
import { TurnChart } from "./TurnChart.tsx"
import { TurnDetail } from "./TurnDetail.tsx"
import { TurnList } from "./TurnList.tsx"
import { Waterfall } from "./Waterfall.tsx"

const never = () => {
  throw new Error("nobody pressed anything")
}
const detail = (change: Parameters<typeof inspected>[0] = {}) =>
  renderToStaticMarkup(<TurnDetail inspected={inspected(change)} now={9_000} onStep={never} />)
const request = step().prompt.request

describe("the list of turns", () => {
  const list = (onMore?: () => void) =>
    renderToStaticMarkup(
      <TurnList
        turns={[glance({ id: "trn_2", state: "running", endedAt: null }), glance({ state: "failed" })]}
        agent="host"
        branch="main"
        chosen="trn_1"
        now={9_000}
        onMore={onMore}
      />,
    )

  it("[LOG-15] says of each what was asked, how it went and what it took, and leads there", () => {
    const html = list()
    expect(html).toContain('href="#inspect/host/main/trn_2"')
    expect(html).toMatch(/Running.*8\.0 s.*1 step.*1,050 tokens.*\$0\.0013.*26% full/)
    expect(html.match(/aria-current="true"/g)).toHaveLength(1)
    expect(html).toContain("text-bad")
    expect(html).not.toContain("Older turns")
    expect(list(never)).toContain("Older turns")
  })
})

describe("the chart", () => {
  const html = renderToStaticMarkup(
    <TurnChart turns={[glance(), glance({ id: "trn_0", context: null })]} chosen="trn_1" />,
  )

  it("[TAB-27] is a picture with words, and a table on demand", () => {
    expect(html).toMatch(/<svg role="img" aria-label="Context use and cost of 2 turns\./)
    expect(html).toContain("Show as table")
    expect(html).toMatch(/<th scope="row"[^>]*>When is the tide\?<\/th>.*1,050.*4,000.*26%.*\$0\.0013/)
    expect(html).toContain("–")
    expect(html).not.toContain("Nearly full")
    const full = glance({ context: { tokens: 3_900, window: 4_000 } })
    expect(renderToStaticMarkup(<TurnChart turns={[full]} chosen={undefined} />)).toMatch(/Nearly full.*fill-bad/s)
  })

  it("marks the one that is looked at", () => {
    expect(html.match(/fill-tint/g)).toHaveLength(1)
    expect(html.match(/fill-transparent/g)).toHaveLength(1)
  })
})

describe("one turn", () => {
  it("[LOG-15] shows state, time, model, tokens, cost and context, and its timeline first", () => {
    const html = detail()
    for (const text of ["Done", "2.0 s", "big", "1,000", "$0.0013", "26% of 4,000", "Step 1 · big"])
      expect(html).toContain(text)
    expect(html).toContain('aria-label="Timeline"')
    for (const label of ["Timeline", "Prompt", "Tools", "Changes"]) expect(html).toContain(`>${label}</button>`)
  })

  it("[LOG-15] one that failed says why, one that was not recorded says so and offers nothing", () => {
    const error = { code: "model.failed", detail: "The provider is down." }
    expect(detail({ turn: glance({ state: "failed", error }) })).toContain("The provider is down. (model.failed)")
    const html = detail({ recorded: false, steps: [] })
    expect(html).toContain("Not recorded")
    expect(html).not.toContain("View")
  })

  it("a turn without a model says so", () => {
    expect(detail({ steps: [] })).toContain("No model was called")
  })

  it("[TAB-27] every bar of the timeline has its words beside it", () => {
    const html = renderToStaticMarkup(<Waterfall inspected={inspected()} now={9_000} />)
    expect(html).toContain("1.0 s, first token after 400 ms")
    expect(html.match(/<li/g)).toHaveLength(1)
    expect(html).toMatch(/aria-hidden="true"[^>]*class="relative/)
  })
})

describe("the prompt", () => {
  const shown = (prompt: InspectedPrompt) => renderToStaticMarkup(<PromptView prompt={prompt} />)

  it("[LOG-15] is there word for word, by role, with calls and what tools gave", () => {
    const html = shown({
      state: "exact",
      request: {
        instructions: "Be a crab.",
        messages: [
          { role: "person", text: "See", attachments: [{ name: "a.png", mediaType: "image/png", bytes: 1_234 }] },
          {
            role: "agent",
            parts: [
              { type: "text", text: "I look." },
              { type: "tool", call: "c1", name: "lookup", input: { a: 1 } },
            ],
          },
          { role: "tools", results: [{ call: "c1", name: "lookup", outcome: "failed", output: { why: "wet" } }] },
        ],
        tools: [],
      },
    })
    expect(html).toContain("Exactly as sent")
    for (const text of ["Be a crab.", "1 · Person", "With a.png, image/png, 1,234 bytes", "2 · Agent", "I look.", "c1"])
      expect(html).toContain(text)
    expect(html).toMatch(/3 · Tool results.*lookup<\/code> failed.*&quot;why&quot;: &quot;wet&quot;/s)
    expect(html).toContain("Raw JSON")
  })

  it("[LOG-15] what is not exact, not there or not there yet is never passed off as it", () => {
    expect(shown({ state: "differs", request })).toContain("not identical to what was sent")
    for (const state of ["missing", "pending", "left-out"] as const) {
      const html = shown({ state, request: null })
      expect(html).not.toContain("Exactly")
      expect(html).not.toContain("Raw JSON")
    }
  })

  it("[SEC-6] what was said is text, whatever it holds", () => {
    const evil = "<img src=x onerror=alert(1)>"
    const html = shown({
      state: "exact",
      request: { instructions: evil, messages: [{ role: "person", text: evil }], tools: [] },
    })
    expect(html).not.toContain("<img")
  })

  it("long text shows its beginning and how much there is; all of it can be copied", () => {
    const html = renderToStaticMarkup(<LongText text={"x".repeat(5_000)} label="it" />)
    expect(html).toContain("Show all 5,000 characters")
    expect(html).toContain('aria-label="Copy it"')
    expect(html.length).toBeLessThan(4_000)
    expect(renderToStaticMarkup(<LongText text="short" label="it" />)).not.toContain("Show all")
  })
})

it("[LOG-15] tools offered are listed with what they take; none, and not known, are different things", () => {
  expect(renderToStaticMarkup(<ToolsOffered request={request} />)).toMatch(/lookup.*Looks it up\..*Input schema/s)
  expect(renderToStaticMarkup(<ToolsOffered request={request && { ...request, tools: [] }} />)).toContain(
    "No tools were offered",
  )
  expect(renderToStaticMarkup(<ToolsOffered request={null} />)).toContain("not available")
})

it("[LOG-15] changes come in the order of the log, with when", () => {
  const change = { collection: "status", key: "status", operation: "update", what: "busy → idle" } as const
  const changes = [{ ...change, seq: 7, at: 1_250 }]
  const html = renderToStaticMarkup(<ChangeLog turn={glance()} changes={changes} whole={false} />)
  expect(html).toMatch(/\+250 ms.*#7.*busy → idle/s)
  expect(html).toContain("The end is left out")
})
