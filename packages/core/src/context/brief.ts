/** What the speaker of a turn is given besides the conversation. Created by `turn/prepare.ts`. */
import type { Preferences } from "@parlor/protocol"
import type { Agent, Tool } from "../agent/agent.ts"

/** Below the server's limits; what is absent is not limited. */
type OwnBudget = Pick<Preferences, "tokensPerDay" | "dollarsPerDay">

export type Brief = {
  /** The speaker: the conversation's own agent or a guest. */
  readonly speaker: Agent
  /** The author of its messages; empty for the conversation's own agent (GST-2). */
  readonly author: string
  readonly instructions: string
  /** The person's own limits for the day (SET-7). */
  readonly budget?: OwnBudget
  /** Marked notes for the model: memories (MEM-8), and what the person wants in every conversation (SET-6). */
  readonly notes: string
  readonly tools: readonly Tool[]
  /** Replaces everything before the messages that are sent (CPT-1). */
  readonly summary?: string
}
