import { ParlorError } from "@parlor/client"
import { expect, test } from "vitest"
import { Complaint } from "./complaint.ts"
import { explain } from "./explain.ts"

test("the error about a server that is not running says how to start it", () => {
  const error = new ParlorError("network", "http://127.0.0.1:4141 cannot be reached.")
  expect(explain(error)).toBe(
    'http://127.0.0.1:4141 cannot be reached. Start the server with "parlor serve", or set its address with --url or PARLOR_URL.',
  )
})

test("a refusal shows the server's message, without control characters", () => {
  expect(explain(new ParlorError("queue.full", "Full\u001b[2J.", { status: 429 }))).toBe("Full␛[2J.")
  expect(explain(new ParlorError("auth.invalid", "Not known.", { status: 401 }))).toContain("PARLOR_TOKEN")
})

test("complaints are shown unchanged, bugs with their stack", () => {
  expect(explain(new Complaint("Say something."))).toBe("Say something.")
  expect(explain(new TypeError("x is undefined"))).toContain("explain.test.ts")
  expect(explain(Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE" }))).toContain("PARLOR_PORT")
})
