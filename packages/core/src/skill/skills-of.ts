import type { Skill } from "../agent/skill.ts"
import type { SlashCommandDefinition } from "../agent/slash-command.ts"
import { memorySkill, withMemorySkill } from "../memory/skill.ts"

/** The owner of commands that skills add. */
export const SKILL_OWNER = "skills"

const NONE: readonly Skill[] = []

/** What decides which skills an agent has. */
export type Skilled = {
  readonly memory?: boolean
  readonly skills?: readonly Skill[]
  readonly slashCommands: readonly { readonly name: string }[]
}

/**
 * An agent's skills, including built-in ones for its abilities, unless it declares a command of that name (CMP-18). The
 * same agent gives the same list.
 */
export function skillsOf(agent: Skilled): readonly Skill[] {
  const isTaught = agent.memory === true && !agent.slashCommands.some(({ name }) => name === memorySkill.name)
  return isTaught ? withMemorySkill(agent.skills) : (agent.skills ?? NONE)
}

/** The command that a skill adds. */
export function skillCommand({ name, description, argumentHint }: Skill): SlashCommandDefinition {
  return { name, description, argumentHint: argumentHint ?? null }
}
