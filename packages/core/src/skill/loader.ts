/**
 * Makes skills available to a handler: commands, index, `skill_read`, and the content of those the message names
 * (CMP-11). Safe to call at the top of every handler: nothing is written twice.
 */
import type { HandlerContext } from "../agent/handler.ts"
import type { Skill } from "../agent/skill.ts"
import { composerInputOf } from "../agent/wake.ts"
import { skillContexts, skillIndex, skillTool } from "./skills.ts"
import { SKILL_OWNER, skillCommand } from "./skills-of.ts"

const EXTRA_OWNER = "more-skills"

export type SkillsOptions = {
  /** Skills in addition to the agent's own. Reuse the same list object, so that what is derived from it is cached. */
  readonly skills?: readonly Skill[]
  /** The owner of the commands; one owner per list. */
  readonly owner?: string
}

export async function skillsLoader(ctx: HandlerContext, options: SkillsOptions = {}): Promise<void> {
  const skills = options.skills === undefined ? ctx.skills : together(ctx.skills, options.skills)
  if (options.skills === undefined) await register(ctx, SKILL_OWNER, ctx.skills)
  else await register(ctx, options.owner ?? EXTRA_OWNER, options.skills)
  if (skills.length === 0) return
  ctx.instruct(skillIndex(options.skills ?? ctx.skills))
  ctx.offer(skillTool(skills))
  const input = composerInputOf(ctx.wake)
  if (input === undefined) return
  for (const context of skillContexts(skills, input)) await ctx.insertContext(context)
}

/** A name taken by another owner's dynamic command stays with that owner, and a declared one with the agent (CMP-18). */
async function register(ctx: HandlerContext, owner: string, skills: readonly Skill[]): Promise<void> {
  const free = skills.filter(({ name }) => {
    const holder = ctx.slashCommands.get(name)
    return holder === undefined || holder.owner === owner || holder.owner === SKILL_OWNER
  })
  await ctx.slashCommands.replaceOwned(owner, free.map(skillCommand))
}

const joined = new WeakMap<readonly Skill[], WeakMap<readonly Skill[], readonly Skill[]>>()

/** Both lists combined; the added skill wins if names collide. */
function together(own: readonly Skill[], added: readonly Skill[]): readonly Skill[] {
  const byAdded = joined.get(own) ?? new WeakMap<readonly Skill[], readonly Skill[]>()
  joined.set(own, byAdded)
  const known = byAdded.get(added)
  if (known !== undefined) return known
  const names = new Set(added.map(({ name }) => name))
  const list = [...own.filter(({ name }) => !names.has(name)), ...added]
  byAdded.set(added, list)
  return list
}
