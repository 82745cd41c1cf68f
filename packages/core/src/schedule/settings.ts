/** Bounds on what happens by itself. */
export type TriggerSettings = {
  /** A firing that is later than this was missed, and the schedule's rule says what becomes of it (TRG-3). */
  readonly lateMs: number
  /** Of what was missed, the rule `all` makes up for so many: the newest. */
  readonly catchUp: number
  /** How long until a firing that had to wait is tried again. */
  readonly againMs: number
  readonly wakeups: WakeupSettings
}

/** What an agent may do about waking itself (TRG-4, TRG-8). */
export type WakeupSettings = {
  readonly horizonMs: number
  /** Of one conversation, to come yet. */
  readonly most: number
  /** A chain of wakeups without a person in between. */
  readonly depth: number
  /** Of one conversation. */
  readonly perHour: number
}

export const defaultTriggerSettings: TriggerSettings = {
  lateMs: 60_000,
  catchUp: 24,
  againMs: 10_000,
  wakeups: { horizonMs: 7 * 24 * 60 * 60_000, most: 20, depth: 24, perHour: 30 },
}
