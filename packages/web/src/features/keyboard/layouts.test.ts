import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { german as germanTexts } from "../../texts/de.ts"
import { speakIn } from "../../texts/texts.ts"
import { ariaKeys, digitOf, isStroke, type Stroke, shownKeys } from "./keys.ts"
import { type Focus, shortcutFor } from "./registry.ts"
import { keysOf, type ShortcutId, shortcutIds, shortcutOf } from "./shortcuts.ts"

const reading: Focus = { isTyping: false, inComposer: false, isBehindDialog: false }
const writing: Focus = { isTyping: true, inComposer: true, isBehindDialog: false }

/** Which key has a sign on it, and what it writes. */
type Layout = (sign: string) => { readonly code: string; readonly key: string }

const byPlace = (sign: string) => ({ code: `Key${sign.toUpperCase()}`, key: sign.toLowerCase() })
const us: Layout = (sign) => {
  if (sign === ",") return { code: "Comma", key: "," }
  return sign === "/" ? { code: "Slash", key: "/" } : byPlace(sign)
}
const DVORAK = { ",": "KeyW", W: "Comma", "/": "BracketLeft", S: "Semicolon", N: "KeyL", Q: "KeyX", P: "KeyR" }
const dvorak: Layout = (sign) => {
  const code = (DVORAK as Readonly<Record<string, string>>)[sign] ?? "KeyA"
  return { code, key: sign.toLowerCase() }
}
const AZERTY = { ",": "KeyM", M: "Semicolon", A: "KeyQ", Q: "KeyA", W: "KeyZ", "/": "Period" }
const azerty: Layout = (sign) => {
  const code = (AZERTY as Readonly<Record<string, string>>)[sign] ?? byPlace(sign).code
  return { code, key: sign.toLowerCase() }
}
const russian: Layout = (sign) => {
  if (sign === ",") return { code: "Comma", key: "б" }
  return sign === "/" ? us(sign) : { code: byPlace(sign).code, key: "ф" }
}
const german: Layout = (sign) => (sign === "/" ? { code: "Digit7", key: "/" } : us(sign))

/** What a browser tells when these keys are pressed there. */
function press(keys: string, isMac: boolean, layout: Layout): Stroke {
  const steps = keys.split("+")
  const last = steps.at(-1) ?? ""
  const held = {
    ctrlKey: steps.includes("Ctrl") || (steps.includes("Mod") && !isMac),
    altKey: steps.includes("Alt"),
    metaKey: steps.includes("Mod") && isMac,
    shiftKey: steps.includes("Shift"),
  }
  if (last === "1…9") return { ...held, key: "3", code: "Digit3" }
  if (last === "?") return { ...held, shiftKey: true, key: "?", code: "Slash" }
  if (last.length > 1) return { ...held, key: last, code: last }
  const { code, key } = layout(last)
  return { ...held, code, key: held.shiftKey ? key.toUpperCase() : key }
}

const dispatched = shortcutIds.filter((id) => shortcutOf(id).isLocal !== true)
const there = (id: ShortcutId) => (shortcutOf(id).where === "composer" ? writing : reading)

describe("[TAB-32] what the table says is what works", () => {
  it.each([
    ["an American keyboard", us],
    ["a German keyboard", german],
    ["a Russian keyboard", russian],
    ["a French keyboard, with the comma where others have M", azerty],
    ["a Dvorak keyboard, with the comma where others have W", dvorak],
  ] as const)("on %s", (_, layout) => {
    for (const isMac of [false, true])
      for (const id of dispatched)
        for (const keys of keysOf(id, isMac))
          expect(shortcutFor(press(keys, isMac, layout), there(id), isMac), `${keys}, Mac: ${isMac}`).toBe(id)
  })

  it("a sign needs Shift on one keyboard and not on another, so no sign has Shift in the table", () => {
    for (const isMac of [false, true])
      for (const id of shortcutIds) for (const keys of keysOf(id, isMac)) expect(keys, id).not.toMatch(/Shift\+[^A-Z]$/)
  })

  it("with one key more or less held it is something else, or nothing", () => {
    const one = fc.constantFrom("ctrlKey", "altKey", "metaKey")
    fc.assert(
      fc.property(fc.constantFrom(...dispatched), one, fc.boolean(), (id, other, isMac) => {
        for (const keys of keysOf(id, isMac)) {
          const stroke = press(keys, isMac, us)
          expect(shortcutFor({ ...stroke, [other]: !stroke[other] }, there(id), isMac)).not.toBe(id)
        }
      }),
    )
  })
})

