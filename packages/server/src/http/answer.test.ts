import type { IncomingMessage } from "node:http"
import { limits } from "@parlor/protocol"
import { expect, test, vi } from "vitest"
import { writeAnswer } from "./answer.ts"
import { Stalled } from "./taken.ts"
import { asResponse, Out } from "./testing/out.ts"

const GET = { method: "GET", complete: true } as IncomingMessage
const PIECE = "x".repeat(64 * 1024)

test("[LOG-26] no more is produced than the reader reads, and a stalled reader is dropped", async () => {
  const out = new Out()
  out.stall()
  let made = 0
  const body = (function* () {
    for (; made < 100; made++) yield PIECE
  })()
  const written = writeAnswer(GET, asResponse(out), { status: 200, headers: {}, body }).catch((error: unknown) => error)
  await vi.waitFor(() => expect(out.patienceMs).toBe(limits.readerStallMs))
  expect(made).toBeLessThan(3)
  expect(out.writableLength).toBeLessThan(3 * PIECE.length)
  out.emit("timeout")
  expect(await written).toBeInstanceOf(Stalled)
})

test("[LOG-26] a slow reader gets everything, at its own pace", async () => {
  const out = new Out()
  out.stall()
  const bytes = Buffer.alloc(1_000_000, "abc")
  const written = writeAnswer(GET, asResponse(out), { status: 200, headers: {}, body: bytes })
  await vi.waitFor(() => expect(out.patienceMs).toBe(limits.readerStallMs))
  expect(out.writableLength).toBeLessThan(200_000)
  out.resume()
  await written
  expect(Buffer.concat(out.written).equals(bytes)).toBe(true)
  expect(out.headers).toMatchObject({ "content-length": "1000000" })
  expect(out.patienceMs).toBe(0)
})
