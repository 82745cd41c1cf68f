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
  run(input: z.output<Input>, context: ToolContext): Promise<Json>
}

export type ToolContext = { readonly signal: AbortSignal; readonly now: () => number }

export type Agent = {
  readonly name: string
  readonly description: string
  readonly instructions: string
  readonly model: Model
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
