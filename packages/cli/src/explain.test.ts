import { ParlorError } from "@parlor/client"
import { expect, test } from "vitest"
import { Complaint, explain } from "./explain.ts"

test("a server that is not running is told with how to start it", () => {
  const error = new ParlorError("network", "http://127.0.0.1:4141 cannot be reached.")
  expect(explain(error)).toBe(
    'http://127.0.0.1:4141 cannot be reached. Start the server with "parlor serve", or say where it is with --url or PARLOR_URL.',
  )
})

test("a refusal is told in the server's words, without its control characters", () => {
  expect(explain(new ParlorError("queue.full", "Full\u001b[2J.", { status: 429 }))).toBe("Full␛[2J.")
  expect(explain(new ParlorError("auth.invalid", "Not known.", { status: 401 }))).toContain("PARLOR_TOKEN")
})

test("complaints are shown as they are, our own mistakes with their place", () => {
  expect(explain(new Complaint("Say something."))).toBe("Say something.")
  expect(explain(new TypeError("x is undefined"))).toContain("explain.test.ts")
  expect(explain(Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE" }))).toContain("PARLOR_PORT")
})
