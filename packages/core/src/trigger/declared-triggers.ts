import type { NewHook } from "./hooks.ts"
import type { NewNotice } from "./notices.ts"
import type { NewSchedule } from "./schedules.ts"

type Owned = { readonly person: string }

/** `secret`: signs deliveries; from an environment variable, never from the config itself. */
type Signed = Owned & { readonly secret: string }

/** What a config declares (TRG-11). */
export type DeclaredTriggers = {
  readonly schedules: readonly (NewSchedule & Owned)[]
  readonly hooks: readonly (NewHook & Signed)[]
  readonly notices: readonly (NewNotice & Signed)[]
}
