/** Notices: what Parlor tells a program of the person's, as signed webhooks of its own. */
import { z } from "zod"
import { limits } from "../limits.ts"
import { agentName } from "../names.ts"
import { problemNote } from "../rows/fields.ts"
import { wellFormedText } from "../text.ts"
import { firingView, triggerParams } from "./firing.ts"
import { type DescribedRoute, ok } from "./route.ts"

const noticeEvent = z.enum(["turn.finished", "ask.opened"])
export type NoticeEvent = z.infer<typeof noticeEvent>

const name = wellFormedText.max(limits.triggerNameLength)
const noticeBody = z.strictObject({
  url: z.string().min(1).max(limits.urlLength),
  events: z.array(noticeEvent).min(1).default(["turn.finished", "ask.opened"]),
  /** Only of conversations with this agent. */
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
  /** Why it is paused, when nobody asked for it; or what went wrong last. */
  why: problemNote.nullable(),
  /** Tries so far for what is to go out next, and when the next one is. */
  tries: z.number().int(),
  retryAt: z.number().nullable(),
  createdAt: z.number(),
  last: firingView.nullable(),
})
export type NoticeView = z.infer<typeof noticeView>

export const noticeRoutes = {
  listNotices: {
    needs: "read",
    summary: "Where the caller's programs are told of turns that finished and asks that opened",
    answer: ok(z.object({ notices: z.array(noticeView) })),
  },
  makeNotice: {
    needs: "write",
    repeats: "never",
    summary: "Has a program told at its URL; the secret it checks signatures with is shown once",
    body: noticeBody,
    answer: { status: 201, schema: noticeView.extend({ secret: z.string() }) },
  },
  openNotice: {
    needs: "read",
    summary: "One of them with what went out last",
    params: triggerParams,
    answer: ok(noticeView.extend({ firings: z.array(firingView) })),
  },
  changeNotice: {
    needs: "write",
    summary: "Pauses or resumes it; what happened meanwhile goes out then",
    params: triggerParams,
    body: noticeChange,
    answer: ok(noticeView),
  },
  deleteNotice: {
    needs: "write",
    summary: "Ends it",
    params: triggerParams,
    answer: { status: 204 },
  },
  testNotice: {
    needs: "write",
    summary: "Sends a test event there now and says how that went",
    params: triggerParams,
    answer: ok(z.object({ delivered: z.boolean(), error: problemNote.nullable() })),
  },
} as const satisfies Record<string, DescribedRoute>
