import { FakeClock } from "@parlor/core/testing"
import { expect, test } from "vitest"
import { randomIds } from "./ports.ts"

test("ids are unique and sort by the time they were made", async () => {
  const clock = new FakeClock()
  const ids = randomIds(clock)
  const made: string[] = []
  for (let round = 0; round < 20; round++) {
    made.push(...Array.from({ length: 200 }, () => ids.next("msg")))
    await clock.advance(1)
  }
  expect(new Set(made).size).toBe(4_000)
  for (const id of made) expect(id).toMatch(/^msg_[0-9a-z]{20}$/)
  const times = made.map((id) => id.slice(4, 13))
  expect([...times].sort()).toEqual(times)
})
