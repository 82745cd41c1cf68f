import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { KeyTable } from "./KeyboardList.tsx"
import { ariaKeys, digitOf, isMacPlatform, isStroke, type Stroke, shownKeys } from "./keys.ts"
import { digitFor, type Focus, makeRegistry, shortcutFor } from "./registry.ts"
import { keysOf, shortcutIds, shortcutOf, shortcutWords } from "./shortcuts.ts"

const none = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false }
const stroke = (key: string, more: Partial<Stroke> = {}): Stroke => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : "",
  ...none,
  ...more,
})
const reading: Focus = { isTyping: false, inComposer: false, isBehindDialog: false }
const writing: Focus = { isTyping: true, inComposer: true, isBehindDialog: false }
const ctrl = { ctrlKey: true }
const alt = { altKey: true }

describe("the table of keys", () => {
  it.each([false, true])("[TAB-32] has no key twice in one place (Mac: %s)", (isMac) => {
    const taken = shortcutIds.flatMap((id) => {
      const { where, isLocal } = shortcutOf(id)
      return keysOf(id, isMac).map((keys) => `${keys} ${isLocal === true || where === "composer" ? where : "page"}`)
    })
    expect(new Set(taken).size).toBe(taken.length)
  })

  it("[TAB-33] leaves browsers their own keys", () => {
    const theirs = /^(Mod|Ctrl)\+(Shift\+)?[TWNRLQ]$|Tab$|^F(1|3|5|6|7|11|12)$|^Alt\+(ArrowLeft|ArrowRight|Home|D)$/
    for (const id of shortcutIds) for (const keys of keysOf(id, false)) expect(keys, id).not.toMatch(theirs)
    const macs = /^Mod\+(Shift\+)?[TWNRLQHM]$/
    for (const id of shortcutIds) for (const keys of keysOf(id, true)) expect(keys, id).not.toMatch(macs)
  })

  it("[TAB-33] on a Mac no key writes a sign into the box", () => {
    for (const id of shortcutIds)
      for (const keys of keysOf(id, true)) expect(keys, id).not.toMatch(/^Alt\+(Shift\+)?.$/)
  })

  it("[TAB-33] leaves VoiceOver its keys, Ctrl with Option", () => {
    for (const id of shortcutIds) for (const keys of keysOf(id, true)) expect(keys, id).not.toContain("Ctrl+Alt")
  })

  it("[TAB-32] is shown whole, in groups", () => {
    const shown = renderToStaticMarkup(<KeyTable />)
    for (const id of shortcutIds.filter((one) => keysOf(one, false).length > 0))
      expect(shown).toContain(shortcutWords(id).replace("'", "&#x27;"))
    expect(shown).toContain(">Ctrl+K</kbd>")
    expect(shown.match(/<section/g)).toHaveLength(5)
  })
})

describe("a key", () => {
  it("is what is written on it, with just these others held", () => {
    expect(isStroke(stroke("k", ctrl), "Mod+K", false)).toBe(true)
    expect(isStroke(stroke("k", { metaKey: true }), "Mod+K", true)).toBe(true)
    expect(isStroke(stroke("k", ctrl), "Mod+K", true)).toBe(false)
    expect(isStroke(stroke("k", { ...ctrl, ...alt }), "Mod+K", false)).toBe(false)
    expect(isStroke(stroke("K", { ...ctrl, shiftKey: true }), "Mod+K", false)).toBe(false)
    expect(isStroke(stroke("?", { shiftKey: true, code: "Slash" }), "?", false)).toBe(true)
    expect(isStroke(stroke("?", { code: "Minus" }), "?", false)).toBe(true)
  })

  it("is found by its place where the layout has no Latin letters, and where Alt writes a sign", () => {
    expect(isStroke(stroke("т", { ...alt, code: "KeyN" }), "Alt+N", false)).toBe(true)
    expect(isStroke(stroke("˜", { ...alt, code: "KeyN" }), "Alt+N", false)).toBe(true)
    // Dvorak: the letter counts, not where it would be elsewhere.
    expect(isStroke(stroke("n", { ...alt, code: "KeyL" }), "Alt+N", false)).toBe(true)
    expect(isStroke(stroke("n", { ...alt, code: "KeyL" }), "Alt+L", false)).toBe(false)
  })

  it("with a number says which", () => {
    expect(isStroke(stroke("3", alt), "Alt+1…9", false)).toBe(true)
    expect(isStroke(stroke("0", alt), "Alt+1…9", false)).toBe(false)
    expect(digitOf({ key: "§", code: "Digit3" })).toBe(3)
    expect(digitFor("numberedTab", stroke("3"))).toBe(3)
    expect(digitFor("palette", stroke("3"))).toBeUndefined()
  })

  it("is written as this machine's keyboard has it", () => {
    expect([shownKeys("Mod+K", true), shownKeys("Mod+K", false)]).toEqual(["⌘ K", "Ctrl+K"])
    expect([shownKeys("Alt+ArrowUp", false), shownKeys("Ctrl+Shift+N", true)]).toEqual(["Alt+↑", "⌃ ⇧ N"])
    expect([ariaKeys("Mod+K", true), ariaKeys("Mod+K", false)]).toEqual(["Meta+K", "Control+K"])
    expect(["MacIntel", "iPad", "Linux x86_64", "Win32"].map(isMacPlatform)).toEqual([true, true, false, false])
  })
})

