/**
 * The lease on a queued message while it is edited (QUE-8).
 *
 *   held ──release, save──▶ over
 *     │ renewed every `leaseRenewMs`
 *     └──refused, aborted──▶ over
 *
 * While it is held, the message does not start. A failed renewal is retried until the server refuses it because
 * the message has started or was removed. Without a release, the queue waits until the lease expires after 30 s.
 */
import type { QueueRow } from "@parlor/protocol"
import { ParlorError } from "./error.ts"
import { pause } from "./timing.ts"

/** The editable fields. */
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
  /** The message when the lease began. */
  readonly row: QueueRow
  readonly holder: string
  /** Resolves when the lease ends: with the error that ended it, or undefined if its holder released it. */
  readonly ended: Promise<ParlorError | undefined>
  readonly #parts: EditLeaseParts
  readonly #over = new AbortController()

  constructor(parts: EditLeaseParts) {
    this.#parts = parts
    this.row = parts.row
    this.holder = parts.holder
    this.ended = this.#keep()
  }

  /** Lets the message start. Does nothing if it has started or was removed. */
  async release(): Promise<void> {
    if (await this.#end()) return
    await this.#parts.release().catch((error: unknown) => {
      if (!(error instanceof ParlorError && error.code === "message.not-queued")) throw error
    })
  }

  /**
   * Stores the edit and ends the lease in one step. Rejects with `message.changed` if the text changed first (QUE-7),
   * but not if the message was moved or paused.
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

  /** Waits for a renewal in progress, which must not arrive after the release. */
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
