/** What an agent is: a name, a model, instructions, tools. */
import type { AgentView, CommandRow } from "@parlor/protocol"
import type { z } from "zod"
import type { Json, Model } from "../ports/model.ts"

export type Tool<Input extends z.ZodType = z.ZodType> = {
  readonly name: string
  readonly description: string
  readonly input: Input
  /** Run again after a crash that left its outcome unknown (TRN-7). */
  readonly repeatable: boolean
  /** Whether a person has to allow a call first; a rule looks at the input (TRN-13). Never, when not said. */
  readonly approval?: "always" | "never" | ((input: z.output<Input>) => boolean)
  readonly timeoutMs?: number
  readonly maxOutputBytes?: number
  run(input: z.output<Input>, context: ToolContext): Promise<Json>
}

export type ToolContext = {
  readonly signal: AbortSignal
  readonly now: () => number
  /** Asks the person and waits for the answer; undefined when it expired or nobody is there to ask. */
  readonly ask: (question: Question) => Promise<Json | undefined>
}

export type Question = {
  readonly kind: "question" | "form"
  readonly title: string
  readonly detail?: string
  readonly options?: readonly string[]
  readonly schema?: Json
  readonly expiresInMs?: number
}

export type Agent = {
  readonly name: string
  readonly description: string
  readonly instructions: string
  readonly model: Model
  /** Takes over when the model cannot be reached (TRN-10). */
  readonly fallback?: Model
  /** Past it, the turn asks before it goes on (TRN-14). */
  readonly budgetTokens?: number
  /** What a stop does to the queue unless it says so itself (QUE-5). */
  readonly onStop?: "hold" | "drain" | "clear"
  /** A turn nobody is watching takes "ask" as "no" unless this says otherwise (TRN-13). */
  readonly asksWhenTriggered?: boolean
  readonly tools: readonly Tool[]
  readonly commands: readonly CommandRow[]
}

/** Keeps the input's type for `run` while the list of an agent's tools forgets it. */
export function defineTool<Input extends z.ZodType>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool
}

export function agentView(agent: Agent): AgentView {
  return {
    name: agent.name,
    description: agent.description,
    model: agent.model.name,
    commands: [...agent.commands],
  }
}
