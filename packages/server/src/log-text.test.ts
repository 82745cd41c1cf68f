import { expect, test } from "vitest"
import { textLine } from "./log-text.ts"

test("[CLI-9] a line for people has the time, the level, the words and the fields", () => {
  const at = new Date(2026, 0, 2, 3, 4, 5)
  expect(
    textLine({ level: "warn", line: "config not loaded", fields: { reason: "a.ts:3: oops", none: undefined }, at }),
  ).toBe("03:04:05 warn  config not loaded  reason: a.ts:3: oops\n")
  expect(textLine({ level: "error", line: "failed", fields: { stack: "one\ntwo" }, at })).toBe(
    "03:04:05 error failed\n  stack: one\n  two\n",
  )
})
