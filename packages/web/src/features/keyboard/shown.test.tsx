import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, describe, expect, it, vi } from "vitest"
import { t } from "../../texts/en/keyboard.ts"
import { groups, keysOf, shortcutIds, shortcutOf } from "./shortcuts.ts"

/** Which keyboard it is gets known once, when the page begins. */
async function pageOn(platform: string) {
  vi.resetModules()
  vi.stubGlobal("navigator", { platform })
  const [list, keys, skip, palette] = await Promise.all([
    import("./KeyboardList.tsx"),
    import("./useShortcut.ts"),
    import("./SkipLink.tsx"),
    import("../palette/PaletteButton.tsx"),
  ])
  return { ...list, ...keys, ...skip, ...palette }
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const keyed = shortcutIds.filter((id) => shortcutOf(id).keys.length > 0)
const mac = { platform: "MacIntel", isMac: true }
const windows = { platform: "Win32", isMac: false }

describe("[TAB-32] the list of keys", () => {
  it.each([mac, windows])("has every key of the table once, as $platform has it", async ({ platform, isMac }) => {
    const { KeyTable, allKeysFor } = await pageOn(platform)
    const shown = renderToStaticMarkup(<KeyTable />)
    const rows = [...shown.matchAll(/<dt[^>]*>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)]
    expect(rows).toHaveLength(keyed.length)
    const keys = rows.map(([, , held = ""]) => [...held.matchAll(/<kbd[^>]*>([^<]+)/g)].map(([, key]) => key))
    const inGroups = groups.flatMap((group) => keyed.filter((id) => shortcutOf(id).group === group))
    expect(keys).toEqual(inGroups.map(allKeysFor))
    expect(shown.includes("⌘ K")).toBe(isMac)
    expect(shown.includes("Ctrl+K")).toBe(!isMac)
  })

  it("is a dialog with a name, whose groups have names too", async () => {
    const { default: KeyboardList } = await pageOn("Linux x86_64")
    const shown = renderToStaticMarkup(<KeyboardList onClose={() => undefined} />)
    expect(shown).toMatch(/^<dialog aria-label="Keyboard shortcuts"/)
    for (const group of groups)
      expect(shown).toMatch(new RegExp(`<section aria-label="${t(group)}"[^>]*><h3[^>]*>${t(group)}</h3><dl><div`))
  })
})

describe("keys beside what they do", () => {
  it("are a Mac's on a Mac", async () => {
    const { keysFor, ariaKeysFor, isKeyOf, onMac, PaletteButton } = await pageOn("MacIntel")
    expect(onMac).toBe(true)
    expect([keysFor("settings"), keysFor("keyboard"), keysFor("newest")]).toEqual(["⌃ ,", "⌘ /", "⌥ End"])
    expect([ariaKeysFor("newChat"), ariaKeysFor("find")]).toEqual(["Control+Shift+N", "Meta+F"])
    const held = { ctrlKey: false, altKey: false, metaKey: true, shiftKey: false }
    expect(isKeyOf("join", { ...held, key: "Enter", code: "Enter" })).toBe(true)
    expect(isKeyOf("join", { ...held, metaKey: false, ctrlKey: true, key: "Enter", code: "Enter" })).toBe(false)
    expect(renderToStaticMarkup(<PaletteButton />)).toMatch(/aria-keyshortcuts="Meta\+K".*⌘ K/)
  })

  it("are the others' elsewhere, and where nobody says what it is", async () => {
    const { keysFor, ariaKeysFor, isKeyOf, onMac } = await pageOn("")
    expect(onMac).toBe(false)
    expect([keysFor("settings"), keysFor("keyboard"), keysFor("stop")]).toEqual(["Alt+,", "Ctrl+/", "Esc"])
    expect(ariaKeysFor("newChat")).toBe("Alt+N")
    const up = { key: "ArrowUp", code: "ArrowUp", ctrlKey: false, altKey: true, metaKey: false, shiftKey: false }
    expect([isKeyOf("queueUp", up), isKeyOf("queueDown", up), isKeyOf("editLast", up)]).toEqual([true, false, false])
  })

  it("for every id with keys there is one to show", async () => {
    const { keysFor } = await pageOn("iPad")
    for (const id of keyed) expect(keysFor(id), id).not.toBe("")
    expect(keyed.filter((id) => keysOf(id, true).length === 0)).toEqual([])
  })

  it("[TAB-12, TAB-27] the first thing Tab reaches has words, and is seen only then", async () => {
    const { SkipLink } = await pageOn("Win32")
    const shown = renderToStaticMarkup(<SkipLink />)
    expect(shown).toMatch(
      /^<button type="button" class="sr-only focus-visible:not-sr-only[^>]*>Skip to conversation<\/button>$/,
    )
  })
})
