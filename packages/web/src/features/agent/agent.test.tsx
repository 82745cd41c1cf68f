import { Parlor } from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import fc from "fast-check"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { placeIn } from "../place/place.ts"
import { AgentEntries } from "../sidebar/AgentEntries.tsx"
import { AgentMenu } from "../sidebar/AgentMenu.tsx"
import type { Tab } from "../tab/tabList.ts"
import { AgentFace } from "./AgentFace.tsx"
import { hueOf } from "./hueOf.ts"
import { useAgents } from "./useAgents.ts"

const html = renderToStaticMarkup
const asked: string[] = []
const parlor = new Parlor({
  baseUrl: "http://parlor.test",
  token: "t",
  fetch: async (input) => {
    asked.push(String(input))
    throw new Error("nobody is there")
  },
})
const agent = (name: string, description = ""): AgentView => ({ name, description, model: "m", slashCommands: [] })
const tab = (name: string, branch = "main"): Tab => ({ key: `${name}/${branch}`, agent: name, branch, row: undefined })
const entries = (agents: readonly AgentView[], open: readonly Tab[] = [], current = "host") =>
  html(<AgentEntries parlor={parlor} agents={agents} current={current} open={open} />)

const HOSTILE = `"><img src=x onerror=go()>`

describe("the color of an agent", () => {
  const names = fc.array(fc.integer({ min: 0, max: 0x10ffff })).map((points) => String.fromCodePoint(...points))

  it("is an angle, the same for the same name, whatever the name is", () => {
    fc.assert(
      fc.property(names, (name) => {
        const hue = hueOf(name)
        expect(hue).toBe(hueOf(name))
        expect(Number.isInteger(hue) && hue >= 0 && hue <= 360).toBe(true)
      }),
    )
  })

  it("stays what it was: people know their agents by it", () => {
    expect(["host", "critic", "scribe"].map(hueOf)).toEqual([133, 234, 3])
  })

  it("is another for another name, mostly: also for one with the same letters", () => {
    const some = ["host", "shot", "critic", "scribe", "planner", "coder", "a", "b", "agent-1", "agent-2"]
    expect(new Set(some.map(hueOf)).size).toBe(some.length)
  })
})

describe("the face of an agent", () => {
  it("[TAB-27] is one letter on its color, and says nothing to screen readers", () => {
    const face = html(<AgentFace name="critic" />)
    expect(face).toMatch(
      /^<span aria-hidden="true" style="--hue:\d+" class="face [^"]*uppercase size-8[^"]*">c<\/span>$/,
    )
    expect(html(<AgentFace name="critic" small />)).toMatch(/size-5/)
    expect(html(<AgentFace name="critic" small />)).not.toMatch(/size-8/)
  })

  it("stands also before a name is known, and with one that would be markup", () => {
    expect(html(<AgentFace name="" />)).toMatch(/><\/span>$/)
    expect(html(<AgentFace name="<b>" />)).toMatch(/>&lt;<\/span>$/)
    expect(html(<AgentFace name="🦀 crab" />)).toMatch(/>🦀<\/span>$/)
  })
})

describe("whom one can talk with", () => {
  const host = agent("host", "Knows the house")

  it("each has a place of its own, a face and what it is for", () => {
    const shown = entries([host, agent("critic")])
    expect(shown.match(/<li>/g)).toHaveLength(2)
    expect(shown).toMatch(/<a href="#\/host" title="Knows the house".*>host<.*text-muted[^>]*>Knows the house</)
    expect(shown.match(/class="face/g)).toHaveLength(2)
    expect(shown).not.toContain("<button")
  })

  it("one that says nothing of itself has no empty line for it", () => {
    expect(entries([agent("critic")])).not.toContain("text-xs")
    expect(entries([host])).toContain("text-xs")
  })

  it("[TAB-27] one whose first conversation is open begins a new one, by a name that says so", () => {
    const shown = entries([host, agent("critic")], [tab("host"), tab("critic", "redder")])
    expect(shown).toContain('aria-label="New chat with host"')
    expect(shown).not.toContain('href="#/host"')
    expect(shown).toContain('href="#/critic"')
    expect(shown.match(/<svg[^>]*aria-hidden="true"/g)).toHaveLength(1)
  })

  it("before they are known there is the one in front, and afterwards only those there are", () => {
    expect(entries([], [], "critic")).toContain('href="#/critic"')
    expect(entries([host], [], "gone")).not.toContain("gone")
    expect(entries([])).not.toContain('role="alert"')
  })

  it("what an agent calls itself is words, and its address leads back to it", () => {
    const shown = entries([agent(HOSTILE, HOSTILE), agent("x".repeat(64))])
    expect(shown).not.toContain("<img")
    const href = /href="([^"]+)"/.exec(shown)?.[1] ?? ""
    expect(placeIn(href)).toMatchObject({ page: "conversation", agent: HOSTILE, branch: "main" })
    expect(shown).toMatch(/truncate">x{64}</)
  })

  it("[TAB-31] has room for a finger in both of its forms", () => {
    for (const open of [[], [tab("host")]]) expect(entries([host], open)).toContain("pointer-coarse:py-2.5")
  })
})

describe("the agent in front, on a phone", () => {
  it("[TAB-27] is a button that says who it is and that a box opens", () => {
    const shown = html(<AgentMenu current={HOSTILE} />)
    expect(shown).toMatch(/^<button type="button" aria-haspopup="dialog" aria-label="Agent: &quot;&gt;&lt;img/)
    expect(shown).toContain("Open sidebar")
    expect(shown).toMatch(/pointer-coarse:min-h-10 md:hidden/)
    expect(shown).not.toContain("<img")
  })

  it("nobody is known before the page is there, and nobody is asked", () => {
    const Known = () => useAgents(parlor, () => undefined).length
    expect(html(<Known />)).toBe("0")
    expect(asked).toEqual([])
  })
})
