import type { Parlor } from "@parlor/client"
import type { Keep } from "../keep/keep.ts"
import { recordIn } from "./pushRecord.ts"

/** Whoever uses this browser next gets no notifications of this person (APP-6). At once, unless they were on. */
export async function leavePush(parlor: Parlor, keep: Keep): Promise<void> {
  if (recordIn(keep) === undefined) return
  const { turnOff } = await import("./pushDevice.ts")
  await turnOff(parlor, keep).catch(() => undefined)
}
