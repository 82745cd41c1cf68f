/** What whoever speaks in a turn is given beside the conversation. `turn/prepare.ts` makes it. */
import type { Agent, Tool } from "../agent/agent.ts"

export type Brief = {
  /** Who is about to speak: the conversation's own agent or a guest. */
  readonly speaker: Agent
  /** Empty for the conversation's own agent: the author its messages carry (GST-2). */
  readonly author: string
  readonly instructions: string
  /** Marked notes for the model that are no instructions of ours: memories (MEM-8). */
  readonly notes: string
  readonly tools: readonly Tool[]
  /** Stands for what was said before the messages that are sent (CPT-1). */
  readonly summary?: string
}
