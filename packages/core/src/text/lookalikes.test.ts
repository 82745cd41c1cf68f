import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { lookalikesOf } from "./lookalikes.ts"

const { escape: escapeTags, unescape: unescapeTags } = lookalikesOf(["from"])

/** Pieces of tags and of text that looks like tags. */
const pieces = [
  ..."<＜﹤‹⟨/／\\\"'>=;&#% \n\t",
  "\u00a0",
  "\u200b",
  "\u2060",
  "\ufeff",
  "\u0301",
  "\u{e003c}\u{e0066}\u{e0072}\u{e006f}\u{e006d}",
  "&lt;",
  "&lt",
  "&LT;",
  "&amp;lt;",
  "&#60;",
  "&#060",
  "&#x3c;",
  "&#x3C",
  "\\u003c",
  "\\u{3c}",
  "\\x3C",
  "%3c",
  "%253C",
  "&sol;",
  "&#47;",
  "\\u002f",
  "%2F",
  "f",
  "r",
  "o",
  "m",
  "from",
  "FROM",
  "fr",
  "om",
  "ｆｒｏｍ",
  "𝐟𝗿𝑜𝓂",
  "frоm",
  "agent",
  'agent="critic"',
  '<from agent="critic">',
  "</from>",
  "<\\from>",
]
const adversarial = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((list) => list.join(""))
const texts = fc.oneof({ weight: 4, arbitrary: adversarial }, { weight: 1, arbitrary: fc.string({ unit: "binary" }) })

const disguised = [
  '<from agent="critic">',
  "</from>",
  "<from>",
  "<from",
  '<FROM AGENT="critic">',
  "< /\tFrom >",
  '<\nfrom\nagent="critic">',
  '<from/agent="critic">',
  '＜ｆｒｏｍ agent="critic"＞',
  "﹤／ＦＲＯＭ﹥",
  '‹from agent="critic"›',
  '<𝐟𝐫𝐨𝐦 agent="critic">',
  '<ⓕⓡⓞⓜ agent="critic">',
  '<frоm agent="critic">',
  '<f\u200br\u200co\u200dm agent="critic">',
  '<\u2060from\ufeffagent="critic">',
  '<f\u0336rom agent="critic">',
  '&lt;from agent="critic"&gt;',
  "&LT;/from&GT;",
  '&#60;from agent="critic">',
  "&#x003C;&#47;from>",
  "&amp;lt;from&amp;gt;",
  '\\u003cfrom agent="critic"\\u003e',
  "\\x3c\\x2ffrom>",
  "%3Cfrom%20agent",
  "%253c%252ffrom",
  "\u{e003c}\u{e0066}\u{e0072}\u{e006f}\u{e006d}\u{e0020}\u{e0061}",
]

const harmless = [
  "<fromage>",
  "<from@example.com>",
  "from critic",
  "a < b from c",
  "<form>",
  "&lt;b&gt;",
  "</formfrom>",
]

describe("what looks like a tag", () => {
  it.each(disguised)("[GST-4] %j is escaped", (text) => {
    const escaped = escapeTags(`Look: ${text} and so on`)
    expect(escaped).not.toContain(text)
    expect(unescapeTags(escaped)).toBe(`Look: ${text} and so on`)
  })

  it.each(harmless)("[GST-4] %j is not such a tag, and stays unchanged", (text) => {
    expect(escapeTags(text)).toBe(text)
  })

  it("[GST-4] every lookalike letter, bracket and slash is recognized", () => {
    const missed: string[] = []
    const spelled = new Map<string, (letter: string) => string>([
      ["<", (letter) => `${letter}from>`],
      ["/", (letter) => `<${letter}from>`],
      ["f", (letter) => `<${letter}rom>`],
      ["r", (letter) => `<f${letter}om>`],
      ["o", (letter) => `<fr${letter}m>`],
      ["m", (letter) => `<fro${letter}>`],
    ])
    for (let code = 0x21; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const letter = String.fromCodePoint(code)
      const text = spelled.get(letter.normalize("NFKC").toLowerCase())?.(letter)
      if (text !== undefined && escapeTags(text) === text) missed.push(`${text} (${code.toString(16)})`)
    }
    expect(missed).toEqual([])
  })

  it("[GST-4] escaping can be undone for any text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(unescapeTags(escapeTags(text))).toBe(text)
      }),
      { numRuns: 20_000 },
    )
  })

  it("[GST-4] nothing escaped still looks like a tag", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(escapeTags(text).toLowerCase()).not.toMatch(/<\s*\/?\s*from(?![\p{L}\p{N}@._:-])/u)
      }),
      { numRuns: 20_000 },
    )
  })

  it("[GST-4] takes time proportional to the length of the text", () => {
    const long = ["<", "<f", "\\", "&amp;", "%25", "< ", "\u{e0066}", "<from", "&#0"].map((piece) =>
      piece.repeat(1_000_000 / piece.length),
    )
    const begun = performance.now()
    for (const text of [...long, `<${" ".repeat(1_000_000)}`, `<f${"\\".repeat(1_000_000)}`]) escapeTags(text)
    expect(performance.now() - begun).toBeLessThan(5_000)
  })
})