describe("where a key works", () => {
  it("[TAB-33] what can be typed is a key only where nothing is typed", () => {
    expect(shortcutFor(stroke("/", { code: "Slash" }), reading, false)).toBe("write")
    expect(shortcutFor(stroke("/", { code: "Slash" }), writing, false)).toBeUndefined()
    expect(shortcutFor(stroke("?", { shiftKey: true }), reading, false)).toBe("keyboard")
    expect(shortcutFor(stroke("?", { shiftKey: true }), writing, false)).toBeUndefined()
    expect(shortcutFor(stroke("/", { ...ctrl, code: "Slash" }), writing, false)).toBe("keyboard")
    expect(shortcutFor(stroke("F2"), writing, false)).toBe("rename")
  })

  it("[TAB-33] Escape stops an answer from the box only, and nothing works behind a dialog", () => {
    expect(shortcutFor(stroke("Escape"), writing, false)).toBe("stop")
    expect(shortcutFor(stroke("Escape"), reading, false)).toBeUndefined()
    expect(shortcutFor(stroke("k", ctrl), { ...reading, isBehindDialog: true }, false)).toBeUndefined()
  })

  it("keys of the queue are the queue's own; the same keys elsewhere change tabs", () => {
    expect(shortcutFor(stroke("ArrowUp", alt), reading, false)).toBe("previousTab")
    expect(shortcutFor(stroke("Delete"), reading, false)).toBeUndefined()
  })
})

describe("the registry", () => {
  it("of two places that know a key, the one nearer to the focus does it", () => {
    const registry = makeRegistry()
    const done: string[] = []
    let focus = "front"
    for (const pane of ["front", "side"])
      registry.bind(
        "focusQueue",
        () => void done.push(pane),
        () => (pane === focus ? 2 : pane === "front" ? 1 : 0),
      )
    registry.run("focusQueue")
    focus = "side"
    registry.run("focusQueue")
    focus = "elsewhere"
    registry.run("focusQueue")
    expect(done).toEqual(["front", "side", "front"])
  })

  it("the later binding goes first, and the earlier is back when it goes", () => {
    const registry = makeRegistry()
    const done: string[] = []
    let told = 0
    const stop = registry.subscribe(() => void told++)
    expect(registry.run("find")).toBe(false)
    registry.bind("find", () => void done.push("first"))
    const leave = registry.bind("find", () => void done.push("second"))
    registry.run("find")
    leave()
    expect(registry.run("find")).toBe(true)
    expect(done).toEqual(["second", "first"])
    expect([told, registry.version()]).toEqual([3, 3])
    stop()
    registry.bind("numberedTab", (digit) => void done.push(String(digit)))
    registry.run("numberedTab", 4)
    expect(done.at(-1)).toBe("4")
    expect(told).toBe(3)
    expect([registry.isBound("numberedTab"), registry.isBound("pin")]).toEqual([true, false])
  })
})
