/** The message that wakes an agent when a conversation with it is created (CMP-9). */
import { z } from "zod"

export const spawnMessage = z.object({
  branch: z.string(),
  /** The message it was branched from; null for a new conversation. */
  from: z.string().nullable(),
})
export type Spawned = z.infer<typeof spawnMessage>
