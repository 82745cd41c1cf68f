import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { barColours, type Dressed, dress, keepTheme, themeIn, themeKey, themes } from "./theme.ts"

const css = readFileSync(new URL("../../app.css", import.meta.url), "utf8")
const early = readFileSync(new URL("../../../public/theme.js", import.meta.url), "utf8")
const html = readFileSync(new URL("../../../index.html", import.meta.url), "utf8")

const tokens = new Map(
  [...css.matchAll(/--color-([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }] as const,
  ),
)

/** As WCAG reckons it, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function color(name: string, look: "light" | "dark"): string {
  const token = tokens.get(name)
  if (token === undefined) throw new Error(`app.css has no color ${name}`)
  return token[look]
}

const grounds = ["page", "side", "raised", "sunken"]
const readable: readonly (readonly [text: string, on: readonly string[]])[] = [
  ["ink", [...grounds, "tint", "warn-tint", "bad-tint", "line"]],
  ["muted", grounds],
  ["accent", [...grounds, "tint"]],
  ["warn", [...grounds, "warn-tint"]],
  ["bad", [...grounds, "bad-tint"]],
  ["on-accent", ["accent", "accent-hover"]],
  ["code-keyword", ["sunken"]],
  ["code-string", ["sunken"]],
  ["code-number", ["sunken"]],
  ["code-call", ["sunken"]],
]

describe.each(["light", "dark"] as const)("the colors in %s", (look) => {
  it.each(readable)("[TAB-28] %s can be read wherever it stands", (text, on) => {
    for (const ground of on)
      expect(contrast(color(text, look), color(ground, look)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
  })

  it("[TAB-28] what has the focus and where a box ends can be seen", () => {
    for (const ground of grounds) expect(contrast(color("accent", look), color(ground, look))).toBeGreaterThanOrEqual(3)
  })

  it("the browser's bar is as the page is", () => {
    expect(barColours[look]).toBe(color("page", look))
    expect(html).toContain(`content="${barColours[look]}" media="(prefers-color-scheme: ${look})"`)
  })
})

describe("the choice of a theme", () => {
  const memory = () => {
    const items = new Map<string, string>()
    const storage = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    }
    return { storage, keep: keepIn(() => storage) }
  }

  it("is kept, and following the system leaves nothing behind", () => {
    const { storage, keep } = memory()
    for (const theme of themes) {
      keepTheme(theme, keep)
      expect(themeIn(keep)).toBe(theme)
    }
    keepTheme("system", keep)
    expect(storage.getItem(themeKey)).toBeNull()
    keep.write(themeKey, "purple")
    expect(themeIn(keep)).toBe("system")
  })

  it.each([
    ["dark", "dark"],
    ["light", "light"],
    ["purple", undefined],
    [null, undefined],
  ])("is on the page before its first paint: %s", (kept, set) => {
    const { storage } = memory()
    if (kept !== null) storage.setItem(themeKey, kept)
    const dataset: { theme?: string } = {}
    runInNewContext(early, { localStorage: storage, document: { documentElement: { dataset } } })
    expect(dataset.theme).toBe(set)
    expect(html.indexOf("/theme.js")).toBeLessThan(html.indexOf("/src/main.tsx"))
  })

  it("does no harm where the browser refuses to keep anything", () => {
    expect(() => runInNewContext(early, {})).not.toThrow()
  })

  it("dresses the page and the browser's bar", () => {
    const metas = [
      { content: "", media: "(prefers-color-scheme: light)" },
      { content: "", media: "(prefers-color-scheme: dark)" },
    ]
    const page: Dressed = { documentElement: { dataset: {} }, querySelectorAll: () => metas }
    dress(page, "dark")
    expect(page.documentElement.dataset.theme).toBe("dark")
    expect(metas.map(({ content }) => content)).toEqual([barColours.dark, barColours.dark])
    dress(page, "system")
    expect("theme" in page.documentElement.dataset).toBe(false)
    expect(metas.map(({ content }) => content)).toEqual([barColours.light, barColours.dark])
  })
})