describe("[TAB-33] none can be typed by accident", () => {
  const signs = fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 })
  const typed = fc.record({
    key: signs,
    code: fc.constantFrom("KeyM", "Comma", "Slash", "Digit1", ""),
    shiftKey: fc.boolean(),
  })

  it("while one writes, no sign is a key of the page, with Shift or without", () => {
    fc.assert(
      fc.property(typed, fc.boolean(), (sign, isMac) => {
        const stroke = { ...sign, ctrlKey: false, altKey: false, metaKey: false }
        expect(shortcutFor(stroke, writing, isMac)).toBeUndefined()
      }),
    )
  })

  it("Alt and the digits of the block, which write a sign by its number, go to no tab", () => {
    for (const digit of "123456789") {
      const stroke = {
        key: digit,
        code: `Numpad${digit}`,
        ctrlKey: false,
        altKey: true,
        metaKey: false,
        shiftKey: false,
      }
      expect(shortcutFor(stroke, writing, false)).toBeUndefined()
      expect(digitOf(stroke)).toBeUndefined()
      expect(shortcutFor({ ...stroke, code: `Digit${digit}` }, writing, false)).toBe("numberedTab")
    }
    expect(isStroke({ ...press("Alt+1…9", false, us), key: "à", code: "Digit0" }, "Alt+1…9", false)).toBe(false)
  })

  it("behind a dialog no key is one", () => {
    for (const isMac of [false, true])
      for (const id of dispatched)
        for (const keys of keysOf(id, isMac))
          expect(shortcutFor(press(keys, isMac, us), { ...there(id), isBehindDialog: true }, isMac)).toBeUndefined()
  })
})

describe("how keys are written", () => {
  it("[SET-2] on a Mac with its signs, elsewhere with words, and never as the table has them", () => {
    for (const id of shortcutIds) {
      for (const keys of keysOf(id, true)) expect(shownKeys(keys, true), id).not.toMatch(/Mod|Ctrl|Alt|Shift|Arrow|\+/)
      for (const keys of keysOf(id, false)) expect(shownKeys(keys, false), id).not.toMatch(/Mod|Arrow|Escape|[⌘⌥⌃⇧]/)
    }
    expect([shownKeys("Delete", true), shownKeys("Delete", false)]).toEqual(["Del", "Del"])
    speakIn("de", germanTexts)
    expect(["Mod+K", "Shift+Enter", "Delete"].map((keys) => shownKeys(keys, false))).toEqual([
      ...["Strg+K", "Umschalt+Enter", "Entf"],
    ])
    speakIn("en", undefined)
  })

  it("[TAB-27] for screen readers with the names the standard has", () => {
    const known = /^((Control|Alt|Shift|Meta)\+)*([^+\s]+)$/
    for (const isMac of [false, true])
      for (const id of shortcutIds)
        for (const keys of keysOf(id, isMac)) {
          expect(ariaKeys(keys, isMac), id).toMatch(known)
          expect(ariaKeys(keys, isMac), id).not.toMatch(/Mod|Ctrl|[⌘⌥⌃⇧↑↓]/)
        }
    expect(ariaKeys("Ctrl+Shift+N", true)).toBe("Control+Shift+N")
  })
})
