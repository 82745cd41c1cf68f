import { expect, it } from "vitest"
import { limits } from "./limits.ts"
import { sizeWords } from "./size-words.ts"

it("a size is shown in the most readable unit", () => {
  expect([0, 12, 1_023, 1_024, 2_048].map(sizeWords)).toEqual(["0 B", "12 B", "1023 B", "1 KB", "2 KB"])
  expect([1_048_576, 1_572_864, 5_242_880].map(sizeWords)).toEqual(["1 MB", "1.5 MB", "5 MB"])
  expect([1_048_064, 2 ** 30 - 1].map(sizeWords), "not 1024 of anything").toEqual(["1 MB", "1 GB"])
  expect([2 ** 30, 1.5 * 2 ** 30, 2 ** 42].map(sizeWords)).toEqual(["1 GB", "1.5 GB", "4096 GB"])
})

it("the limits are round numbers", () => {
  expect(sizeWords(limits.attachmentBytes)).toBe("20 MB")
  expect(sizeWords(limits.attachedBytes)).toBe("1 GB")
})
