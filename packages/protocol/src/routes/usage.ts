/** Usage, storage and limits of a person (SEC-20 to SEC-24). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { personName } from "../names.ts"
import { millis, trigger } from "../rows/fields.ts"
import { type DescribedRoute, ok } from "./route.ts"

/** What a model call was made for. */
const usageSource = z.enum(["person", ...trigger.shape.source.options, "compaction"])
export type UsageSource = z.infer<typeof usageSource>

const count = z.number().int().nonnegative()

/** `limit`: null for none. */
const bounded = z.object({ used: count, limit: count.nullable() })

const usageLine = z.object({
  day: z.string(),
  source: usageSource,
  agent: z.string(),
  model: z.string(),
  calls: count,
  inputTokens: count,
  outputTokens: count,
  costMicros: count,
})
export type UsageLine = z.infer<typeof usageLine>

const usageView = z.object({
  person: z.string(),
  /** Today, in UTC, and when tomorrow begins. */
  day: z.string(),
  resetsAt: millis,
  /** Of today. The limit includes what was allowed beyond the budget. */
  calls: count,
  tokens: bounded,
  costMicros: bounded,
  /** Bytes stored for this person, by kind. */
  stored: bounded.extend({ conversations: count, files: count, memories: count, triggers: count }),
  conversations: bounded,
  lines: z.array(usageLine),
})
export type UsageView = z.infer<typeof usageView>

export const usageRoutes = {
  readUsage: {
    needs: "read",
    summary:
      "Usage and limits of the caller: model calls, tokens and cost by day, stored bytes, conversations; of another person with `manage`",
    query: z.object({
      person: personName.optional(),
      days: z.coerce.number().int().min(1).max(limits.usageDays).default(limits.usageDaysDefault),
    }),
    answer: ok(usageView),
  },
} as const satisfies Record<string, DescribedRoute>
