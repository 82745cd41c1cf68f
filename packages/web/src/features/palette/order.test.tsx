import { Parlor } from "@parlor/client"
import fc from "fast-check"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { shortcutIds, shortcutOf, shortcutWords } from "../keyboard/shortcuts.ts"
import { placeIn } from "../place/place.ts"
import { type Entry, entriesOf, fitting, MAX_SHOWN, type Stock } from "./entries.ts"
import Palette from "./Palette.tsx"
import { PaletteHost } from "./PaletteHost.tsx"
import { PaletteList } from "./PaletteList.tsx"
import { keepRecent, recentIn } from "./recent.ts"
import { score } from "./score.ts"

const html = renderToStaticMarkup
const nothing = () => undefined
const place = placeIn("#/host")
const parlor = new Parlor({ baseUrl: "http://parlor.test", token: "t" })
const stock: Stock = { place, conversations: [], agents: [], commands: [], bound: [] }
const list = (entries: readonly Entry[], chosen = 0) =>
  html(<PaletteList id="p" entries={entries} chosen={chosen} onPoint={nothing} onChoose={nothing} />)
const fits = (typed: string, words: string) => score(typed, words) ?? Number.NEGATIVE_INFINITY

describe("the order of what fits", () => {
  it.each([
    ["a beginning before a later word", "file", "Files", "All files"],
    ["a word's beginning before its middle", "port", "A port", "Airport"],
    ["letters together before letters apart", "new", "A new one", "A note every week"],
    ["the shorter of two that fit alike", "plan", "Plan", "Plan of the year"],
    ["fewer letters left out", "ac", "xabc", "xabbbbbc"],
  ])("%s", (_, typed, better, worse) => {
    expect(fits(typed, better)).toBeGreaterThan(fits(typed, worse))
    expect(score(typed, worse)).toBeDefined()
  })

  it("capitals do not change it, in any script: a Greek word's end is no other letter", () => {
    for (const words of ["Ρόδος", "Straße nach Rom", "ÉCOLE", "Новая тема"]) {
      expect(score(words.toLowerCase(), words)).toBe(score(words, words))
      expect(score(words.slice(0, 3).toUpperCase(), words)).toBeDefined()
    }
    expect(score("ΡΟΔΟΣ", "Ρόδος και άλλα")).toBeDefined()
    expect(score("οδοσ", "ΡΟΔΟΣ")).toBeDefined()
  })

  it("holds no more than fits on the list, each once, and only what was there", () => {
    const words = fc.string({ unit: fc.constantFrom("a", "b", "é", " ", "/"), maxLength: 6 })
    fc.assert(
      fc.property(fc.uniqueArray(words, { maxLength: 60 }), words, (titles, typed) => {
        const conversations = titles.map((title, index) => {
          return { agent: "host", branch: `b${index}`, title, preview: "", archived: false }
        })
        const all = entriesOf({ ...stock, conversations })
        const found = fitting(all, typed, ["conversation host/b1"])
        expect(found.length).toBeLessThanOrEqual(MAX_SHOWN)
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
        for (const { id } of found) expect(all.some((entry) => entry.id === id)).toBe(true)
      }),
    )
  })

  it("[TAB-36] has whatever can be done by a key and chosen without a number or a place", () => {
    const shown = entriesOf({ ...stock, bound: shortcutIds })
    const expected = shortcutIds.filter((id) => shortcutOf(id).isUnlisted !== true)
    expect(shown.map(({ shortcut }) => shortcut)).toEqual(expected)
    for (const id of expected) expect(fitting(shown, shortcutWords(id), [])[0]?.shortcut, id).toBe(id)
  })
})

describe("the palette as it is shown", () => {
  it("[TAB-27, TAB-36] is a dialog with a box that names its list, and nothing before it is asked for", () => {
    const shown = html(<Palette parlor={parlor} place={place} conversations={[]} agents={[]} onClose={nothing} />)
    expect(shown).toMatch(/^<dialog aria-label="Find anything"/)
    const controls = /role="combobox"[^>]*aria-controls="([^"]+)"/.exec(shown)?.[1]
    expect(shown).toContain(`<div id="${controls}" role="listbox"`)
    // Nothing is there to be chosen yet, so nothing is named.
    expect(shown).not.toContain("aria-activedescendant")
    expect(html(<PaletteHost parlor={parlor} place={place} conversations={[]} agents={[]} />)).toBe("")
  })

  it("[TAB-27] the box names the option that is chosen", () => {
    const agents = [{ name: "critic", description: "", model: "m", slashCommands: [] }]
    const shown = html(<Palette parlor={parlor} place={place} conversations={[]} agents={agents} onClose={nothing} />)
    const active = /aria-activedescendant="([^"]+)"/.exec(shown)?.[1]
    expect(shown).toContain(`id="${active}" role="option" aria-selected="true"`)
  })

  it("with nothing in it, or past its end, nothing is chosen", () => {
    expect(list([])).toMatch(/role="listbox"[^>]*><\/div>$/)
    const one = entriesOf({ ...stock, bound: ["newChat"] })
    expect(list(one, 5)).not.toContain('aria-selected="true"')
  })

  it("what people called things is words there, and long ones are cut by the look only", () => {
    const title = `<script>${"x".repeat(400)}`
    const conversations = [{ agent: "host", branch: "b", title, preview: "<i>", archived: false }]
    const shown = list(entriesOf({ ...stock, conversations }))
    expect(shown).toMatch(/truncate">&lt;script&gt;x{400}<span[^>]*>host · &lt;i&gt;</)
    expect(shown).not.toMatch(/<script|<i>/)
  })

  it("[TAB-32] keys are not shown where there is only a finger", () => {
    const shown = list(entriesOf({ ...stock, bound: ["newChat"] }))
    expect(shown).toMatch(/<span class="pointer-coarse:hidden"><kbd[^>]*>Alt\+N<\/kbd>/)
    expect(shown).toContain("pointer-coarse:py-3")
  })

  it("works where the browser keeps nothing", () => {
    const refusing = keepIn(() => {
      throw new Error("not allowed")
    })
    keepRecent("agent critic", refusing)
    expect(recentIn(refusing)).toEqual([])
  })
})
