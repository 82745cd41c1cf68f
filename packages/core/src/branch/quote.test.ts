import { SIDECAR_ANSWER } from "@parlor/protocol"
import { messageWith } from "@parlor/protocol/testing"
import { expect, it } from "vitest"
import { answerOf, quotedPart } from "./quote.ts"

it("[BRA-4] a sidecar's answer is context with its origin; every other message is none", () => {
  const payload = { branch: "aside", title: "", message: "msg_1", text: "Yes." }
  const part = { type: "context", kind: "sidecar", title: "aside", content: "Yes." }
  const metadata = { origin: "the sidecar aside", branch: "aside", message: "msg_1" }
  expect(quotedPart({ type: SIDECAR_ANSWER, payload })).toEqual({ ...part, metadata })
  expect(quotedPart({ type: SIDECAR_ANSWER, payload: { ...payload, title: "Why" } })).toMatchObject({ title: "Why" })
  expect(quotedPart({ type: "composer_input", payload })).toBeUndefined()
})

it("[BRA-4] what an agent said in the end is its text alone", () => {
  const parts = [
    { type: "text", text: " One, " },
    { type: "reasoning", text: "hm" },
    { type: "text", text: "two. " },
  ] as const
  expect(answerOf(messageWith({ parts: [...parts] }))).toBe("One, two.")
})
