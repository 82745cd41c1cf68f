import type { PendingSend } from "@parlor/client"
import { expect, it } from "vitest"
import { isBusy, pendingOf } from "./pending.ts"

const send = (key: string, state: PendingSend["state"]): PendingSend => ({
  key,
  body: { text: key },
  text: key,
  at: 0,
  state,
  error: null,
})

it("[TAB-9] what is sent while busy shows in the queue, otherwise in the conversation; what was refused stands apart", () => {
  const sending = [send("a", "sending"), send("b", "failed")]
  expect(pendingOf(sending, false)).toEqual({ spoken: [sending[0]], queued: [], refused: [sending[1]] })
  expect(pendingOf(sending, true)).toEqual({ spoken: [], queued: [sending[0]], refused: [sending[1]] })
  expect(isBusy({ state: "retrying" })).toBe(true)
  expect(isBusy({ state: "error" })).toBe(false)
  expect(isBusy(null)).toBe(false)
})
