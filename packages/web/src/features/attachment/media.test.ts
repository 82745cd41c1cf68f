import { describe, expect, it } from "vitest"
import { isPicture, limitWords, mediaTypeOf, refusalOf } from "./media.ts"

const file = (type: string, ...parts: readonly (string | Uint8Array<ArrayBuffer>)[]) => new Blob([...parts], { type })
const binary = new Uint8Array([0xff, 0xfe, 0x00, 0x81])

describe("[CMP-15] what can be attached", () => {
  it.each([
    ["image/png", "image/png"],
    ["image/jpg", "image/jpeg"],
    ["audio/x-m4a", "audio/mp4"],
    ["text/markdown;charset=utf-8", "text/markdown"],
    ["application/json", "application/json"],
  ])("%s goes as %s", async (claimed, type) => {
    expect(await mediaTypeOf(file(claimed, "x"))).toBe(type)
  })

  it("is text when it can be read as text, whatever the browser takes it for", async () => {
    expect(await mediaTypeOf(file("video/mp2t", "export const a = 1"))).toBe("text/plain")
    expect(await mediaTypeOf(file("", "größe 🦀"))).toBe("text/plain")
    expect(await mediaTypeOf(file("application/x-sh", "#!/bin/sh"))).toBe("text/plain")
    expect(await mediaTypeOf(file("", "x".repeat(64 * 1024 - 1), "🦀"))).toBe("text/plain")
    expect(await mediaTypeOf(file("application/zip", binary))).toBeUndefined()
  })

  it("is refused here with the number, before it is uploaded", () => {
    const megabytes = (count: number) => ({ size: count * 1_048_576 })
    expect(refusalOf(megabytes(20), "image/png")).toBeUndefined()
    expect(refusalOf(megabytes(34), "image/png")?.detail).toBe("Too large (34 MB). The maximum is 20 MB.")
    expect(refusalOf(megabytes(5), "text/plain")?.detail).toBe("Too large (5 MB). The maximum is 4 MB.")
    expect(refusalOf(megabytes(5), "application/json")?.detail).toContain("4 MB")
    expect(refusalOf({ size: 0 }, "text/plain")?.detail).toBe("The file is empty.")
    expect(refusalOf({ size: 9 }, undefined)?.detail).toContain("Unsupported file type")
  })

  it("is said beforehand", () => {
    expect(limitWords()).toContain("up to 20 MB each (text 4 MB), at most 32 per message")
    expect([isPicture("image/webp"), isPicture("image/svg+xml"), isPicture("application/pdf")]).toEqual([
      true,
      false,
      false,
    ])
  })
})
