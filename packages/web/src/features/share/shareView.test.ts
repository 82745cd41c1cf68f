import type { ShareView } from "@parlor/protocol"
import { expect, it } from "vitest"
import { activeShares, firstChoice, sharerWords, sharesOf, shareWords, termWords } from "./shareView.ts"

const share: ShareView = {
  id: "shr_1",
  agent: "host",
  branch: "main",
  mode: "live",
  viewer: null,
  shows: firstChoice.shows,
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
}

it("[SHR-13] the first choice is the least: what is here now, for 30 days, without more", () => {
  expect(sharesOf(firstChoice, null, 0)).toEqual({
    mode: "snapshot",
    viewer: null,
    shows: { name: false, details: false, files: false },
    expiresAt: 30 * 86_400_000,
  })
  expect(sharesOf({ ...firstChoice, days: undefined }, null, 5).expiresAt).toBeNull()
})

it("[SHR-13] a person learns who shares with them, until it is stopped", () => {
  expect(sharesOf(firstChoice, "ana", 0)).toMatchObject({ viewer: "ana", shows: { name: true }, expiresAt: null })
})

it("[SHR-13] only what is shared now is listed, in words", () => {
  const all = [share, { ...share, revokedAt: 3 }, { ...share, expiresAt: 10 }]
  expect(activeShares(all, 10)).toEqual([share])
  expect(shareWords(share)).toBe("Link, live")
  expect(shareWords({ ...share, viewer: "ana" })).toBe("ana, live")
  expect(termWords(share)).toBe("live")
  expect(termWords({ ...share, expiresAt: Date.UTC(2027, 0, 31, 12) })).toMatch(/^live, until .*2027/)
  expect([null, "me", "ana"].map(sharerWords)).toEqual([
    "Shared conversation",
    "Shared by the owner of this server",
    "Shared by ana",
  ])
})
