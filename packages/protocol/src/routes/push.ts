/** Web push: notifications on a person's devices while no window is open (APP-6). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { wellFormedText } from "../text.ts"
import { deliveryTest } from "./firing.ts"
import { type DescribedRoute, ok } from "./route.ts"

const base64url = z.string().regex(/^[\w-]+$/, "This is not base64url.")

/** As `PushSubscription.toJSON()` has it, and what the person chose for this device. */
const pushBody = z.strictObject({
  endpoint: z.string().min(1).max(limits.urlLength),
  keys: z.strictObject({
    p256dh: base64url.max(limits.nameLength),
    auth: base64url.max(limits.nameLength),
  }),
  device: wellFormedText.max(limits.triggerNameLength).default(""),
  /** Whether notifications show the beginning of messages. */
  showsText: z.boolean().default(false),
})
export type PushBody = z.output<typeof pushBody>

/** Neither the address nor the keys of the browser. */
const pushView = z.object({
  id: z.string(),
  device: z.string(),
  /** The host of the browser's push service. */
  service: z.string(),
  showsText: z.boolean(),
  /** When the browser last said that it is in use. */
  seenAt: z.number(),
})
export type PushView = z.infer<typeof pushView>

const params = z.object({ id: z.string().min(1).max(limits.nameLength) })

export const pushRoutes = {
  readPush: {
    needs: "read",
    summary: "The key that browsers subscribe with, and the caller's subscribed browsers, last seen first",
    /** Null if this server cannot send web push. */
    answer: ok(z.object({ publicKey: z.string().nullable(), subscriptions: z.array(pushView) })),
  },
  subscribePush: {
    needs: "write",
    summary: "Sends notifications to a browser from now on; a browser that is known already is updated",
    body: pushBody,
    answer: ok(pushView),
  },
  unsubscribePush: {
    needs: "write",
    summary: "Sends no more notifications to a browser",
    params,
    answer: { status: 204 },
  },
  testPush: {
    needs: "write",
    summary: "Sends a test notification to a browser now and returns the result",
    params,
    answer: ok(deliveryTest),
  },
} as const satisfies Record<string, DescribedRoute>
