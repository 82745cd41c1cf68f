import { FakeClock } from "@parlor/core/testing"
import { limits, Refusal } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { createGuesses, networkOf } from "./guesses.ts"

const AT_ONCE = limits.wrongCredentialsAtOnce
const wrong = async () => undefined
const right = async () => "a key"
const refusal = (guessing: Promise<unknown>) => guessing.then(() => undefined).catch((error: Refusal) => error.code)

describe("wrong credentials", () => {
  it("[SEC-9] past the limit are turned down without being looked up, also when they come all at once", async () => {
    const guesses = createGuesses(new FakeClock())
    let looked = 0
    const look = async () => {
      looked += 1
      return undefined
    }
    const tries = Array.from({ length: AT_ONCE + 50 }, (_, n) => refusal(guesses.lookUp("10.0.0.1", `${n}`, look)))
    expect((await Promise.all(tries)).filter((code) => code === "rate.exceeded")).toHaveLength(50)
    expect(looked).toBe(AT_ONCE)
    expect(await guesses.lookUp("10.0.0.2", "x", wrong)).toBeUndefined()
  })

  it("[SEC-9] leave what was right before alone, and what is new waits as long as it is told", async () => {
    const clock = new FakeClock()
    const guesses = createGuesses(clock)
    await guesses.lookUp("10.0.0.1", "known", right)
    for (let n = 0; n < AT_ONCE; n++) await guesses.lookUp("10.0.0.1", `${n}`, wrong)
    expect(await guesses.lookUp("10.0.0.1", "known", right)).toBe("a key")
    const told = await guesses.lookUp("10.0.0.1", "new", right).catch((error: Refusal) => error.retryAfterMs)
    expect(told).toBe(60_000 / limits.wrongCredentialsPerMinute)
    await clock.advance(Number(told))
    expect(await guesses.lookUp("10.0.0.1", "new", right)).toBe("a key")
    expect(await guesses.lookUp("10.0.0.1", "new", right)).toBe("a key")
  })

  it("[SEC-9] leave what is in use alone, however many others were right meanwhile", async () => {
    const guesses = createGuesses(new FakeClock())
    const others = async (from: number, to: number) => {
      for (let n = from; n < to; n++) await guesses.lookUp("10.0.0.2", `other ${n}`, right)
    }
    await guesses.lookUp("10.0.0.1", "known", right)
    await others(0, 9_000)
    await guesses.lookUp("10.0.0.1", "known", right)
    await others(9_000, 18_000)
    for (let n = 0; n < AT_ONCE; n++) await guesses.lookUp("10.0.0.1", `${n}`, wrong)
    expect(await guesses.lookUp("10.0.0.1", "known", right)).toBe("a key")
  })

  it("[SEC-9] are not those that could not be looked up", async () => {
    const guesses = createGuesses(new FakeClock())
    const down = async () => {
      throw new Error("down")
    }
    for (let n = 0; n < AT_ONCE + 9; n++) await expect(guesses.lookUp("10.0.0.1", `${n}`, down)).rejects.toThrow("down")
  })

  it("[SEC-9] that were found out without the store are refused in words first, and then as too many", () => {
    const guesses = createGuesses(new FakeClock())
    const why = new Refusal("auth.invalid", "It is not signed.")
    const codes = Array.from({ length: AT_ONCE + 1 }, () => guesses.wrong("10.0.0.1", why).code)
    expect(new Set(codes.slice(0, -1))).toEqual(new Set(["auth.invalid"]))
    expect(codes.at(-1)).toBe("rate.exceeded")
  })
})

it.each([
  ["10.0.0.1", "10.0.0.1"],
  ["::ffff:10.0.0.1", "10.0.0.1"],
  ["::1", "0:0:0:0::"],
  ["fe80::1%eth0", "fe80:0:0:0::"],
  ["2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["2001:db8:1:2::9", "2001:db8:1:2::"],
  ["2001:db8::1:2:3:4", "2001:db8:0:0::"],
  ["1::", "1:0:0:0::"],
  [undefined, ""],
])("[SEC-9] %s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network)
})
