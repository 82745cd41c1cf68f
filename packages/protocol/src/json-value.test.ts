import { expect, test } from "vitest"
import { jsonValue } from "./json-value.ts"

test("any JSON is taken as it is, and a number that cannot be written is refused where it is", () => {
  const value = { a: [1, null, { b: "c" }], d: false }
  expect(jsonValue.parse(value)).toBe(value)
  const path = (wrong: unknown) => jsonValue.safeParse(wrong).error?.issues[0]?.path
  expect(path(Number.POSITIVE_INFINITY)).toEqual([])
  expect(path({ a: [1, { b: Number.POSITIVE_INFINITY }] })).toEqual(["a", 1, "b"])
  expect(jsonValue.safeParse(undefined).success).toBe(false)
})
