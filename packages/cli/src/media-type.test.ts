import { expect, test } from "vitest"
import { mediaTypeOf } from "./media-type.ts"

const text = new TextEncoder().encode("größer")

test.each([
  ["a/b/Photo.PNG", new Uint8Array([1]), "image/png"],
  ["plan.pdf", new Uint8Array([1]), "application/pdf"],
  ["notes.md", text, "text/markdown"],
  ["main.rs", text, "text/plain"],
  ["Makefile", text, "text/plain"],
  ["empty", new Uint8Array(), "text/plain"],
])("[CMP-15] %s is recognized by its name, or by its content", (path, content, type) => {
  expect(mediaTypeOf(path, content)).toBe(type)
})

test.each([new Uint8Array([0x61, 0]), new Uint8Array([0xff, 0xfe])])("[CMP-15] %j cannot be attached", (content) => {
  expect(() => mediaTypeOf("thing.bin", content)).toThrow("Unsupported file type: thing.bin")
})
