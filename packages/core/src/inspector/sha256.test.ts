import fc from "fast-check"
import { expect, it } from "vitest"
import { hashOf } from "../workspace/content.ts"
import { sha256 } from "./sha256.ts"

it("[LOG-15] a brief's hash equals the platform's SHA-256 for any content and length", async () => {
  const none = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  expect(sha256(new Uint8Array())).toBe(none)
  for (let length = 0; length < 200; length++) {
    const content = new Uint8Array(length).fill(length)
    expect(sha256(content), `${length} bytes`).toBe(await hashOf(content))
  }
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), async (content) => {
      expect(sha256(content)).toBe(await hashOf(content))
    }),
  )
})
