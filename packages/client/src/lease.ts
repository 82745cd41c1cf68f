/**
 * A waiting message held open for editing (QUE-8).
 *
 *   held ──release, save──▶ over
 *     │ renewed every `leaseRenewMs`
 *     └──refused, aborted──▶ over
 *
 * While it is held the message does not start. A renewal that meets a fault is tried again until the server refuses it:
 * the message has started or was removed. Leaving without a release costs the rest of the queue the lease's 30 s.
 */
import type { QueueRow } from "@parlor/protocol"
import { ParlorError } from "./error.ts"
import { pause } from "./timing.ts"

/** What an edit may change. */
export type LeasedEdit = { readonly text?: string; readonly payload?: QueueRow["payload"] }

export type EditLeaseParts = {
  readonly row: QueueRow
  readonly holder: string
  readonly everyMs: number
  readonly signal: AbortSignal | undefined
  readonly renew: () => Promise<QueueRow>
  readonly release: () => Promise<void>
  readonly save: (edit: LeasedEdit & { readonly version: number }) => Promise<QueueRow>
}

export class EditLease {
  /** The message as it was when the lease began. */
  readonly row: QueueRow
  readonly holder: string
  /** Resolves when the lease is over: with what ended it, or undefined when its holder did. */
  readonly ended: Promise<ParlorError | undefined>
  readonly #parts: EditLeaseParts
  readonly #over = new AbortController()

  constructor(parts: EditLeaseParts) {
    this.#parts = parts
    this.row = parts.row
    this.holder = parts.holder
    this.ended = this.#keep()
  }

  /** Lets the message start again. A message that started or went meanwhile needs no release. */
  async release(): Promise<void> {
    if (await this.#end()) return
    await this.#parts.release().catch((error: unknown) => {
      if (!(error instanceof ParlorError && error.code === "message.not-queued")) throw error
    })
  }

  /**
   * Stores the edit and ends the lease in one. Refused with `message.changed` when another text came first (QUE-7); that
   * the message was moved or paused meanwhile does not matter to its editor.
   */
  async save(edit: LeasedEdit): Promise<QueueRow> {
    await this.#end()
    const now = await this.#parts.renew()
    const hasSameText = JSON.stringify(now.payload) === JSON.stringify(this.row.payload)
    try {
      return await this.#parts.save({ ...edit, version: hasSameText ? now.version : this.row.version })
    } catch (error) {
      await this.release().catch(() => undefined)
      throw error
    }
  }

  /** A renewal under way is waited for: it must not arrive after the release. */
  #end(): Promise<ParlorError | undefined> {
    this.#over.abort()
    return this.ended
  }

  async #keep(): Promise<ParlorError | undefined> {
    const { everyMs, signal, renew } = this.#parts
    const over = signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal
    for (;;) {
      await pause(everyMs, over)
      if (over.aborted) return undefined
      try {
        await renew()
      } catch (error) {
        if (error instanceof ParlorError && error.status > 0 && !error.passing) return error
      }
    }
  }
}
