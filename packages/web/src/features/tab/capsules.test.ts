import { needsYou } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { capsulesOf, capsuleWords } from "./capsules.ts"

const row = { state: "idle", held: false, queued: 0, asks: 0, unread: false } as const
const words = (change: Partial<Parameters<typeof capsulesOf>[0]>, isInFront = false) =>
  capsulesOf({ ...row, ...change }, isInFront).map(capsuleWords)

describe("[TAB-6] the capsules of a tab", () => {
  it.each([
    [{}, []],
    [{ state: "busy" }, ["running"]],
    [{ state: "retrying", queued: 2 }, ["running", "2 queued"]],
    [{ state: "waiting", asks: 1, queued: 1 }, ["needs you", "1 queued"]],
    [{ asks: 1 }, ["needs you"]],
    [{ state: "error", unread: true }, ["failed", "unread"]],
    [{ queued: 3, held: true }, ["3 queued, paused"]],
    [{ unread: true }, ["done, unread"]],
    [{ state: "busy", unread: true }, ["running", "unread"]],
  ] as const)("%j says %j", (change, said) => {
    expect(words(change)).toEqual(said)
  })

  it("what is in front shows its news itself, but still what it waits for", () => {
    expect(words({ unread: true }, true)).toEqual([])
    expect(words({ state: "waiting", unread: true }, true)).toEqual(["needs you"])
  })

  it("tells who needs the person", () => {
    expect(needsYou({ state: "waiting", asks: 0 })).toBe(true)
    expect(needsYou({ state: "error", asks: 0 })).toBe(false)
  })
})
