import { expect, test } from "vitest"
import { jsonLine, textLine } from "./log-text.ts"

test("[CLI-9] a line for people has the time, the level, the words and the fields", () => {
  const at = new Date(2026, 0, 2, 3, 4, 5)
  expect(
    textLine({ level: "warn", line: "config not loaded", fields: { reason: "a.ts:3: oops", none: undefined }, at }),
  ).toBe("03:04:05 warn  config not loaded  reason: a.ts:3: oops\n")
  expect(textLine({ level: "error", line: "failed", fields: { stack: "one\ntwo" }, at })).toBe(
    "03:04:05 error failed\n  stack: one\n  two\n",
  )
})

test("a line of JSON has the number of the level, the time, the fields and the words", () => {
  const at = new Date(1_700_000_000_000)
  const fields = { agent: "host", attempt: 2, ok: true, nothing: null, none: undefined, reason: 'a\n"b"' }
  expect(jsonLine({ level: "warn", line: "turn failed", fields, at })).toBe(
    '{"level":40,"time":1700000000000,"agent":"host","attempt":2,"ok":true,"nothing":null,"reason":"a\\n\\"b\\"","msg":"turn failed"}\n',
  )
})
