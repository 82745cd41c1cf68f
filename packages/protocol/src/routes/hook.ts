/** Webhooks: outside programs wake an agent with a message (TRG-5, TRG-7). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { agentName, branchName } from "../names.ts"
import { declaredType } from "../requests.ts"
import { wellFormedText } from "../text.ts"
import { declared, firingView, triggerParams } from "./firing.ts"
import { type DescribedRoute, ok } from "./route.ts"

/** How deliveries are signed: Standard Webhooks, or the HMAC of the body that GitHub and others send. */
const hookStyle = z.enum(["standard", "github"])
export type HookStyle = z.infer<typeof hookStyle>

const name = wellFormedText.max(limits.triggerNameLength)
const template = wellFormedText
  .min(1, "The template is empty. It is the text of the message to the agent.")
  .max(limits.hookTemplateLength)
const perMinute = z.number().int().min(1).max(limits.hookPerMinuteMost)
const options = {
  agent: agentName,
  branch: branchName.default("main"),
  name: name.default(""),
  style: hookStyle.default("standard"),
  perMinute: perMinute.default(limits.hookPerMinute),
}
/** A template turns a delivery into text; a type passes its body on unchanged, to an agent that declares that type. */
export const hookBody = z.union([
  z.strictObject({ template, ...options }),
  z.strictObject({ type: declaredType, ...options }),
])
const hookChange = z.strictObject({
  paused: z.boolean().optional(),
  name: name.optional(),
  template: template.optional(),
  perMinute: perMinute.optional(),
})
export type HookChange = z.output<typeof hookChange>

const hookView = z.object({
  id: z.string(),
  agent: z.string(),
  branch: z.string(),
  name: z.string(),
  style: hookStyle,
  template: z.string().nullable(),
  type: z.string().nullable(),
  perMinute: z.number(),
  state: z.enum(["active", "paused"]),
  url: z.string(),
  declared,
  createdAt: z.number(),
  last: firingView.nullable(),
})
export type HookView = z.infer<typeof hookView>

/** The response to a sender: the message that was created. A repeat gets the same response. */
const delivered = z.object({
  delivery: z.string(),
  outcome: z.enum(["started", "queued"]),
  message: z.string(),
})
export type Delivered = z.infer<typeof delivered>

export const hookRoutes = {
  listHooks: {
    needs: "read",
    summary: "The caller's webhooks, each with its latest delivery",
    answer: ok(z.object({ hooks: z.array(hookView) })),
  },
  makeHook: {
    needs: "write",
    repeats: "never",
    summary: "Creates a webhook; its secret is shown once",
    body: hookBody,
    answer: { status: 201, schema: hookView.extend({ secret: z.string() }) },
  },
  openHook: {
    needs: "read",
    summary: "One webhook with its latest deliveries and their outcomes",
    params: triggerParams,
    answer: ok(hookView.extend({ firings: z.array(firingView) })),
  },
  changeHook: {
    needs: "write",
    summary: "Pauses, resumes or edits a webhook",
    params: triggerParams,
    body: hookChange,
    answer: ok(hookView),
  },
  deleteHook: {
    needs: "write",
    summary: "Deletes a webhook",
    params: triggerParams,
    answer: { status: 204 },
  },
  rotateHook: {
    needs: "write",
    repeats: "never",
    summary: "Gives a webhook a new secret, shown once; the old one stays valid for another day",
    params: triggerParams,
    answer: ok(z.object({ secret: z.string() })),
  },
  fireHook: {
    needs: "write",
    repeats: "own",
    summary: "Delivers the request body as if the webhook had been called",
    params: triggerParams,
    bytes: { most: limits.hookBytes },
    answer: { status: 202, schema: delivered },
  },
  deliverHook: {
    needs: "signature",
    repeats: "own",
    summary: "A delivery from outside, signed with the webhook's secret",
    params: triggerParams,
    bytes: { most: limits.hookBytes },
    answer: { status: 202, schema: delivered },
  },
} as const satisfies Record<string, DescribedRoute>
