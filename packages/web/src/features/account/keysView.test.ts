import type { KeyView } from "@parlor/protocol"
import { expect, it } from "vitest"
import { keyWords, lifetimesOf, shownKeys, usualLifetime } from "./keysView.ts"

const NOW = Date.UTC(2026, 10, 18)
const DAY = 86_400_000

const key: KeyView = {
  id: "key_1",
  name: "ci",
  scopes: ["read", "write"],
  actFor: null,
  asMaker: true,
  madeBy: null,
  createdAt: NOW,
  expiresAt: null,
  revokedAt: null,
}

it("[TAB-41] shows the keys that still work, newest first", () => {
  const keys = [
    key,
    { ...key, id: "revoked", revokedAt: NOW - 1 },
    { ...key, id: "expired", expiresAt: NOW },
    { ...key, id: "newer", createdAt: NOW + 1, expiresAt: NOW + 1 },
  ]
  expect(shownKeys(keys, NOW).map(({ id }) => id)).toEqual(["newer", "key_1"])
})

it("[TAB-41] says what a key may do, for whom, and until when", () => {
  expect(keyWords(key)).toMatch(/^read, write · created .* · never expires$/)
  expect(keyWords({ ...key, actFor: "telegram:*", expiresAt: NOW })).toMatch(/acts for telegram:\* · .* · expires /)
})

it("[TAB-41, SEC-38] offers only lifetimes that the server accepts", () => {
  const offered = (keysUntil: number | null) => lifetimesOf({ keysUntil }, NOW)
  const labels = (keysUntil: number | null) => offered(keysUntil).map(({ label }) => label)
  expect(labels(null)).toEqual(["1 day", "7 days", "30 days", "90 days", "365 days", "No expiry"])
  expect(labels(NOW + 30 * DAY)).toEqual(["1 day", "7 days", "30 days"])
  expect(labels(NOW + 30 * DAY - 5_000)).toEqual(["1 day", "7 days", "30 days"])
  expect(labels(NOW + 5 * 60_000)).toEqual(["5 minutes, as long as your sign-in"])
  for (const until of [NOW + 30 * DAY, NOW + 30 * DAY - 5_000, NOW + 5 * 60_000])
    for (const { expiresAt } of offered(until)) expect(expiresAt).toBeLessThanOrEqual(until)
  expect([null, NOW + 30 * DAY].map((until) => usualLifetime(offered(until)))).toEqual(["90", "30"])
})
