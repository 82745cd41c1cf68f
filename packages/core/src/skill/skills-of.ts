import type { Skill } from "../agent/skill.ts"
import { withMemorySkill } from "../memory/skill.ts"

/** The owner of commands that skills add. */
export const SKILL_OWNER = "skills"

const NONE: readonly Skill[] = []

/** An agent's skills, including built-in ones for its abilities. The same agent gives the same list. */
export function skillsOf(agent: { readonly memory?: boolean; readonly skills?: readonly Skill[] }): readonly Skill[] {
  return agent.memory === true ? withMemorySkill(agent.skills) : (agent.skills ?? NONE)
}
