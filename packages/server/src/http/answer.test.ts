import type { IncomingMessage, ServerResponse } from "node:http"
import { Writable } from "node:stream"
import { limits } from "@parlor/protocol"
import { expect, test, vi } from "vitest"
import { writeAnswer } from "./answer.ts"
import { Stalled } from "./taken.ts"

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

function asResponse(out: Out): ServerResponse {
  return out as unknown as ServerResponse
}

/** A response whose reader reads, or does not. */
class Out extends Writable {
  readonly written: Buffer[] = []
  headers: Record<string, string> = {}
  patienceMs: number | undefined
  #waiting: (() => void) | undefined
  #stalled = false

  stall(): void {
    this.#stalled = true
  }

  resume(): void {
    this.#stalled = false
    this.#waiting?.()
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written.push(chunk)
    if (this.#stalled) this.#waiting = done
    else done()
  }

  writeHead(_status: number, headers: Record<string, string>): this {
    this.headers = headers
    return this
  }

  setTimeout(ms: number): this {
    this.patienceMs = ms
    return this
  }
}
