import { FakeClock } from "@parlor/core/testing"
import { expect, test } from "vitest"
import { diskCheck } from "./disk.ts"
import { createReadiness } from "./readiness.ts"

const good = { storeIsDown: false, hasStarted: true }
const answering = { probe: async () => ({ isMigrated: true }) }

test("[SEC-16] it is ready when the store responds, has this version's schema and accepts writes", async () => {
  const failed = async (runtime: typeof good, store: { probe(): Promise<{ isMigrated: boolean }> }) =>
    createReadiness({ runtime, store, clock: new FakeClock(), checks: [] })()
  expect(await failed(good, answering)).toEqual([])
  expect(await failed({ ...good, storeIsDown: true }, answering)).toEqual([{ name: "store", why: "writes fail" }])
  expect(await failed({ ...good, hasStarted: false }, answering)).toEqual([{ name: "start", why: "starting" }])
  expect(await failed(good, { probe: async () => ({ isMigrated: false }) })).toMatchObject([{ name: "store" }])
  const refused = { probe: () => Promise.reject(new Error("connect ECONNREFUSED 10.1.2.3")) }
  expect(await failed(good, refused)).toEqual([{ name: "store", why: "failed" }])
})

test("[SEC-16] a store that does not respond is not ready after two seconds, and is probed once for all callers", async () => {
  const clock = new FakeClock()
  let asked = 0
  const store = {
    probe: () => {
      asked++
      return new Promise<never>(() => {})
    },
  }
  const ready = createReadiness({ runtime: good, store, clock, checks: [] })
  const answers = [ready(), ready()]
  await clock.advance(2_000)
  for (const answer of answers) expect(await answer).toEqual([{ name: "store", why: "no answer within 2000 ms" }])
  await ready()
  expect(asked).toBe(1)
  await clock.advance(1_000)
  const later = ready()
  await clock.advance(2_000)
  await later
  expect(asked).toBe(2)
})

test("[SEC-16] a disk with less than the reserve is not ready", async () => {
  expect(await diskCheck(".", 1).check()).toBeUndefined()
  expect(await diskCheck(".", Number.MAX_SAFE_INTEGER).check()).toMatch(/MB free, the reserve is/)
})
