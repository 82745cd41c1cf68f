/** Notices: signed outgoing webhooks to a person's program. */
import { z } from "zod"
import { limits } from "../limits.ts"
import { agentName } from "../names.ts"
import { problemNote } from "../rows/fields.ts"
import { wellFormedText } from "../text.ts"
import { declared, deliveryTest, firingView, triggerParams } from "./firing.ts"
import { type DescribedRoute, ok } from "./route.ts"

const noticeEvent = z.enum(["turn.finished", "ask.opened"])
export type NoticeEvent = z.infer<typeof noticeEvent>

const name = wellFormedText.max(limits.triggerNameLength)
export const noticeBody = z.strictObject({
  url: z.string().min(1).max(limits.urlLength),
  events: z.array(noticeEvent).min(1).default(["turn.finished", "ask.opened"]),
  /** Only for conversations with this agent. */
  agent: agentName.nullable().default(null),
  name: name.default(""),
})
const noticeChange = z.strictObject({ paused: z.boolean().optional(), name: name.optional() })
export type NoticeChange = z.output<typeof noticeChange>

const noticeView = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  events: z.array(noticeEvent),
  agent: z.string().nullable(),
  state: z.enum(["active", "paused"]),
  /** Why Parlor paused it, or the last error. */
  why: problemNote.nullable(),
  /** Attempts so far for the next delivery, and when the next attempt is. */
  tries: z.number().int(),
  retryAt: z.number().nullable(),
  declared,
  createdAt: z.number(),
  last: firingView.nullable(),
})
export type NoticeView = z.infer<typeof noticeView>

export const noticeRoutes = {
  listNotices: {
    needs: "read",
    summary: "Lists outgoing webhooks, which report finished turns and opened asks",
    answer: ok(z.object({ notices: z.array(noticeView) })),
  },
  makeNotice: {
    needs: "write",
    repeats: "never",
    summary: "Creates an outgoing webhook; the secret for checking its signatures is shown once",
    body: noticeBody,
    answer: { status: 201, schema: noticeView.extend({ secret: z.string() }) },
  },
  openNotice: {
    needs: "read",
    summary: "One outgoing webhook with its latest deliveries",
    params: triggerParams,
    answer: ok(noticeView.extend({ firings: z.array(firingView) })),
  },
  changeNotice: {
    needs: "write",
    summary: "Pauses or resumes an outgoing webhook; events from the pause are sent on resume",
    params: triggerParams,
    body: noticeChange,
    answer: ok(noticeView),
  },
  deleteNotice: {
    needs: "write",
    summary: "Deletes an outgoing webhook",
    params: triggerParams,
    answer: { status: 204 },
  },
  testNotice: {
    needs: "write",
    summary: "Sends a test event now and returns the result",
    params: triggerParams,
    answer: ok(deliveryTest),
  },
} as const satisfies Record<string, DescribedRoute>
