/** Why a turn's signal was aborted: a person asked for it. */
import type { MessageId } from "@parlor/protocol"

export type OnQueue = "hold" | "drain" | "clear"

export class StopAsked extends Error {
  readonly onQueue: OnQueue
  /** The queued message that starts in its place (QUE-10). */
  readonly next: MessageId | undefined

  constructor(onQueue: OnQueue, next?: MessageId) {
    super("stopped")
    this.name = "StopAsked"
    this.onQueue = onQueue
    this.next = next
  }
}
