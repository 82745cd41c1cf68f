/** What an agent's own code may do about waking itself (TRG-4). */
import type { Millis } from "@parlor/protocol"

export type WakeupWhen =
  | { readonly delayMs: number }
  | { readonly at: Millis | string }
  | { readonly cron: string; readonly timeZone?: string }

export type WakeupRequest = {
  readonly when: WakeupWhen
  /** What it is told then. */
  readonly prompt: string
  /** Why, for the person who sees it listed. */
  readonly reason?: string
}

export type Wakeup = {
  readonly id: string
  /** When it comes first, or next. */
  readonly at: Millis | null
  readonly prompt: string
  readonly reason: string
  /** Why it does not come, when it was paused. */
  readonly paused: string | null
}

/** The wakeups of one conversation. */
export interface WakeupAccess {
  request(wakeup: WakeupRequest): Promise<Wakeup>
  /** False when there is none of that id to come. */
  cancel(id: string): Promise<boolean>
  list(): Promise<readonly Wakeup[]>
}
