import type { ServerResponse } from "node:http"
import { Writable } from "node:stream"

/** A response whose reader reads, or does not. */
export class Out extends Writable {
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

  flushHeaders(): void {}

  setTimeout(ms: number): this {
    this.patienceMs = ms
    return this
  }

  /** The values of all events written so far. */
  events(): unknown[] {
    const text = Buffer.concat(this.written).toString()
    return [...text.matchAll(/^data:(\[.*\])$/gm)].flatMap(([, array = "[]"]) => JSON.parse(array) as unknown[])
  }
}

export function asResponse(out: Out): ServerResponse {
  return out as unknown as ServerResponse
}
