import { type LiveConversation, type LiveState, loadingState } from "@parlor/client"
import type { AskRow, ToolPart } from "@parlor/protocol"
import { askWith } from "@parlor/protocol/testing"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it, vi } from "vitest"
import { AskList } from "./AskList.tsx"
import { inputBlocks } from "./askInput.ts"
import type { ShownAsk } from "./askView.ts"
import { type Asks, useAsks } from "./useAsks.ts"

const ask = (change: Partial<AskRow> = {}) =>
  askWith({ call: "c1", kind: "approval", title: "Allow host to use edit_file?", ...change })
const tool: ToolPart = {
  type: "tool",
  call: "c1",
  name: "edit_file",
  input: { path: "a.md", edits: [{ old: "red\n", new: "blue\ngreen" }] },
  state: "waiting",
  output: null,
  error: null,
}
const shown = (row: AskRow, change: Partial<ShownAsk> = {}): string => {
  const one: ShownAsk = { ask: row, closed: undefined, mine: undefined, draft: "", lastMessage: undefined, ...change }
  const asks = { shown: [one], answer: async () => undefined, draft: () => undefined }
  return renderToStaticMarkup(<AskList asks={asks} messages={[{ parts: [tool] } as never]} onKeep={() => undefined} />)
}

describe("what a tool would do", () => {
  it("[TRN-12] changes of a file are lines that go and lines that come", () => {
    expect(inputBlocks(tool.input)).toEqual([
      { kind: "value", name: "path", text: "a.md" },
      {
        kind: "lines",
        name: "edits",
        lines: [
          { sign: "-", text: "red" },
          { sign: "+", text: "blue" },
          { sign: "+", text: "green" },
        ],
      },
    ])
    const written = inputBlocks({ path: "a.md", content: "one\ntwo\n" })
    expect(written[1]).toMatchObject({ kind: "lines", lines: [{ sign: "+", text: "one" }, { text: "two" }] })
  })

  it("[TRN-12] several changes stay apart, one that takes away only takes away", () => {
    const [block] = inputBlocks({
      edits: [
        { old: "a", new: "" },
        { old: "b", new: "c" },
      ],
    })
    expect(block?.kind === "lines" && block.lines.map(({ sign }) => sign).join("")).toBe("-…-+")
  })

  it("anything else is told by name, and what is odd as it is", () => {
    expect(inputBlocks({ to: "ada@example.com", copies: 2, edits: ["odd"] })).toEqual([
      { kind: "value", name: "to", text: "ada@example.com" },
      { kind: "value", name: "copies", text: "2" },
      { kind: "value", name: "edits", text: '[\n  "odd"\n]' },
    ])
    expect(inputBlocks("plain")).toEqual([{ kind: "value", name: "", text: "plain" }])
    expect(inputBlocks({ content: "no path" })[0]?.kind).toBe("value")
  })

  it("is cut where nobody reads on", () => {
    const [, block] = inputBlocks({ path: "a", content: "x\n".repeat(1_000) })
    expect(block?.kind === "lines" && block.lines.at(-1)).toEqual({ sign: "…", text: "600 more lines" })
  })
})

describe("an ask", () => {
  it("[TRN-12] to allow something shows the change, Allow and Deny", () => {
    const html = shown(ask())
    expect(html).toMatch(/<section data-ask="open" aria-labelledby=/)
    expect(html).toMatch(/- red.*\+ blue.*\+ green.*Allow.*Deny/)
    expect(html).toContain('aria-label="What this will do"')
  })

  it("[TRN-12] with choices has a button for each; without, a box with a name", () => {
    expect(shown(ask({ kind: "question", options: ["Tea", "Coffee"] }))).toMatch(/Tea<\/button>.*Coffee<\/button>/)
    expect(shown(ask({ kind: "question", title: "Name?" }))).toContain('aria-label="Answer: Name?"')
  })

  it("[TRN-12] answered elsewhere says so, and keeps what was written here", () => {
    expect(shown(ask({ kind: "question", title: "Name?" }), { closed: "answered" })).toMatch(
      /Name\?.*Answered in another window\./,
    )
    expect(shown(ask({ kind: "question" }), { closed: "answered", draft: "Half" })).toMatch(
      /You wrote:.*Half.*Move to message box/,
    )
  })
})

