import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { escapeTags } from "../text/tags.ts"
import { TagFilter } from "./tag-filter.ts"

/** A second implementation, without streaming. */
function withoutTags(text: string): string {
  let bare = 0
  return text.replace(/<\s*from\s+agent\s*=[^<>]*>|<\s*\/\s*from\s*>|<\s*from\s*>/gi, (tag) => {
    if (tag.length > 256) return tag
    if (tag.includes("=")) return ""
    const isEnd = tag.includes("/")
    if (isEnd && bare === 0) return ""
    bare += isEnd ? -1 : 1
    return tag
  })
}

function filtered(pieces: readonly string[]): string {
  const filter = new TagFilter()
  return pieces.map((piece) => filter.next(piece)).join("") + filter.end()
}

const pieces = [
  "<",
  ">",
  "/",
  " ",
  "\n",
  "from",
  "FROM",
  "fr",
  "om",
  "agent",
  "=",
  '"critic"',
  'agent="critic"',
  '<from agent="critic">',
  "< From  agent = 'x' >",
  "</from>",
  "</ from >",
  "<from>",
  "<fromage>",
  "hello",
  "a < b",
  "😀",
  "x".repeat(240),
]
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 10 }).map((list) => list.join(""))

describe("tags in an answer", () => {
  it("[GST-4] a copied tag is removed, its content stays", () => {
    expect(filtered(['<from agent="critic">I agree.</from>'])).toBe("I agree.")
    expect(filtered(["Well, <FROM agent='a b'>yes</From > and no</from>"])).toBe("Well, yes and no")
  })

  it("[SEC-34] what was escaped for the model is unescaped, wherever the stream is split", () => {
    const texts = ["<details><summary>a</summary> <note x='y'> <notebook> <\\summary> 1 < 2</details>", "<message>"]
    for (const text of texts) {
      const escaped = `${escapeTags(text)} `
      for (let cut = 0; cut <= escaped.length; cut++)
        expect(filtered([escaped.slice(0, cut), escaped.slice(cut)])).toBe(`${text} `)
    }
    expect(filtered(["<\\from agent='x'> <\\notebook> <\\script>"])).toBe("<\\from agent='x'> <\\notebook> <\\script>")
    expect(filtered(["<summary>fresh</summary>"])).toBe("<summary>fresh</summary>")
  })

  it("[GST-4] a tag of another kind stays, and so does its end", () => {
    const mail = "<mail><from>ana</from><to>bo</to></mail>"
    expect(filtered([mail])).toBe(mail)
    expect(filtered([`${mail}</from>`])).toBe(mail)
    expect(filtered(["<fromage> if a < b && c <from d"])).toBe("<fromage> if a < b && c <from d")
  })

  it("[GST-4] the result is the same wherever the reply is split", () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(600), { maxLength: 12 }), (text, cuts) => {
        const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
        const cut = places.slice(1).map((place, index) => text.slice(places[index], place))
        expect(filtered(cut)).toBe(withoutTags(text))
      }),
      { numRuns: 5_000 },
    )
  })

  it("[GST-4] the result is the same for every split of one tag, and letter by letter", () => {
    const text = 'So: <from agent="critic">no</from>, <from>a</from> < b'
    for (let place = 0; place <= text.length; place++)
      expect(filtered([text.slice(0, place), text.slice(place)])).toBe("So: no, <from>a</from> < b")
    expect(filtered([...text])).toBe("So: no, <from>a</from> < b")
  })

  it("[GST-4] only what could become a tag is held back, and not for long", () => {
    const filter = new TagFilter()
    expect(filter.next("plain text, no waiting")).toBe("plain text, no waiting")
    expect(filter.next("a <")).toBe("a ")
    expect(filter.next("b")).toBe("<b")
    expect(filter.next("<fro")).toBe("")
    expect(filter.next("st")).toBe("<frost")
    expect(filter.next("<from agent=")).toBe("")
    expect(filter.next("x".repeat(300)).length).toBe(312)
    expect(filter.next("<")).toBe("")
    expect(filter.end()).toBe("<")
  })
})
