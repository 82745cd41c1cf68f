import type { Log } from "@parlor/core"
import { FakeClock } from "@parlor/core/testing"
import type { JSONWebKeySet, JWK } from "jose"
import { beforeAll, describe, expect, it } from "vitest"
import { startIssuer } from "../../test/issuer.ts"
import { COOLDOWN_MS, createKeySet, MAX_AGE_MS } from "./key-set.ts"

type Fetch = { readonly answer: (keys: JSONWebKeySet) => void; readonly fail: (error: Error) => void }

let jwk: JWK

beforeAll(async () => {
  const issuer = await startIssuer()
  jwk = (await issuer.newKey("one")).jwk
  await issuer.close()
})

/** A key set whose fetches are answered by the test. */
function stage() {
  const fetches: Fetch[] = []
  const lines: string[] = []
  const log: Log = { info: () => {}, error: () => {}, warn: (_, fields) => void lines.push(String(fields?.reason)) }
  const clock = new FakeClock()
  const fetchKeys = () =>
    new Promise<JSONWebKeySet>((resolve, reject) => {
      fetches.push({ answer: resolve, fail: reject })
    })
  const keys = createKeySet({ fetchKeys, clock, log })
  const ask = async (kid: string) => keys({ alg: "ES256", kid }, { payload: "", signature: "" })
  return { fetches, lines, clock, ask }
}

describe("the keys of an issuer", () => {
  it("[SEC-4] that does not respond are waited for once; then known keys are used immediately while they are fetched again", async () => {
    const { ask, clock, fetches, lines } = stage()
    const first = ask("one")
    fetches[0]?.answer({ keys: [jwk] })
    await first
    await clock.advance(MAX_AGE_MS)
    const waiting = [ask("one"), ask("one")]
    expect(fetches).toHaveLength(2)
    fetches[1]?.fail(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") }))
    await Promise.all(waiting)
    expect(lines).toEqual(["TypeError: fetch failed (Error: connect ECONNREFUSED)"])
    await clock.advance(COOLDOWN_MS)
    await ask("one")
    expect(fetches).toHaveLength(3)
    await ask("one")
    expect(fetches).toHaveLength(3)
    fetches[2]?.answer({ keys: [{ ...jwk, kid: "two" }] })
    await clock.advance(1)
    await ask("two")
    await expect(ask("one")).rejects.toMatchObject({ code: "ERR_JWKS_NO_MATCHING_KEY" })
  })

  it("[SEC-4] are fetched once for all who wait, and an unreadable response counts as no response", async () => {
    const { ask, fetches } = stage()
    const waiting = Array.from({ length: 5 }, () => ask("one").catch((error: { code: string }) => error.code))
    fetches[0]?.answer({ keys: "none" } as unknown as JSONWebKeySet)
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["auth.unavailable"]))
    expect(fetches).toHaveLength(1)
  })

  it("[SEC-4] are fetched again after the clock was set back", async () => {
    let now = 1_000_000
    const log: Log = { info: () => {}, error: () => {}, warn: () => {} }
    const clock = { now: () => now, after: () => () => {} }
    let count = 0
    const fetchKeys = async () => {
      count += 1
      return { keys: [jwk] }
    }
    const keys = createKeySet({ fetchKeys, clock, log })
    await keys({ alg: "ES256", kid: "one" }, { payload: "", signature: "" })
    now = 5
    await keys({ alg: "ES256", kid: "one" }, { payload: "", signature: "" })
    expect(count).toBe(2)
  })
})
