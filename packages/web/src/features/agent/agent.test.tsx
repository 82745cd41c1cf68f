import { Parlor } from "@parlor/client"
import fc from "fast-check"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { AgentFace } from "./AgentFace.tsx"
import { ConfigProblems } from "./ConfigNote.tsx"
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

describe("the agents", () => {
  it("nobody is known before the page is there, and nobody is asked", () => {
    const Known = () => useAgents(parlor, () => undefined).length
    expect(html(<Known />)).toBe("0")
    expect(asked).toEqual([])
  })
})

const HOSTILE = `"><img src=x onerror=go()>`

describe("mistakes in the config", () => {
  it("[CLI-8] are shown as text, with what they mean for the agents", () => {
    const note = (kind: "error" | "warning") =>
      html(<ConfigProblems problems={[{ kind, detail: HOSTILE, at: 0 }]} onClose={() => undefined} />)
    expect(note("error")).toContain("the previous agents stay")
    expect(note("warning")).not.toContain("the previous agents stay")
    expect(note("error")).not.toContain("<img")
    expect(html(<ConfigProblems problems={[]} onClose={() => undefined} />)).toBe("")
  })
})
