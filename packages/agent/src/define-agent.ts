import type { InboxSchemas } from "@parlor/core"
import type { z } from "zod"
import type { AgentOptions } from "./agent-options.ts"
import { checkAgent } from "./check-agent.ts"

/** A validated definition. The types of its handler's messages are known only where it was defined. */
export type AgentDefinition = AgentOptions

/** Throws a `ConfigError` that names the agent and the field. */
export function defineAgent<Inbox extends InboxSchemas = Record<never, z.ZodType>>(
  options: AgentOptions<Inbox>,
): AgentDefinition {
  const definition = options as unknown as AgentDefinition
  checkAgent(definition)
  return definition
}
