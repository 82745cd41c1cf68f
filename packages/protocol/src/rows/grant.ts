/** Standing permissions of a person: tools that need no approval any more (ASK-4). In the person's feed. */
import { z } from "zod"
import { millis } from "./fields.ts"

export const grantRow = z.object({
  id: z.string(),
  agent: z.string(),
  /** The conversation it is limited to; null for every conversation with the agent. */
  branch: z.string().nullable(),
  tool: z.string(),
  at: millis,
})
export type GrantRow = z.infer<typeof grantRow>
