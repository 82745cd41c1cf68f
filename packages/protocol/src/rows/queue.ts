/** Queued messages. */
import { z } from "zod"
import { attachmentPart, messageId, millis, trigger } from "./fields.ts"

export const sendMode = z.enum(["immediate", "queued", "paused", "steer"])
export type SendMode = z.infer<typeof sendMode>

export const queueRow = z.object({
  id: messageId,
  type: z.string(),
  payload: z.json(),
  mode: sendMode,
  position: z.string(),
  source: z.string(),
  guests: z.array(z.string()),
  /** The attachments named in its payload, in order: they become parts of the message. */
  attachments: z.array(attachmentPart),
  trigger: trigger.nullable(),
  editedFrom: messageId.nullable(),
  version: z.number().int().positive(),
  lease: z.object({ holder: z.string(), until: millis }).nullable(),
  queuedAt: millis,
})
export type QueueRow = z.infer<typeof queueRow>