describe("an ask of each kind", () => {
  const closes = ["answered", "expired", "withdrawn"] as const
  const words = { answered: "in another window", expired: "No one answered in time.", withdrawn: "was stopped." }

  it.each(["approval", "question", "form"] as const)(
    "[TRN-12] %s: open it can be answered, closed it says how",
    (kind) => {
      const open = shown(ask({ kind, options: kind === "question" ? ["Tea"] : null, title: "What?" }))
      expect(open).toMatch(/data-ask="open".*<h2[^>]*>.*What\?.*<button/s)
      for (const closed of closes) {
        const html = shown(ask({ kind, title: "What?" }), { closed })
        expect(html).toContain(words[closed])
        expect(html).toContain("What?")
        expect(html).not.toMatch(/<button|<input|<textarea|data-ask/)
      }
    },
  )

  it("[TRN-12] what was answered here is told as one's own", () => {
    const mine = (kind: AskRow["kind"], answer: boolean | string) =>
      shown(ask({ kind }), { closed: "answered", mine: { answer } })
    expect(mine("approval", true)).toContain("You allowed this.")
    expect(mine("approval", false)).toContain("You denied this.")
    expect(mine("question", "Tea")).toContain("You answered: Tea")
    expect(
      shown(ask({ kind: "question", options: ["Tea"] }), { closed: "answered", mine: { answer: "Tea" } }),
    ).toContain("You chose Tea")
  })

  it("[TRN-12] one that expires counts down for the eyes; the words alone make sense", () => {
    const html = shown(ask({ expiresAt: Date.now() + 90_000 }))
    expect(html).toMatch(/Expires<span aria-hidden="true"[^>]*> [^<]+<\/span> if not answered\./)
    expect(shown(ask())).not.toContain("if not answered")
  })

  it("[TRN-12] its words stand in it; an approval shows the call itself, whatever it was called", () => {
    expect(shown(ask({ kind: "question", detail: "Two lines\nof it" }))).toContain("Two lines\nof it</p>")
    expect(shown(ask({ call: "another", detail: "Beyond the budget" }))).toContain("Beyond the budget")
    expect(shown(ask({ detail: "Trust me" }))).not.toContain("Trust me")
  })

  it("[SEC-6] titles, choices, details and kept words are text", () => {
    const evil = "<img src=x onerror=alert(1)>"
    const odd = { title: evil, detail: evil, options: [evil] }
    const all = [
      shown(ask({ kind: "question", ...odd })),
      shown(ask({ kind: "question", title: evil })),
      shown(ask({ kind: "form", title: evil, schema: { properties: { a: { type: "string", title: evil } } } })),
      shown(ask({ title: evil }), { closed: "answered", draft: evil }),
    ]
    for (const html of all) expect(html).not.toContain("<img")
    expect(all[1]).toContain('aria-label="Answer: &lt;img src=x onerror=alert(1)&gt;"')
  })
})

describe("answering from here", () => {
  const used = (live: LiveConversation | undefined): Asks => {
    let asks: Asks | undefined
    const state = { ...loadingState, asks: [ask()], status: { turn: "trn_1" } as LiveState["status"] }
    const Probe = () => {
      asks = useAsks(live, state)
      return null
    }
    renderToStaticMarkup(<Probe />)
    return asks as Asks
  }

  it("[TRN-12] what is open when the page comes is shown, and goes to the server as it was answered", async () => {
    const answer = vi.fn(async () => undefined)
    const asks = used({ answer } as unknown as LiveConversation)
    expect(asks.shown.map(({ ask, closed }) => [ask.id, closed])).toEqual([["ask_1", undefined]])
    expect(await asks.answer("ask_1", false)).toBeUndefined()
    expect(answer).toHaveBeenCalledWith("ask_1", false)
  })

  it("[TRN-12] a refusal comes back as a note, and so does having no connection", async () => {
    const refusal = Object.assign(new Error("It was answered."), { code: "ask.closed" })
    const live = { answer: () => Promise.reject(refusal) } as unknown as LiveConversation
    expect(await used(live).answer("ask_1", true)).toEqual({ code: "ask.closed", detail: "It was answered." })
    expect(await used(undefined).answer("ask_1", true)).toMatchObject({ code: "network" })
  })
})
