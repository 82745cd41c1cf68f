/** What the speaker of a turn is given besides the conversation. Created by `turn/prepare.ts`. */
import type { Agent, Tool } from "../agent/agent.ts"

export type Brief = {
  /** The speaker: the conversation's own agent or a guest. */
  readonly speaker: Agent
  /** The author of its messages; empty for the conversation's own agent (GST-2). */
  readonly author: string
  readonly instructions: string
  /** Marked notes for the model that are not instructions: memories (MEM-8). */
  readonly notes: string
  readonly tools: readonly Tool[]
  /** Replaces everything before the messages that are sent (CPT-1). */
  readonly summary?: string
}
