import { describe, expect, test } from "vitest"
import { complaintIn } from "./complaint.ts"
import { connectionFault, retryAfterMs, statusFault } from "./faults.ts"

describe("faults of a provider", () => {
  test.each([408, 409, 425, 429, 500, 502, 503, 504, 529])("[TRN-10] %i is worth trying again", (status) => {
    expect(statusFault(status, { now: 0 }).transient).toBe(true)
  })

  test.each([301, 400, 401, 403, 404, 413, 422])("[TRN-10] %i is not", (status) => {
    expect(statusFault(status, { now: 0 }).transient).toBe(false)
  })

  test("[TRN-10] a 429 because the quota is used up is not", () => {
    const complaint = complaintIn({ error: { message: "quota", type: "x", code: "insufficient_quota" } })
    expect(statusFault(429, { complaint, now: 0 }).transient).toBe(false)
  })

  test.each([
    [{ "retry-after": "2" }, 2_000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "120", "retry-after": "9" }, 120],
    [{ "retry-after": "Thu, 01 Jan 1970 00:00:10 GMT" }, 7_000],
    [{ "retry-after": "Thu, 01 Jan 1970 00:00:01 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{}, undefined],
  ])("[TRN-10] %j asks to wait %s ms", (headers, ms) => {
    expect(retryAfterMs(headers, 3_000)).toBe(ms)
  })

  test("[TRN-10] keys never reach the message, and it stays short", () => {
    const message = `Incorrect API key provided: sk-proj-abc123def456, Bearer abcdef, AIzaSyA1234567890, hush ${"x".repeat(900)}`
    const fault = statusFault(401, { complaint: complaintIn(message), now: 0, secrets: ["hush"] })
    expect(fault.message).not.toMatch(/abc123|abcdef|AIzaSy|hush/)
    expect(fault.message.length).toBeLessThan(400)
    expect(fault.cause).toBeUndefined()
  })

  test("[TRN-10] a connection's fault names its code, also when it is a cause", () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED 10.0.0.1:80"), { code: "ECONNREFUSED" })
    const fault = connectionFault(new TypeError("fetch failed", { cause }))
    expect(fault.message).toBe("The connection to the model provider failed (ECONNREFUSED).")
    expect(fault.transient).toBe(true)
  })

  test.each([
    ["UND_ERR_SOCKET", "ECONNRESET"],
    ["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"],
  ])("[TRN-10] %s is told as %s", (code, told) => {
    const fault = connectionFault(Object.assign(new Error("x"), { code }))
    expect(fault.message).toBe(`The connection to the model provider failed (${told}).`)
    expect(fault.transient).toBe(true)
  })
})
