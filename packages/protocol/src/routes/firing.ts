/** The history of a trigger: one row per firing (TRG-7). */
import { z } from "zod"
import { problemNote } from "../rows/fields.ts"

/**
 * - `started`, `queued`: the message is in the conversation.
 * - `waiting`: an earlier firing of this schedule is still queued, so no other was added.
 * - `missed`: no server was running at that time, and the schedule skips missed runs.
 * - `failed`: it could not be sent, for the reason in `error`.
 * - `refused`: the delivery was not authenticated.
 * - `delivered`: an outgoing webhook that was delivered.
 */
const firingOutcome = z.enum(["started", "queued", "waiting", "missed", "failed", "refused", "delivered"])
export type FiringOutcome = z.infer<typeof firingOutcome>

/** The current state of the message. `removed`: someone removed it from the queue. */
const firingFate = z.enum(["waiting", "running", "done", "stopped", "failed", "removed"])
export type FiringFate = z.infer<typeof firingFate>

export const firingView = z.object({
  /** The delivery's id, or when it was due. */
  id: z.string(),
  at: z.number(),
  dueAt: z.number().nullable(),
  outcome: firingOutcome,
  message: z.string().nullable(),
  error: problemNote.nullable(),
  became: firingFate.nullable(),
})
export type FiringView = z.infer<typeof firingView>

/** It is declared in the config: there it is changed, here it can only be paused (TRG-12). */
export const declared = z.boolean()

export const triggerParams = z.object({ id: z.string().min(1).max(128) })

/** What came of a test of an outgoing webhook or a notified browser. */
export const deliveryTest = z.object({ delivered: z.boolean(), error: problemNote.nullable() })
