import type { PendingSend } from "@parlor/client"
import { expect, it } from "vitest"
import { isBusy, pendingOf } from "./pending.ts"

const send = (key: string, state: PendingSend["state"], failures = 0): PendingSend => ({
  key,
  body: { text: key },
  text: key,
  at: 0,
  state,
  error: null,
  failures,
  retryAt: null,
})

it("[TAB-9] what is sent while busy shows in the queue, otherwise in the conversation; what was refused stands apart", () => {
  const sending = [send("a", "sending"), send("b", "failed")]
  expect(pendingOf(sending, false)).toEqual({ spoken: [sending[0]], queued: [], refused: [sending[1]], waiting: [] })
  expect(pendingOf(sending, true)).toEqual({ spoken: [], queued: [sending[0]], refused: [sending[1]], waiting: [] })
  expect(isBusy({ state: "retrying" })).toBe(true)
  expect(isBusy({ state: "error" })).toBe(false)
  expect(isBusy(null)).toBe(false)
})

it("[LOG-12] what cannot be delivered is waiting, and so is what goes after it; a first try is not", () => {
  const stuck = [send("a", "sending", 2), send("b", "sending"), send("c", "failed", 1)]
  expect(pendingOf(stuck, false).waiting).toEqual([stuck[0], stuck[1]])
  expect(pendingOf([send("a", "sending")], false).waiting).toEqual([])
})

it("[CMP-15] a message that is nothing but attachments shows what they are called", () => {
  const node = { kind: "attachment", hash: "a".repeat(64), name: "a.png", start: 0, end: 0, raw: "" }
  const body = { type: "composer_input", payload: { source: "", nodes: [node] } } as const
  const bare = { ...send("a", "sending"), body, text: "" } as PendingSend
  expect(pendingOf([bare], false).spoken[0]?.text).toBe("a.png")
})
