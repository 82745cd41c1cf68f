import { FakeClock } from "@parlor/core/testing"
import { expect, test } from "vitest"
import { SharedStreams } from "./shared-streams.ts"

const ana = { whose: "ana", most: 80 }

test("[SEC-14] somebody with few streams waits for nothing; near the limit the other servers are asked", async () => {
  const clock = new FakeClock()
  const taken = new Map([["ana", 10]])
  const told: (readonly (readonly [string, number])[])[] = []
  let elsewhere = 0
  const shared = new SharedStreams(clock, taken, async (counts) => {
    told.push([...counts])
    return new Map([["ana", elsewhere]])
  })
  expect(await shared.refused([ana])).toBeUndefined()
  expect(told).toEqual([])
  await clock.advance(2_000)
  expect(told).toEqual([[["ana", 10]]])
  await clock.advance(10_000)
  expect(told).toHaveLength(1)
  await clock.advance(10_000)
  expect(told).toHaveLength(2)
  taken.set("ana", 11)
  elsewhere = 69
  expect(await shared.refused([ana])).toBeUndefined()
  elsewhere = 70
  expect(await shared.refused([ana])).toEqual(ana)
  // Known by now: few here, but many in all.
  taken.set("ana", 1)
  elsewhere = 80
  expect(await shared.refused([ana])).toEqual(ana)
  taken.delete("ana")
  await clock.advance(2_000)
  expect(told.at(-1)).toEqual([["ana", 0]])
  const before = told.length
  await clock.advance(60_000)
  expect(told).toHaveLength(before)
  shared.close()
})

test("[SEC-14] while the store does not answer, a server counts for itself, and tells it later", async () => {
  const clock = new FakeClock()
  const taken = new Map([["ana", 79]])
  let isDown = true
  const told: number[] = []
  const shared = new SharedStreams(clock, taken, async (counts) => {
    if (isDown) throw new Error("down")
    told.push(counts.get("ana") ?? -1)
    return new Map()
  })
  expect(await shared.refused([ana])).toBeUndefined()
  await clock.advance(2_000)
  isDown = false
  await clock.advance(2_000)
  expect(told).toEqual([79])
  shared.close()
  expect(told).toEqual([79, -1 + 1])
})
