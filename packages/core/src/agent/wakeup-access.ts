/** How an agent's own code schedules its wakeups (TRG-4). */
import type { Millis } from "@parlor/protocol"

export type WakeupWhen =
  | { readonly delayMs: number }
  | { readonly at: Millis | string }
  | { readonly cron: string; readonly timeZone?: string }

export type WakeupRequest = {
  readonly when: WakeupWhen
  /** The message it is woken with. */
  readonly prompt: string
  /** The reason, shown to the person in the list. */
  readonly reason?: string
}

export type Wakeup = {
  readonly id: string
  /** When it fires first, or next. */
  readonly at: Millis | null
  readonly prompt: string
  readonly reason: string
  /** Why it does not fire, if it was paused. */
  readonly paused: string | null
}

/** The wakeups of one conversation. */
export interface WakeupAccess {
  request(wakeup: WakeupRequest): Promise<Wakeup>
  /** False if no pending wakeup has that id. */
  cancel(id: string): Promise<boolean>
  list(): Promise<readonly Wakeup[]>
}
