import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { placeIn } from "../place/place.ts"
import { type Entry, entriesOf } from "./entries.ts"
import { PaletteButton } from "./PaletteButton.tsx"
import { PaletteList } from "./PaletteList.tsx"

const entries = entriesOf({
  place: placeIn("#/host"),
  conversations: [],
  agents: [
    { name: "critic", description: "Finds what is wrong" },
    { name: "scribe", description: "" },
  ],
  commands: [],
  bound: ["newChat"],
})
const shown = (list: readonly Entry[], chosen: number) =>
  renderToStaticMarkup(
    <PaletteList id="p" entries={list} chosen={chosen} onPoint={() => undefined} onChoose={() => undefined} />,
  )

describe("the palette's list", () => {
  it("[TAB-27, TAB-36] is a listbox whose options the box can name, one of them chosen", () => {
    const html = shown(entries, 1)
    expect(html).toContain('id="p" role="listbox" aria-label="Results"')
    expect(html.match(/role="option"/g)).toHaveLength(3)
    expect(html).toContain('id="p-1" role="option" aria-selected="true"')
    expect(html.match(/aria-selected="true"/g)).toHaveLength(1)
  })

  it("says each kind once, and the keys of what has some", () => {
    const html = shown(entries, 0)
    expect(html.match(/>Agents</g)).toHaveLength(1)
    expect(html).toContain("Alt+N")
    expect(html).toContain("Finds what is wrong")
  })

  it("its button teaches its keys", () => {
    expect(renderToStaticMarkup(<PaletteButton />)).toMatch(/aria-keyshortcuts="Control\+K".*Ctrl\+K/)
  })
})
