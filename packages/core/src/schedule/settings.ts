/** Limits for triggers. */
export type TriggerSettings = {
  /** A firing later than this counts as missed, and the schedule's rule decides what happens (TRG-3). */
  readonly lateMs: number
  /** How many missed firings the rule `all` catches up on: the newest. */
  readonly catchUp: number
  /** How long until a firing that had to wait is retried. */
  readonly againMs: number
  readonly wakeups: WakeupSettings
}

/** Limits for wakeups (TRG-4, TRG-8). */
export type WakeupSettings = {
  readonly horizonMs: number
  /** Pending ones of one conversation. */
  readonly most: number
  /** A chain of wakeups without a person in between. */
  readonly depth: number
  /** Per conversation. */
  readonly perHour: number
}

export const defaultTriggerSettings: TriggerSettings = {
  lateMs: 60_000,
  catchUp: 24,
  againMs: 10_000,
  wakeups: { horizonMs: 7 * 24 * 60 * 60_000, most: 20, depth: 24, perHour: 30 },
}
