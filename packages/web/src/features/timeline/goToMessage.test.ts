import type { MessageId, MessageRow } from "@parlor/protocol"
import { expect, it } from "vitest"
import { type Going, goingWords, goToMessage, MAX_PAGES } from "./goToMessage.ts"

const row = (n: number) => ({ id: `m${n}` as MessageId }) as MessageRow

/** A conversation of so many messages, opened with its newest ten. */
function conversation(count: number, options: { readonly fails?: boolean } = {}) {
  let from = Math.max(0, count - 10)
  let asked = 0
  const listeners = new Set<() => void>()
  const all = Array.from({ length: count }, (_, index) => row(index))
  return {
    asked: () => asked,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    getState: () => ({ messages: all.slice(from), older: from === 0 ? null : String(from) }),
    loadOlder: async (limit: number) => {
      asked++
      if (options.fails) throw new Error("down")
      // Told later, as the SDK does with the next frame.
      setTimeout(() => {
        from = Math.max(0, from - limit)
        for (const listener of listeners) listener()
      })
    },
  }
}

async function gone(live: ReturnType<typeof conversation>, message: string, signal = new AbortController().signal) {
  const seen: Going[] = []
  await goToMessage(live, message, { signal, onGoing: (going) => seen.push(going) })
  return seen
}

it("[CPT-8] a message that is loaded is gone to at once", async () => {
  const live = conversation(100)
  expect(await gone(live, "m95")).toEqual([{ kind: "there", message: "m95" }])
  expect(live.asked()).toBe(0)
})

it("[CPT-8] for an older one pages are loaded until it is there, and it is said how far one is", async () => {
  const live = conversation(1_000)
  const seen = await gone(live, "m500")
  expect(seen.at(-1)).toEqual({ kind: "there", message: "m500" })
  expect(seen.filter(({ kind }) => kind === "looking")).toHaveLength(live.asked())
  expect(seen.map(goingWords)[0]).toBe("Looking for the message, 10 loaded…")
})

it("[CPT-8] one that is not there, too far back or not to be had ends the search", async () => {
  expect((await gone(conversation(300), "gone")).at(-1)?.kind).toBe("missing")
  expect((await gone(conversation(300, { fails: true }), "m1")).at(-1)?.kind).toBe("missing")
  const far = conversation(MAX_PAGES * 200 + 1_000)
  expect((await gone(far, "m0")).at(-1)?.kind).toBe("missing")
  expect(far.asked()).toBe(MAX_PAGES)
  expect(goingWords({ kind: "missing", message: "x" })).toContain("no longer exists")
})

it("[TAB-3] who has gone elsewhere meanwhile is told nothing more", async () => {
  const left = new AbortController()
  left.abort()
  const live = conversation(1_000)
  expect([await gone(live, "m1", left.signal), live.asked()]).toEqual([[], 0])
})
