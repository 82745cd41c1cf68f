/**
 * One reader following a stream by server-sent events.
 *
 *   catching up ──page reached the head and was sent, nothing newer published───▶ live
 *        ▲                                                                           │ published frame does not
 *        └───────────────────────────────────────────────────────────────────────────┘ follow on, or does not fit
 *
 * A slow reader costs `limits.readerBufferBytes` and one frame or page; past that it reads the log at its own pace,
 * while it has a catch-up slot. A stalled reader is disconnected, and resumes from its offset on a new connection
 * (LOG-13). Nobody waits for it.
 */
import type { ServerResponse } from "node:http"
import { formatOffset, limits } from "@parlor/protocol"
import { taken } from "../http/taken.ts"
import { controlFrame, dataFrame, KEEP_ALIVE } from "./frames.ts"
import { page, type Reading, type Start } from "./read.ts"
import { type Source, seen, startsOver } from "./source.ts"

export type FollowerParts = {
  readonly reading: Reading
  readonly source: Source
  readonly out: ServerResponse
  readonly from: Start
  /** The lowest cursor to send: later than the client's. */
  readonly cursor: () => number
  /** Waits for a catch-up slot and returns its release function (SEC-12). */
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

  /** Frames of the events `first` to `last`, encoded once for all live readers. */
  take(frame: Buffer, first: number, last: Start): void {
    if (last.seq <= this.#last) return
    if (!this.#live || first !== this.#last + 1 || this.#isFull) this.wake()
    else {
      this.#last = last.seq
      this.#offset = last.offset
      this.#write(frame)
    }
  }

  /** Something about the stream changed that is not in a frame. */
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

  /** Sends the log after the last sent event, page by page, then goes live. */
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
        // Live only after the page was sent: unsent bytes of it do not mean that the reader is slow.
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

  /** Writes one page of the log. */
  async #page(): Promise<"closed" | undefined> {
    const { reading, source } = this.#it
    this.#missed = false
    const { head, changes } = await page(reading, source, this.#last)
    if (!this.open) return "closed"
    if (startsOver(source, changes)) {
      this.end()
      return "closed"
    }
    const last = changes.at(-1)
    if (last !== undefined) {
      this.#last = last.seq
      this.#offset = formatOffset(last.seq, last.txid)
    }
    const upToDate = this.#last >= head && !this.#missed
    const closed = upToDate && (source.closed?.() ?? false)
    const shown = seen(source, changes)
    const [offset, isNamed] = [this.#offset, shown.length > 0]
    const control = controlFrame({ offset, cursor: this.#it.cursor(), upToDate, closed, isNamed })
    if (isNamed || upToDate) this.#write(Buffer.from((isNamed ? dataFrame(source, shown, offset) : "") + control))
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
