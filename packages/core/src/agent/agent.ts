/** What an agent is: a name, a model, instructions, tools. */
import type { Address, AgentView, CommandRow, TurnId } from "@parlor/protocol"
import type { z } from "zod"
import type { Json, Model } from "../ports/model.ts"
import type { Skill } from "../skill/skill.ts"
import type { Handler } from "./handler.ts"

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
  /** The call and the turn it is part of, and whose conversation it is. */
  readonly call: string
  readonly turn: TurnId
  readonly address: Address
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
  /** Types of messages it takes beside what is typed, and what their payloads look like (CMP-1). */
  readonly inbox?: Readonly<Record<string, z.ZodType>>
  /** What it can look up when a task calls for it (CMP-11). */
  readonly skills?: readonly Skill[]
  /** Runs instead of the standard turn, which it may call (CMP-12). */
  readonly handler?: Handler
  /** Whether its turns know the person's memories; yes, when not said. */
  readonly memory?: boolean
  /** Whether it has a workspace with files; yes, when not said. */
  readonly workspace?: boolean
  /** Bounds what is sent to the model, in messages (CPT-9). */
  readonly maxMessages?: number
  /** Tokens one person may use with it in all their conversations before it asks (TRN-14). */
  readonly personBudgetTokens?: number
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
