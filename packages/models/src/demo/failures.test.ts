import { expect, test } from "vitest"
import { asking } from "../../test/requests.ts"
import { failures } from "./failures.ts"

test("[TRN-10] failures are counted by request and forgotten with success", () => {
  const failed = failures()
  const again = (text: string) => failed.again(asking(text), 1)
  expect([again("a"), again("b"), again("a"), again("a"), again("b")]).toEqual([true, true, false, true, false])
})

test("only so many requests are remembered, the oldest goes first", () => {
  const failed = failures()
  failed.again(asking("first"), 1)
  for (let i = 0; i < 1_000; i++) failed.again(asking(`${i}`), 1)
  expect(failed.again(asking("first"), 1)).toBe(true)
  expect(failed.again(asking("999"), 1)).toBe(false)
})
