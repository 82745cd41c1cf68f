import type { KeyRecord } from "@parlor/core"
import { FakeClock } from "@parlor/core/testing"
import { limits, Refusal } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { createGuesses } from "./guesses.ts"

const AT_ONCE = limits.wrongCredentialsAtOnce
const HERE = "192.0.2.1"
const codeOf = (guessing: Promise<unknown>) =>
  guessing.then((found) => (found === undefined ? "unknown" : "found")).catch((error: Refusal) => error.code)

/** A store that knows the keys whose hash begins with `good`, and records its lookups. */
function stage() {
  const clock = new FakeClock()
  const asked = { statements: 0, atOnce: 0, most: 0, hashes: 0 }
  const find = async (hashes: readonly string[]) => {
    asked.statements++
    asked.hashes += hashes.length
    asked.most = Math.max(asked.most, ++asked.atOnce)
    await new Promise((resolve) => setImmediate(resolve))
    asked.atOnce--
    return hashes.filter((hash) => hash.startsWith("good")).map((hash) => ({ hash }) as KeyRecord)
  }
  const store = { keys: { find: async (hash: string) => (await find([hash]))[0], findAll: find } }
  return { clock, asked, guesses: createGuesses({ store, clock }) }
}

describe("wrong credentials", () => {
  it("[SEC-9] past the limit are told to wait, even if they arrive all at once", async () => {
    const { guesses, clock } = stage()
    const tries = Array.from({ length: AT_ONCE + 50 }, (_, n) => codeOf(guesses.lookUp(HERE, `${n}`)))
    expect((await Promise.all(tries)).filter((code) => code === "rate.exceeded")).toHaveLength(50)
    expect(await codeOf(guesses.lookUp("192.0.2.2", "x"))).toBe("unknown")
    const told = await guesses.lookUp(HERE, "x").catch((error: Refusal) => error.retryAfterMs)
    expect(told).toBe(60_000 / limits.wrongCredentialsPerMinute)
    await clock.advance(Number(told))
    expect(await codeOf(guesses.lookUp(HERE, "x"))).toBe("unknown")
  })

  it("[SEC-17] do not block a valid one, whether it was seen before or not", async () => {
    const { guesses } = stage()
    for (let n = 0; n < AT_ONCE + 10; n++) await codeOf(guesses.lookUp(HERE, `${n}`))
    expect(await codeOf(guesses.lookUp(HERE, "bad"))).toBe("rate.exceeded")
    expect(await codeOf(guesses.lookUp(HERE, "good, never seen"))).toBe("found")
    expect(await codeOf(guesses.lookUp(HERE, "good, never seen"))).toBe("found")
  })

  it("[SEC-17] cost the store one statement at a time, however many arrive", async () => {
    const { guesses, asked } = stage()
    const flood = Array.from({ length: 5_000 }, (_, n) => codeOf(guesses.lookUp(HERE, `${n}`)))
    const right = codeOf(guesses.lookUp(HERE, "good"))
    await Promise.all(flood)
    expect(await right).toBe("found")
    expect(asked).toMatchObject({ most: 1, hashes: 5_001 })
    expect(asked.statements).toBeLessThan(20)
  })

  it("[SEC-17] do not delay valid ones, and every waiting caller gets the store's failure", async () => {
    const clock = new FakeClock()
    let isDown = false
    let wake = () => {}
    const keys = {
      find: async (hash: string) => ({ hash }) as KeyRecord,
      findAll: async (hashes: readonly string[]) => {
        if (isDown) throw new Refusal("rate.exceeded", "down")
        if (hashes.includes("slow")) await new Promise<void>((resolve) => (wake = resolve))
        return hashes.map((hash) => ({ hash }) as KeyRecord)
      },
    }
    const guesses = createGuesses({ store: { keys }, clock })
    await guesses.lookUp(HERE, "in use")
    const slow = guesses.lookUp(HERE, "slow")
    expect(await codeOf(guesses.lookUp(HERE, "in use"))).toBe("found")
    wake()
    await slow
    isDown = true
    expect(await Promise.all([codeOf(guesses.lookUp(HERE, "a")), codeOf(guesses.lookUp(HERE, "b"))])).toEqual([
      "rate.exceeded",
      "rate.exceeded",
    ])
    isDown = false
    expect(await codeOf(guesses.lookUp(HERE, "a"))).toBe("found")
  })

  it("[SEC-9] that are refused without the store count too", () => {
    const { guesses } = stage()
    const why = new Refusal("auth.invalid", "It is not signed.")
    const codes = Array.from({ length: AT_ONCE + 1 }, () => guesses.wrong(HERE, why).code)
    expect(new Set(codes.slice(0, -1))).toEqual(new Set(["auth.invalid"]))
    expect(codes.at(-1)).toBe("rate.exceeded")
  })
})
