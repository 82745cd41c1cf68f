import fc from "fast-check"
import { expect, it } from "vitest"
import { previewKey, previewsOf } from "./previews.ts"

const read = (length: number) => ({ bytes: new Uint8Array(length), hash: "h", mediaType: "text/plain" })

it("[TAB-5] previews keep within their bytes: what was looked at longest ago goes first", () => {
  const previews = previewsOf(100)
  let told = 0
  const stop = previews.subscribe(() => void told++)
  previews.keep("a", read(40))
  previews.keep("b", read(40))
  expect(previews.take("a")?.bytes.length).toBe(40)
  previews.keep("c", read(40))
  expect([previews.take("a"), previews.take("b"), previews.take("c")].map((one) => one !== undefined)).toEqual([
    true,
    false,
    true,
  ])
  expect([previews.bytes(), told]).toEqual([80, 3])
  stop()
  previews.keep("a", read(10))
  expect([previews.bytes(), told]).toEqual([50, 3])
})

it("[TAB-5] one that is larger than all of it is shown, and not kept", () => {
  const previews = previewsOf(100)
  previews.keep("a", read(40))
  previews.keep("large", read(101))
  expect([previews.take("large"), previews.bytes()]).toEqual([undefined, 40])
})

it("[TAB-5] whatever is kept, the count is what is there, and never more than allowed", () => {
  const kept = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.nat(150)))
  fc.assert(
    fc.property(kept, (steps) => {
      const previews = previewsOf(100)
      for (const [key, length] of steps) previews.keep(key, read(length))
      const there = ["a", "b", "c", "d"].map((key) => previews.take(key)?.bytes.length ?? 0)
      expect(previews.bytes()).toBe(there.reduce((sum, length) => sum + length, 0))
      expect(previews.bytes()).toBeLessThanOrEqual(100)
    }),
  )
})

it("[TAB-5] another conversation, path or content is another preview", () => {
  const keys = [previewKey("a/b", "c", "d"), previewKey("a", "b/c", "d"), previewKey("a", "b", "c/d")]
  expect(new Set(keys).size).toBe(3)
})
