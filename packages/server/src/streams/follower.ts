/**
 * One reader following a stream by server-sent events.
 *
 *   catching up ──page reached the head and has left, nothing published meanwhile──▶ live
 *        ▲                                                                           │ published frame does not
 *        └───────────────────────────────────────────────────────────────────────────┘ follow on, or does not fit
 *
 * A reader that is slower than what comes costs `limits.readerBufferBytes` and one frame or page; past that it is sent
 * the log, at the pace at which it takes it, while it has a place among those that catch up. One that takes nothing at all
 * is cut, and resumes from its offset on a new connection (LOG-13). Nobody waits for it.
 */
import type { ServerResponse } from "node:http"
import { formatOffset, limits } from "@parlor/protocol"
import { taken } from "../http/taken.ts"
import { controlFrame, dataFrame, KEEP_ALIVE } from "./frames.ts"
import { page, type Reading, type Start } from "./read.ts"
import type { Source } from "./source.ts"

export type FollowerParts = {
  readonly reading: Reading
  readonly source: Source
  readonly out: ServerResponse
  readonly from: Start
  /** The least cursor to send: past the one the client came with. */
  readonly cursor: () => number
  /** Waits for a place among those that catch up, and answers with what gives it back (SEC-12). */
  readonly enter: () => Promise<() => void>
}

export class Follower {
  readonly #it: FollowerParts
  #last: number
  #offset: string
  #live = false
  #missed = false
  /** Whether the last page written reached the head. */
  #upToDate = false

  constructor(it: FollowerParts) {
    this.#it = it
    this.#last = it.from.seq
    this.#offset = it.from.offset
  }

  get open(): boolean {
    return !this.#it.out.destroyed && !this.#it.out.writableEnded
  }

  /** Frames of the events from number `first` up to `last`, made once for all readers that are live. */
  take(frame: Buffer, first: number, last: Start): void {
    if (last.seq <= this.#last) return
    if (!this.#live || first !== this.#last + 1 || this.#isFull) this.wake()
    else {
      this.#last = last.seq
      this.#offset = last.offset
      this.#write(frame)
    }
  }

  /** Something about the stream changed that no frame tells. */
  wake(): void {
    if (this.#live) this.catchUp()
    else this.#missed = true
  }

  keepAlive(): void {
    if (this.#live && !this.#isFull) this.#write(KEEP_ALIVE)
  }

  cut(): void {
    this.#it.out.destroy()
  }

  end(): void {
    this.#it.out.end()
  }

  /** Sends what the log has after the last event sent, page by page, then goes live. */
  catchUp(): void {
    this.#live = false
    this.#pages().catch(() => this.cut())
  }

  async #pages(): Promise<void> {
    const { out } = this.#it
    await taken(out)
    for (;;) {
      const leave = await this.#it.enter()
      try {
        if (!this.open || (await this.#page()) === "closed") return
        // Live only when the page has left: what is still on its way is no sign of a slow reader.
        await taken(out)
      } finally {
        leave()
      }
      if (this.#upToDate && !this.#missed) {
        this.#live = true
        return
      }
    }
  }

  /** Writes one page of what the log has. */
  async #page(): Promise<"closed" | undefined> {
    const { reading, source } = this.#it
    this.#missed = false
    const { head, changes } = await page(reading, source, this.#last)
    if (!this.open) return "closed"
    const last = changes.at(-1)
    if (last !== undefined) {
      this.#last = last.seq
      this.#offset = formatOffset(last.seq, last.txid)
    }
    const upToDate = this.#last >= head && !this.#missed
    const closed = upToDate && (source.closed?.() ?? false)
    const control = controlFrame({ offset: this.#offset, cursor: this.#it.cursor(), upToDate, closed })
    if (changes.length > 0 || upToDate)
      this.#write(Buffer.from((changes.length > 0 ? dataFrame(source, changes) : "") + control))
    this.#upToDate = upToDate
    if (!closed) return undefined
    this.end()
    return "closed"
  }

  get #isFull(): boolean {
    return this.#it.out.writableLength > limits.readerBufferBytes
  }

  #write(frame: Buffer): void {
    if (this.open) this.#it.out.write(frame)
  }
}
