/** What a trigger did, one line each (TRG-7). */
import { z } from "zod"
import { problemNote } from "../rows/fields.ts"

/**
 * - `started`, `queued`: the message is in the conversation.
 * - `waiting`: one of this schedule's waited already, so there is not another.
 * - `missed`: nobody was there to run it, and its rule says to leave it.
 * - `failed`: it could not be sent, for the reason in `error`.
 * - `refused`: whoever delivered it could not show that they may.
 * - `delivered`: of a notice that went out.
 */
const firingOutcome = z.enum(["started", "queued", "waiting", "missed", "failed", "refused", "delivered"])
export type FiringOutcome = z.infer<typeof firingOutcome>

/** How things stand with the message by now. `removed`: someone took it out of the queue. */
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

export const triggerParams = z.object({ id: z.string().min(1).max(128) })
