import { expect, it } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { takeArrival } from "./arrival.ts"
import { keepAttempt, takeAttempt } from "./attempt.ts"

function pageAt(search: string, hash: string) {
  const addresses: string[] = []
  return {
    addresses,
    location: { pathname: "/", search, hash },
    history: { replaceState: (_state: null, _unused: string, address: string) => void addresses.push(address) },
  }
}

it.each([
  ["", "#code=abc&state=xyz", "abc"],
  ["?code=abc&state=xyz", "", "abc"],
  ["?code=abc&state=xyz", "#/critic", "abc"],
  ["", "#error=access_denied&state=xyz", null],
])("[SEC-39] the issuer's response is taken out of the address at once: %s%s", (search, hash, code) => {
  const page = pageAt(search, hash)
  const arrival = takeArrival(page)
  expect([arrival?.parameters.get("state"), arrival?.parameters.get("code")]).toEqual(["xyz", code])
  expect(page.addresses).toEqual(["/"])
})

it.each([
  ["", ""],
  ["", "#/critic/main"],
  ["", "#token=abc"],
  ["?state=xyz", ""],
  ["", "#search/host/main/code=1&state"],
])("[SEC-39] other addresses are left alone: %s%s", (search, hash) => {
  const page = pageAt(search, hash)
  expect(takeArrival(page)).toBeUndefined()
  expect(page.addresses).toEqual([])
})

it("[SEC-39] what a window remembers for the way back is used once; a browser that keeps nothing says so", () => {
  const items = new Map<string, string>()
  const keep = keepIn(() => ({
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }))
  const attempt = { state: "s", nonce: "n", verifier: "v", hash: "#/critic" }
  expect(keepAttempt(attempt, keep)).toBe(true)
  expect([takeAttempt(keep), takeAttempt(keep)]).toEqual([attempt, undefined])
  items.set("parlor.sign-in", JSON.stringify({ ...attempt, nonce: 1 }))
  expect(takeAttempt(keep)).toBeUndefined()
  const refusing = keepIn(() => {
    throw new Error("denied")
  })
  expect([keepAttempt(attempt, refusing), takeAttempt(refusing)]).toEqual([false, undefined])
})
