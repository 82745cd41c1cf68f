import fc from "fast-check"
import { expect, it } from "vitest"
import { contentOf, lineNumbers, SHOWN_CHARACTERS, textIn } from "./content.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

it("[WSP-4] text is text whatever its type says, pictures are shown, the rest is bytes", () => {
  expect(contentOf({ bytes: bytes("{}"), mediaType: "application/json" })).toEqual({
    kind: "text",
    text: "{}",
    isWhole: true,
  })
  expect(contentOf({ bytes: new Uint8Array([137, 80]), mediaType: "image/png" })).toEqual({
    kind: "picture",
    mediaType: "image/png",
  })
  expect(contentOf({ bytes: new Uint8Array([1, 0, 2]), mediaType: "text/plain" }).kind).toBe("binary")
  expect(contentOf({ bytes: new Uint8Array([255, 254]), mediaType: "" }).kind).toBe("binary")
})

it("[SEC-6] a drawing that could run something is shown as its text", () => {
  const svg = contentOf({ bytes: bytes("<svg onload='x'/>"), mediaType: "image/svg+xml; charset=utf-8" })
  expect(svg.kind).toBe("text")
})

it("[TAB-5] a long text is shown in part, cut at a line, and says so", () => {
  const line = `${"x".repeat(99)}\n`
  const long = contentOf({ bytes: bytes(line.repeat(SHOWN_CHARACTERS / 100 + 5)), mediaType: "text/plain" })
  expect(long).toMatchObject({ kind: "text", isWhole: false })
  expect(long.kind === "text" && long.text.length).toBe(SHOWN_CHARACTERS)
  const one = contentOf({ bytes: bytes("x".repeat(SHOWN_CHARACTERS + 1)), mediaType: "text/plain" })
  expect(one.kind === "text" && one.text.length).toBe(SHOWN_CHARACTERS)
})

it("[WSP-4] every line has its number, and a line end at the end begins none", () => {
  expect(["", "a", "a\n", "a\nb", "a\n\n"].map(lineNumbers)).toEqual(["1", "1", "1", "1\n2", "1\n2"])
  expect(textIn(bytes("\uFEFFa"))).toBe("\uFEFFa")
})

it("[TAB-5] a short first line before a very long one does not hide the long one", () => {
  const long = contentOf({ bytes: bytes(`// licence\n${"x".repeat(SHOWN_CHARACTERS)}`), mediaType: "text/javascript" })
  expect(long.kind === "text" && long.text.length).toBe(SHOWN_CHARACTERS)
})

it("[TAB-5] a cut leaves no half of a character, and what just fits is not cut", () => {
  const crabs = contentOf({ bytes: bytes(`x${"\u{1f980}".repeat(SHOWN_CHARACTERS / 2)}`), mediaType: "text/plain" })
  expect(crabs.kind === "text" && crabs.text.isWellFormed()).toBe(true)
  const fits = contentOf({ bytes: bytes("x".repeat(SHOWN_CHARACTERS)), mediaType: "text/plain" })
  expect(fits).toMatchObject({ kind: "text", isWhole: true })
})

it("[WSP-4] what is read as text is written back byte for byte; what could not be is no text", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (given) => {
      const text = textIn(given)
      if (text !== undefined) expect([...bytes(text)]).toEqual([...given])
    }),
  )
  const letter = fc.constantFrom("a", "\u00e9", "\u{1f980}", "\0", "\uFEFF", "\r\n", "\uFFFD")
  fc.assert(
    fc.property(fc.string({ unit: letter }), (text) => {
      expect(textIn(bytes(text))).toBe(text.includes("\0") ? undefined : text)
    }),
  )
})
