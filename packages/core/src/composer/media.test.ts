import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { kindOf, mediaTypeOf, mismatch } from "./media.ts"

const bytes = (...pieces: readonly (string | number)[]) =>
  new Uint8Array(
    pieces.flatMap((piece) => (typeof piece === "number" ? [piece] : [...piece].map((c) => c.charCodeAt(0)))),
  )
const samples: Readonly<Record<string, Uint8Array>> = {
  "image/png": bytes(0x89, "PNG\r\n\x1a\n", 0),
  "image/jpeg": bytes(0xff, 0xd8, 0xff, 0xe0),
  "image/gif": bytes("GIF89a"),
  "image/webp": bytes("RIFF", 1, 2, 3, 4, "WEBPVP8 "),
  "application/pdf": bytes("\n%PDF-1.7\n"),
  "audio/mpeg": bytes(0xff, 0xfb, 0x90, 0x64),
  "audio/wav": bytes("RIFF", 1, 2, 3, 4, "WAVEfmt "),
  "audio/ogg": bytes("OggS", 0),
  "audio/flac": bytes("fLaC", 0),
  "audio/mp4": bytes(0, 0, 0, 32, "ftypM4A "),
  "audio/webm": bytes(0x1a, 0x45, 0xdf, 0xa3),
}

describe("[CMP-15] which files can be attached", () => {
  it.each(Object.keys(samples))("%s is recognized by its first bytes, and no other type is mistaken for it", (type) => {
    expect(mediaTypeOf(type)).toBe(type)
    for (const [other, sample] of Object.entries(samples))
      expect(mismatch(type, sample) === undefined, `${other} as ${type}`).toBe(other === type)
    expect(mismatch(type, bytes("hello, I am plain text"))).toContain(type)
    expect(mismatch(type, bytes())).toBeDefined()
  })

  it("text is UTF-8 without NUL", () => {
    for (const type of ["text/plain", "text/markdown", "text/x-c++", "application/json"]) {
      expect(mediaTypeOf(type)).toBe(type)
      expect(mismatch(type, new TextEncoder().encode("größer 👍"))).toBeUndefined()
      expect(mismatch(type, bytes("a", 0, "b"))).toContain("NUL")
      expect(mismatch(type, bytes(0xff, 0xfe))).toContain("UTF-8")
    }
  })

  it.each([
    ["IMAGE/PNG", "image/png"],
    ["image/jpg", "image/jpeg"],
    ["audio/x-wav", "audio/wav"],
    ["audio/mp3", "audio/mpeg"],
    ["text/plain; charset=UTF-8", "text/plain"],
    ['text/plain;charset="utf-8"', "text/plain"],
    ["text/plain; charset=latin1", undefined],
    ["image/svg+xml", undefined],
    ["application/zip", undefined],
    ["application/octet-stream", undefined],
    ["video/mp4", undefined],
    ["text/", undefined],
    ["text/a b", undefined],
    ["", undefined],
    ["constructor", undefined],
  ])("%j is treated as %j", (claimed, type) => {
    expect(mediaTypeOf(claimed)).toBe(type)
  })

  it("it never throws, whatever the bytes and the type", () => {
    fc.assert(
      fc.property(fc.string(), fc.uint8Array(), (type, content) => {
        mismatch(mediaTypeOf(type) ?? "text/plain", content)
        for (const known of Object.keys(samples)) mismatch(known, content)
        kindOf(type)
      }),
    )
  })
})
