import type { Skill } from "../agent/skill.ts"
import { withMemorySkill } from "../memory/skill.ts"

/** Who owns the commands that skills add. */
export const SKILL_OWNER = "skills"

const NONE: readonly Skill[] = []

/** An agent's skills with those that come with what it can do. The same agent gives the same list. */
export function skillsOf(agent: { readonly memory?: boolean; readonly skills?: readonly Skill[] }): readonly Skill[] {
  return agent.memory === true ? withMemorySkill(agent.skills) : (agent.skills ?? NONE)
}
