/**
 * Every attack of `attacks/`, from outside, against the server as built, in a process of its own.
 *
 * A few seconds of each; in full with PARLOR_LONG=1. Against any other server: `node test/attack/run.mjs`.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { bundledBin } from "../support/bundle.ts"
import { attacks } from "./attacks.mjs"
import { BAR, neighbor } from "./neighbor.mjs"
import { startServer } from "./server.mjs"
import { expectAlive, targetOf } from "./target.mjs"

const long = process.env.PARLOR_LONG === "1"
const ATTACK_MS = long ? 600_000 : 60_000
const bin = await bundledBin()
const all = await attacks()
let server: Awaited<ReturnType<typeof startServer>>

describe("a server under attack", () => {
  beforeAll(async () => {
    server = await startServer({ bin })
  })

  afterAll(() => server.stop())

  for (const { rule, name, description, run } of all)
    test(`[${rule}] ${name}: ${description}`, { timeout: ATTACK_MS }, async () => {
      const seen = await run(server.target, { long }).catch((error: unknown) => {
        throw new Error(`the server did not hold (${server.isRunning() ? "running" : "ENDED"}): ${server.output()}`, {
          cause: error,
        })
      })
      expect(Object.keys(seen).length).toBeGreaterThan(0)
      expect(server.isRunning()).toBe(true)
    })
})

test.each([1_024, 48])(
  "[SEC-13] with %i descriptors, more connections than that are survived, and it recovers",
  { timeout: ATTACK_MS },
  async (descriptors) => {
    const few = await startServer({ bin, descriptors })
    try {
      const chosen = await attacks(["idle-connections", "pipelined-assets"])
      for (const { run } of chosen) {
        // With so few, the attack itself may see refusals; what counts is that the process lives and recovers.
        const attacked = run(few.target, { long: false })
        if (descriptors >= 1_024) await attacked
        else await attacked.catch(() => undefined)
        expect(few.isRunning(), few.output()).toBe(true)
      }
      await expectAlive(few.target, 20_000)
    } finally {
      await few.stop()
    }
  },
)

test("[SEC-18] one hostile person leaves another their server", { timeout: 2 * ATTACK_MS }, async () => {
  const alone = await startServer({ bin })
  try {
    const { during, after } = await neighbor(alone.target, { seconds: long ? 60 : 5 })
    expect(alone.isRunning(), alone.output()).toBe(true)
    expect(during.rssMb).toBeLessThan(BAR.rssMb)
    expect(after.requests).toBeGreaterThan(0)
    // How long others wait is a promise about a machine that does nothing else.
    if (long) expect(during.p99Ms).toBeLessThan(BAR.p99Ms)
  } finally {
    await alone.stop()
  }
})

test("[SEC-23] with small limits, overwriting a file and making conversations is refused", {
  timeout: ATTACK_MS,
}, async () => {
  const env = { PARLOR_STORED_BYTES: "6000000", PARLOR_CONVERSATIONS: "30" }
  const small = await startServer({ bin, env })
  try {
    const [quota] = await attacks(["quota"])
    expect(await quota?.run(small.target, { long: false })).toMatchObject({
      bytesRefused: true,
      conversationsRefused: true,
    })
  } finally {
    await small.stop()
  }
})

test("attacks go to this machine only, unless told otherwise", () => {
  expect(() => targetOf("http://parlor.example.com", "t")).toThrow(/not this machine/)
  expect(targetOf("http://parlor.example.com", "t", { anywhere: true }).url.hostname).toBe("parlor.example.com")
})
