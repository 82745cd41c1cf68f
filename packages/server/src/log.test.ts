import { expect, test } from "vitest"
import { cleaner } from "./log.ts"

const clean = cleaner(["the-local-token-0123456789", "short"])

test.each([
  "Authorization: Bearer abc.def-ghi",
  "bearer token: Bearer the-local-token-0123456789",
  "key parlor_abcdefghijklmnopqrstuvwxyz0123456789",
  "Incorrect API key provided: sk-proj-abcdefgh",
  "signed with whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "signed in with eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJl",
  "unsigned eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ.",
  "google AIzaSyA-1234567890abcdefghij",
  "said the-local-token-0123456789 twice: the-local-token-0123456789",
])("[SEC-8] a secret in a field is removed: %s", (reason) => {
  const cleaned = String(clean({ reason }).reason)
  expect(cleaned).toContain("[secret]")
  expect(cleaned).not.toMatch(/abc\.def|the-local-token|parlor_abc|sk-proj|whsec_Mf|eyJ|c2ln|AIzaSy/)
})

test("[SEC-8] what is none stays as it is", () => {
  const fields = { agent: "host", attempt: 2, ok: true, none: null, reason: "short and task-list are words" }
  expect(clean(fields)).toEqual(fields)
  expect(clean(undefined)).toEqual({})
})
