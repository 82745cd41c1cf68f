import { emptyUsage, type InspectedChange, type InspectedRequest, type TurnGlance } from "@parlor/protocol"
import { renderToStaticMarkup as drawn } from "react-dom/server"
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

const nothing = () => {}
const evil = `"><img src=x onerror=alert(1)>`

describe("the list of turns", () => {
  const list = (turns: readonly TurnGlance[], chosen?: string) =>
    drawn(<TurnList {...{ turns, agent: "host", branch: "main", chosen, now: 9_000, onMore: undefined }} />)

  it("[TAB-27] has a name, and marks none when none is looked at", () => {
    expect(list([glance()])).toContain('<nav aria-label="Turns">')
    expect(list([glance()])).not.toContain("aria-current")
    expect(list([glance()], "trn_gone")).not.toContain("aria-current")
  })

  it("[LOG-15] leaves out what is not known instead of calling it nothing", () => {
    const html = list([glance({ usage: emptyUsage, context: null, steps: 0 })])
    expect(html).toMatch(/0 steps.*0 tokens/)
    expect(html).not.toContain("$")
    expect(html).not.toContain("full")
  })

  it("[LOG-15] running, failed and done look different", () => {
    const look = (turn: TurnGlance) => /<span class="(text-[a-z]+)?">[A-Z]/.exec(list([turn]))?.[1] ?? "plain"
    expect(look(glance({ state: "running", endedAt: null }))).toBe("text-accent")
    expect(look(glance({ state: "failed" }))).toBe("text-bad")
    expect(look(glance())).toBe("plain")
  })

  it("[SEC-6] a question is text, and its address holds whatever an id is", () => {
    const html = list([glance({ id: "a/b?c", question: evil, guest: evil })])
    expect(html).not.toContain("<img")
    expect(html).toContain('href="#inspect/host/main/a%2Fb%3Fc"')
  })
})

describe("the chart", () => {
  const chart = (turns: readonly TurnGlance[]) => drawn(<TurnChart turns={turns} chosen={undefined} />)

  it("[LOG-15] a turn of which nothing was counted has bars of no height, and no number is made up", () => {
    const html = chart([glance({ context: null, usage: emptyUsage })])
    expect(html.match(/height="0"/g)).toHaveLength(2)
    expect(html.match(/<td[^>]*>–<\/td>/g)).toHaveLength(3)
    expect(html).not.toMatch(/NaN|Infinity|undefined/)
  })

  it("[LOG-15] no turns and very many are drawn within the frame", () => {
    expect(chart([])).toContain('aria-label="Context use and cost of 0 turns.')
    const many = chart(Array.from({ length: 500 }, (_, index) => glance({ id: `trn_${index}` })))
    const ends = [...many.matchAll(/<rect x="([\d.]+)" y="0" width="([\d.]+)"/g)].map(
      ([, x, w]) => Number(x) + Number(w),
    )
    expect(ends).toHaveLength(500)
    expect(Math.max(...ends)).toBeLessThanOrEqual(640)
  })

  it("[TAB-27] its table has heads for columns and rows", () => {
    const html = chart([glance({ question: evil })])
    expect(html.match(/<th scope="col"/g)).toHaveLength(5)
    expect(html.match(/<th scope="row"/g)).toHaveLength(1)
    expect(html).not.toContain("<img")
  })
})

