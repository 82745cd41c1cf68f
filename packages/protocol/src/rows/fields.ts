/** Fields shared by several kinds of rows. */
import { z } from "zod"
import type { AskId, MessageId, TurnId } from "../ids.ts"

export const millis = z.number().int().nonnegative()
export const messageId = z.string().transform((id) => id as MessageId)
export const turnId = z.string().transform((id) => id as TurnId)
export const askId = z.string().transform((id) => id as AskId)

export const problemNote = z.object({ code: z.string(), detail: z.string() })
export type ProblemNote = z.infer<typeof problemNote>

/** An attachment of a person (CMP-15), by the SHA-256 of its content. */
export const attachmentPart = z.object({
  type: z.literal("attachment"),
  hash: z.string(),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number(),
})
export type AttachmentPart = z.infer<typeof attachmentPart>

/** Kinds of triggers that send when nobody is at the keyboard. */
const unattended = z.enum(["schedule", "webhook", "api", "mcp-event", "self", "agent", "observation"])

/** Where a message came from when nobody typed it (TRG-1). */
export const trigger = z.object({
  source: z.enum([...unattended.options, "spawn", "sidecar", "import"]),
  firedAt: millis,
  scheduleId: z.string().nullable(),
  deliveryId: z.string().nullable(),
  headers: z.record(z.string(), z.string()).nullable(),
  subject: z.string().nullable(),
  /** How many consecutive wakeups or messages of agents led to this one, without a person in between (TRG-8, COD-5). */
  depth: z.number().int().positive().optional(),
})
export type Trigger = z.infer<typeof trigger>

export function isUnattended(source: Trigger["source"]): boolean {
  return (unattended.options as readonly string[]).includes(source)
}
