import { PassThrough } from "node:stream"
import { text } from "node:stream/consumers"
import { problem } from "@parlor/protocol"
import { expect, test } from "vitest"
import { answerMalformed } from "./malformed.ts"

const failure = (code: string) => Object.assign(new Error("inner words"), { code })

test.each([
  ["HPE_HEADER_OVERFLOW", 431, "request.headers-too-large"],
  ["ERR_HTTP_REQUEST_TIMEOUT", 408, "request.timeout"],
  ["HPE_INVALID_METHOD", 400, "request.http"],
])("[SEC-5] %s is answered on the raw socket as a problem", async (code, status, named) => {
  const socket = new PassThrough()
  answerMalformed(failure(code), socket)
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n")
  expect(head).toContain(`HTTP/1.1 ${status} `)
  expect(head).toContain("content-type: application/problem+json")
  expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`)
  expect(problem.strict().parse(JSON.parse(body))).toMatchObject({ status, code: named })
  expect(body).not.toContain("inner words")
})

test("nothing is mixed into a response in progress, or written to a client that has left", async () => {
  const answering = Object.assign(new PassThrough(), { _httpMessage: { headersSent: true } })
  const gone = new PassThrough()
  for (const [socket, code] of [
    [answering, "HPE_INVALID_METHOD"],
    [gone, "ECONNRESET"],
  ] as const) {
    socket.on("error", () => {})
    answerMalformed(failure(code), socket)
    expect(socket.destroyed).toBe(true)
    expect(socket.readableLength).toBe(0)
  }
})
