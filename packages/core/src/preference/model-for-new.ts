/** The model that new conversations of a person begin with (SET-9). */
import type { Preferences } from "@parlor/protocol"
import type { Agent } from "../agent/agent.ts"
import { mayChooseModel } from "../agent/choose-model.ts"

/** Undefined if it is the agent's own. */
export function modelForNew(agent: Agent, { model }: Preferences): string | undefined {
  const own = agent.harness?.offers().model ?? agent.model.name
  return model !== undefined && model !== own && mayChooseModel(agent, model) ? model : undefined
}
