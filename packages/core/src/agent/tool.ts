/** What an agent can do beside talking. */
import type { Address, TurnId } from "@parlor/protocol"
import type { z } from "zod"
import type { Json } from "../ports/json.ts"

export type Tool<Input extends z.ZodType = z.ZodType> = {
  readonly name: string
  readonly description: string
  readonly input: Input
  /** What the model is told of the input, where that is not to be made of `input`. */
  readonly inputSchema?: Readonly<Record<string, unknown>>
  /** Run again after a crash that left its outcome unknown (TRN-7). */
  readonly repeatable: boolean
  /**
   * Whether a person has to allow a call first; a rule looks at the input, and may say why in words the person is shown
   * (TRN-13). Never, when not said.
   */
  readonly approval?: "always" | "never" | ((input: z.output<Input>) => boolean | string)
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
  /** The answer to an approval is true or false. */
  readonly kind: "question" | "form" | "approval"
  readonly title: string
  readonly detail?: string
  readonly options?: readonly string[]
  readonly schema?: Json
  readonly expiresInMs?: number
}

/** Keeps the input's type for `run` while the list of an agent's tools forgets it. */
export function defineTool<Input extends z.ZodType>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool
}
