/** What is needed to schedule things for later. */
import type { LogAccess } from "../log/log-access.ts"
import type { Alarm } from "./alarm.ts"
import type { TriggerSettings } from "./settings.ts"

export type ScheduleAccess = LogAccess & {
  /** Rings when a schedule is due. */
  readonly alarm: Alarm
  readonly settings: { readonly triggers: TriggerSettings }
}
