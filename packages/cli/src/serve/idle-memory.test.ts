import { afterEach, expect, test } from "vitest"
import { giveMemoryBackWhenIdle, isWorthIt } from "./idle-memory.ts"

const MB = 1024 * 1024

const collected = new FinalizationRegistry<() => void>((tell) => tell())

let stop = () => {}
afterEach(() => stop())

test("memory is given back by a server that does nothing, once, until it has grown again", () => {
  expect(isWorthIt({ utilization: 0.001, rss: 90 * MB, kept: 0 })).toBe(true)
  expect(isWorthIt({ utilization: 0.001, rss: 62 * MB, kept: 60 * MB }), "there is little to have").toBe(false)
  expect(isWorthIt({ utilization: 0.001, rss: 64 * MB, kept: 60 * MB }), "it has grown").toBe(true)
  expect(isWorthIt({ utilization: 0.2, rss: 200 * MB, kept: 60 * MB }), "it is at work").toBe(false)
})

test("a process that rests is told to collect, and what nobody holds is gone", async () => {
  // Nothing else collects here: nobody makes anything while this waits.
  const gone = new Promise<string>((resolve) => collected.register({ large: "thing" }, () => resolve("gone")))
  stop = giveMemoryBackWhenIdle()
  expect(await gone).toBe("gone")
})
