import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Store } from "../ports/store.ts"
import { FakeClock } from "../testing/fake-clock.ts"
import { type Rate, Rates } from "./rates.ts"
import { SharedRates } from "./shared-rates.ts"

const REPORT_MS = 1_000
const rate: Rate = { perMinute: 60, atOnce: 10 }

/** The buckets of a store: each has the time at which it is full again. */
function sharedBuckets(clock: FakeClock) {
  const fullAt = new Map<string, number>()
  type Added = Parameters<NonNullable<Store["shareRates"]>>[0]
  const asked: Added[] = []
  const share = async (added: Added) => {
    if (buckets.isDown) throw new Error("down")
    asked.push(added)
    const now = clock.now()
    for (const [key, { cost, agoMs }] of added)
      if (cost !== 0) fullAt.set(key, Math.max(fullAt.get(key) ?? 0, now - agoMs) + cost)
    return new Map([...added.keys()].map((key) => [key, Math.max(0, (fullAt.get(key) ?? now) - now)]))
  }
  const buckets = { share, asked, isDown: false }
  return buckets
}

function serversOf(count: number) {
  const clock = new FakeClock()
  const buckets = sharedBuckets(clock)
  const shared = Array.from({ length: count }, () => new SharedRates(clock, buckets.share))
  return { clock, buckets, shared, servers: shared.map((one) => one.add("sends")) }
}

function passing(rates: Rates | undefined, clock: FakeClock, calls: number): number {
  let passed = 0
  for (let n = 0; n < calls; n++) if (rates?.take("ana", rate, clock.now()) === 0) passed += 1
  return passed
}

describe("shared rates", () => {
  it("[SEC-44] what passed on one server is missing on the others within a second", async () => {
    const { clock, servers } = serversOf(2)
    const [a, b] = servers
    expect(passing(a, clock, 20)).toBe(10)
    // Nothing is known here yet.
    expect(passing(b, clock, 1)).toBe(1)
    await clock.advance(REPORT_MS)
    expect(passing(b, clock, 20)).toBe(0)
    await clock.advance(2 * REPORT_MS)
    // Eleven passed and three seconds are over: there is room for two.
    expect(passing(b, clock, 20)).toBe(2)
    expect(b?.take("bob", rate, clock.now())).toBe(0)
  })

  it("[SEC-44] in any period, servers together let pass what one would, one burst and a second's worth more for each other one", async () => {
    const step = fc.record({
      gap: fc.integer({ min: 0, max: 700 }),
      server: fc.nat({ max: 2 }),
      calls: fc.integer({ min: 0, max: 15 }),
    })
    const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 150 }), async (steps) => {
      const { clock, servers } = serversOf(3)
      const passed: { readonly at: number; readonly count: number }[] = []
      for (const { gap, server, calls } of steps) {
        await clock.advance(gap)
        passed.push({ at: clock.now(), count: passing(servers[server], clock, calls) })
      }
      const perMs = rate.perMinute / 60_000
      const others = servers.length - 1
      for (const [first, { at: from }] of passed.entries()) {
        let sum = 0
        for (const { at: to, count } of passed.slice(first)) {
          sum += count
          const alone = rate.atOnce + (to - from) * perMs
          expect(sum).toBeLessThanOrEqual(alone + others * (rate.atOnce + REPORT_MS * perMs) + 0.1)
        }
      }
    })
    await fc.assert(property, { numRuns: 100 })
  })

  it("[SEC-44] whoever calls only one server is counted as exactly as without sharing", async () => {
    const rates = fc.record({ perMinute: fc.integer({ min: 1, max: 700 }), atOnce: fc.integer({ min: 1, max: 30 }) })
    const gaps = fc.array(fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 5_000 })), {
      maxLength: 100,
    })
    const property = fc.asyncProperty(rates, gaps, async (narrow, waits) => {
      const { clock, servers } = serversOf(2)
      const alone = new Rates()
      for (const gap of waits) {
        await clock.advance(gap)
        const [now, rate] = [clock.now(), { ...narrow, atOnce: Math.min(narrow.atOnce, narrow.perMinute) }]
        expect(servers[0]?.take("ana", rate, now)).toBe(alone.take("ana", rate, now))
      }
    })
    await fc.assert(property, { numRuns: 100 })
  })

  it("[SEC-44] a call given back is given back everywhere", async () => {
    const { clock, servers } = serversOf(2)
    const [a, b] = servers
    expect(passing(a, clock, 10)).toBe(10)
    for (let n = 0; n < 10; n++) a?.giveBack("ana", rate, clock.now())
    expect(passing(b, clock, 1)).toBe(1)
    await clock.advance(REPORT_MS)
    expect(passing(b, clock, 20)).toBe(10)
  })

  it("[SEC-44] nothing is asked while nobody calls, and once per second for all keys together", async () => {
    const { clock, buckets, shared, servers } = serversOf(1)
    await clock.advance(60_000)
    expect(buckets.asked).toEqual([])
    for (const key of ["ana", "bob", "cem"]) for (let n = 0; n < 3; n++) servers[0]?.take(key, rate, clock.now())
    await clock.advance(REPORT_MS)
    expect(buckets.asked).toHaveLength(1)
    const told = { cost: 3_000, agoMs: REPORT_MS }
    expect([...(buckets.asked[0] ?? [])]).toEqual(["ana", "bob", "cem"].map((key) => [`sends ${key}`, told]))
    await clock.advance(60_000)
    // Three more times, until the buckets are full.
    expect(buckets.asked.length).toBeLessThanOrEqual(4)
    shared[0]?.close()
    expect(clock.waiting).toBe(0)
  })

  it("[SEC-44] while the store does not answer, each server counts for itself, and tells it later", async () => {
    const { clock, buckets, servers } = serversOf(2)
    const [a, b] = servers
    buckets.isDown = true
    expect([passing(a, clock, 20), passing(b, clock, 20)]).toEqual([10, 10])
    await clock.advance(3 * REPORT_MS)
    expect([passing(a, clock, 20), passing(b, clock, 20)]).toEqual([3, 3])
    buckets.isDown = false
    await clock.advance(2 * REPORT_MS)
    // 26 passed: the next one may when 17 of them are made up for.
    for (const server of servers) expect(server.take("ana", rate, clock.now())).toBe(12_000)
    await clock.advance(12_000)
    expect(passing(a, clock, 20)).toBe(1)
  })

  it("[SEC-44] a server alone asks nobody", async () => {
    const clock = new FakeClock()
    const rates = new SharedRates(clock, undefined).add("sends")
    expect(passing(rates, clock, 20)).toBe(10)
    expect(clock.waiting).toBe(0)
  })
})
