/** Usage, storage and limits of a person (SEC-20 to SEC-24, SEC-42). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { personName } from "../names.ts"
import { millis, trigger } from "../rows/fields.ts"
import { type DescribedRoute, ok } from "./route.ts"

/** What a model call was made for. */
const usageSource = z.enum(["person", ...trigger.shape.source.options, "compaction", "title"])
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
  /** Files in all workspaces, branches included, and attachments (SEC-42). */
  files: bounded,
  lines: z.array(usageLine),
})
export type UsageView = z.infer<typeof usageView>

/** What totals are summed by. */
const usageGroup = z.enum(["person", "agent", "model"])
export type UsageGroup = z.infer<typeof usageGroup>

/** A field that it is not summed by is null. */
const usageTotal = z.object({
  person: z.string().nullable(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  calls: count,
  inputTokens: count,
  outputTokens: count,
  costMicros: count,
})
export type UsageTotal = z.infer<typeof usageTotal>

const groups = z
  .string()
  .max(64)
  .transform((text) => [...new Set(text.split(","))])
  .pipe(z.array(usageGroup).min(1))
  .default(["person"])

export const usageRoutes = {
  readUsage: {
    needs: "read",
    summary:
      "Usage and limits of the caller: model calls, tokens and cost by day, stored bytes, conversations, files; of another person with `manage`",
    query: z.object({
      person: personName.optional(),
      days: z.coerce.number().int().min(1).max(limits.usageDays).default(limits.usageDaysDefault),
    }),
    answer: ok(usageView),
  },
  readUsageTotals: {
    needs: "manage",
    summary: "Usage of everyone, summed by person, agent, model or a combination of them; for the owner of the server",
    query: z.object({
      /** Comma-separated: `person,model`. */
      by: groups,
      days: z.coerce.number().int().min(1).max(limits.usageDays).default(limits.usageDaysDefault),
    }),
    answer: ok(
      z.object({
        /** The first day, in UTC. */
        since: z.string(),
        /** The most expensive first. */
        totals: z.array(usageTotal),
        /** False if there are more than fit. */
        whole: z.boolean(),
      }),
    ),
  },
} as const satisfies Record<string, DescribedRoute>
