/** A tool of an agent. */
import type { Address, TurnId } from "@parlor/protocol"
import type { z } from "zod"
import type { Json } from "../ports/json.ts"
import type { ConversationAccess } from "./conversation-access.ts"
import type { MemoryAccess } from "./memory-access.ts"
import type { MessagesAccess } from "./messages-access.ts"
import type { WorkspaceAccess } from "./workspace-access.ts"

export type Tool<Input extends z.ZodType = z.ZodType> = {
  readonly name: string
  readonly description: string
  readonly input: Input
  /** The input schema shown to the model, if it is not derived from `input`. */
  readonly inputSchema?: Readonly<Record<string, unknown>>
  /** Whether to run it again after a crash that left its outcome unknown (TRN-7). */
  readonly repeatable: boolean
  /**
   * Whether a person has to allow a call first. A function receives the input and may return a reason that is shown to
   * the person (TRN-13). Default: never.
   */
  readonly approval?: "always" | "never" | ((input: z.output<Input>) => boolean | string)
  readonly timeoutMs?: number
  readonly maxOutputBytes?: number
  run(input: z.output<Input>, context: ToolContext): Promise<Json>
}

export type ToolContext = MessagesAccess & {
  readonly signal: AbortSignal
  readonly now: () => number
  /** Asks the person and waits for the answer; undefined if the ask expired or nobody is there to answer. */
  readonly ask: (question: Question) => Promise<Json | undefined>
  /** Tells people how far it is. Costs little, may be called often, and is never waited for (TRN-26). */
  readonly progress: (progress: ToolProgress) => void
  /** The call, its turn, and the person whose conversation it is. */
  readonly call: string
  readonly turn: TurnId
  readonly address: Address
  /** The files of this conversation. Changes are recorded under the agent's name (COD-4). */
  readonly workspace: WorkspaceAccess
  readonly memory: MemoryAccess
  /** The messages so far. */
  readonly conversation: ConversationAccess
}

/** `text`: what it does now, in a few words. `done` and `total`: in any unit. */
export type ToolProgress = { readonly text?: string; readonly done?: number; readonly total?: number }

export type Question = {
  /** The answer to an approval is true or false. */
  readonly kind: "question" | "form" | "approval"
  readonly title: string
  readonly detail?: string
  readonly options?: readonly string[]
  /** With options: any other text is an answer too. */
  readonly other?: boolean
  readonly schema?: Json
  readonly expiresInMs?: number
}

/** Keeps the input's type for `run`; the list of an agent's tools erases it. */
export function defineTool<Input extends z.ZodType>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool
}
