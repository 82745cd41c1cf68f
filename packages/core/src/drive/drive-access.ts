/** What is needed to own conversations and run their turns. */
import type { StreamId } from "@parlor/protocol"
import type { ErrorHoldSettings } from "../turn/after-error.ts"
import type { TurnAccess } from "../turn/turn-access.ts"
import type { Drive } from "./owned.ts"

export type DriveAccess = TurnAccess & Ownership & { readonly settings: DriveSettings }

export type Ownership = {
  /** The conversations this process owns. */
  readonly drives: Map<StreamId, Drive>
  /** Paused turns that could not be resumed because the store failed again; the next sweep retries them. */
  readonly paused: Set<StreamId>
  /** Conversations that are being claimed. */
  readonly recovering: Map<StreamId, Promise<boolean>>
}

export type DriveSettings = {
  readonly renewMs: number
  readonly sweepMs: number
  /** How long a queued message stays editable after the turn before it ended (QUE-4). */
  readonly drainDelayMs: number
  /** How long a queue is held after an error (QUE-20). */
  readonly errorHold: ErrorHoldSettings
}

export function ownsNothing(): Ownership {
  return { drives: new Map(), paused: new Set(), recovering: new Map() }
}