describe("one turn", () => {
  const detail = (change: Parameters<typeof inspected>[0]) =>
    drawn(<TurnDetail inspected={inspected(change)} now={9_000} onStep={nothing} />)

  it("[LOG-15] that still runs counts up to now, and its bar breathes", () => {
    const open = step({ attempts: step().attempts.map((one) => ({ ...one, endedAt: null })) })
    const html = detail({ turn: glance({ state: "running", endedAt: null }), steps: [open] })
    expect(html).toMatch(/Duration<\/dt><dd[^>]*>8\.0 s</)
    expect(html).toContain("animate-breathe")
    expect(detail({})).not.toContain("animate-breathe")
  })

  it("[LOG-15] each model is named once, and one that is not known is left out", () => {
    const steps = ["big", "small", "big", null].map((model, index) => step({ number: index + 1, model }))
    expect(detail({ steps })).toMatch(/Models<\/dt><dd[^>]*>big, small</)
    expect(detail({ steps: [step({ model: null })] })).not.toMatch(/Models?<\/dt>/)
  })

  it("[TAB-27] is an article with the name of what was asked, and says first which view is chosen", () => {
    const html = detail({})
    expect(html).toContain('<article aria-label="When is the tide?"')
    expect(html).toMatch(/role="radiogroup" aria-label="View"/)
    expect(html.match(/aria-checked="true"/g)).toHaveLength(1)
    expect(html).toMatch(/aria-checked="true"[^>]*>Timeline</)
  })

  it("[SEC-6] hostile names of models, tools and errors are text", () => {
    const tools = [{ call: "c", name: evil, state: "failed", error: { code: "x", detail: evil } } as const]
    const failing = tools.map((one) => ({ ...one, startedAt: 2_000, endedAt: 2_500 }))
    const turn = glance({ state: "failed", question: evil, error: { code: evil, detail: evil } })
    const html = detail({ turn, steps: [step({ model: evil, tools: failing })] })
    expect(html).not.toContain("<img")
    expect(html.match(/&lt;img/g)?.length).toBeGreaterThanOrEqual(6)
  })

  it("[LOG-15] what failed on the timeline is red in bar and words", () => {
    const attempts = step().attempts.map((one) => ({ ...one, error: "overloaded" }))
    const html = drawn(<Waterfall inspected={inspected({ steps: [step({ attempts })] })} now={9_000} />)
    expect(html).toMatch(/grow bg-bad/)
    expect(html).toMatch(/text-bad">1\.0 s, first token after 400 ms, overloaded/)
    expect(html).not.toContain("bg-accent")
  })
})

describe("the prompt", () => {
  const shown = (request: Partial<InspectedRequest>, state: "exact" | "differs" = "exact") =>
    drawn(<PromptView prompt={{ state, request: { instructions: "", messages: [], tools: [], ...request } }} />)

  it("[LOG-15] no instructions are said to be none, and one that differs warns", () => {
    expect(shown({})).toMatch(/Instructions<\/h3><p[^>]*>None\.</)
    expect(shown({})).not.toContain("text-warn")
    expect(shown({}, "differs")).toContain("text-warn")
  })

  it("[LOG-15] what a tool gave as text is that text, not its JSON", () => {
    const results = [{ call: "c", name: "lookup", outcome: "done", output: 'low\n"tide"' } as const]
    const html = shown({ messages: [{ role: "tools", results }] })
    expect(html).toContain("low\n&quot;tide&quot;</pre>")
    expect(html).not.toContain("text-bad")
    expect(html).toContain('aria-label="Copy the output of lookup"')
  })

  it("[TAB-7] a very long one is drawn in part, each message by itself", () => {
    const html = shown({ messages: Array.from({ length: 20 }, () => ({ role: "person", text: "x".repeat(100_000) })) })
    expect(html.match(/Show all 100,000 characters/g)).toHaveLength(20)
    expect(html.length).toBeLessThan(60_000)
  })

  it("[SEC-6] names of tools and files are text, also within names for screen readers", () => {
    const call = { type: "tool", call: evil, name: evil, input: { [evil]: evil } } as const
    const attachments = [{ name: evil, mediaType: evil, bytes: 1 }]
    const html =
      shown({
        messages: [
          { role: "agent", parts: [call] },
          { role: "person", text: "", attachments },
        ],
      }) +
      drawn(
        <ToolsOffered
          request={{
            ...{ instructions: "", messages: [] },
            tools: [{ name: evil, description: evil, inputSchema: {} }],
          }}
        />,
      )
    expect(html).not.toContain("<img")
    expect(html).toContain('aria-label="Copy the input of &quot;&gt;&lt;img')
  })
})

describe("long text", () => {
  const text = (given: string) => drawn(<LongText text={given} label="it" />)

  it("[TAB-27] what just fits is whole; what does not says that there is more to unfold", () => {
    expect(text("x".repeat(1_200))).not.toContain("aria-expanded")
    expect(text("x".repeat(1_201))).toMatch(/x…<\/pre>.*aria-expanded="false"[^>]*>Show all 1,201 characters/s)
  })

  it("a cut leaves no half of a character", () => {
    expect(text(`x${"\u{1f980}".repeat(800)}`).isWellFormed()).toBe(true)
  })
})

it("[LOG-15] changes keep the order of the log, whatever their clocks said; a whole turn does not say it was cut", () => {
  const change = (seq: number, at: number): InspectedChange => ({
    ...{ seq, at, collection: "turns", key: "trn_1", operation: "update", what: `<b>${seq}</b>` },
  })
  const html = drawn(<ChangeLog turn={glance()} changes={[change(8, 2_000), change(9, 900)]} whole />)
  expect(html).toMatch(/\+1\.0 s.*title="turns">#8<.*&lt;b&gt;8.*\+0 ms.*#9</s)
  expect(html).not.toContain("left out")
  expect(drawn(<ChangeLog turn={glance()} changes={[]} whole />)).toContain('<ol aria-label="Changes"')
})
