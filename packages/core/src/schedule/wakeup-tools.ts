/** The tools by which an agent wakes itself (TRG-4). Created for each turn. */
import { limits } from "@parlor/protocol"
import { z } from "zod"
import { defineTool, type Tool } from "../agent/tool.ts"
import type { WakeupRequest } from "../agent/wakeup-access.ts"
import type { ScheduleAccess } from "./schedule-access.ts"
import { type Asking, cancelWakeup, requestWakeup } from "./wakeup.ts"

/** One shape, not a union of three: models fill it in more reliably. */
const whenInput = z
  .object({
    delayMs: z.number().int().positive().describe("Milliseconds from now").optional(),
    at: z
      .union([z.string(), z.number()])
      .describe("A time with its offset, such as 2026-03-01T09:00:00+01:00")
      .optional(),
    cron: z.string().describe("Five fields: minute hour day month weekday, for a recurring wakeup").optional(),
    timeZone: z.string().describe("For cron: an IANA name such as Europe/Berlin").optional(),
  })
  .describe("delayMs, or at, or cron with timeZone")
const requestInput = z.object({
  when: whenInput,
  prompt: z.string().min(1).max(limits.wakeupPromptLength).describe("The message you will receive"),
  reason: z
    .string()
    .max(limits.wakeupReasonLength)
    .describe("The reason in a few words, shown to the person")
    .default(""),
})
const cancelInput = z.object({ id: z.string().min(1).max(limits.nameLength) })

export function wakeupTools(node: ScheduleAccess, asking: Asking): readonly Tool[] {
  return [
    defineTool({
      name: "request_wakeup",
      description:
        "Wakes you later in this conversation, with a prompt of your own: to check on something, to remind, to continue. " +
        "The person may not be at the keyboard then. Returns the wakeup's id.",
      input: requestInput,
      repeatable: true,
      run: async (input, { call }) => {
        const { id, at, paused } = await requestWakeup(node, asking, requestOf(input), call)
        return { id, at: at === null ? null : new Date(at).toISOString(), ...(paused === null ? {} : { paused }) }
      },
    }),
    defineTool({
      name: "cancel_wakeup",
      description: "Cancels a wakeup you asked for.",
      input: cancelInput,
      // The second time there is nothing to cancel, and the result says so.
      repeatable: true,
      run: async ({ id }) => ({ id, cancelled: await cancelWakeup(node, asking.owner.stream, id) }),
    }),
  ]
}

/** A time zone given without cron is ignored. */
function requestOf({ when, prompt, reason }: z.output<typeof requestInput>): WakeupRequest {
  const { timeZone, ...rest } = when
  const zoned = rest.cron !== undefined && timeZone !== undefined ? { ...rest, timeZone } : rest
  return { when: zoned as WakeupRequest["when"], prompt, reason }
}
