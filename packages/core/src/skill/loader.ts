/**
 * Puts skills at a handler's disposal: commands, index, `skill_read`, and the content of those the message names
 * (CMP-11). Safe to call at the top of every handler: what is there already is not written again.
 */
import { COMPOSER_INPUT, type ComposerInput } from "@parlor/protocol"
import type { HandlerContext } from "../agent/handler.ts"
import type { Skill } from "../agent/skill.ts"
import { type InboxSchemas, occasionOf } from "../agent/wake.ts"
import { skillContexts, skillIndex, skillTool } from "./skills.ts"
import { SKILL_OWNER } from "./skills-of.ts"

const EXTRA_OWNER = "more-skills"

export type SkillsOptions = {
  /** These beside the agent's own: keep the list, so that what is made of it is made once. */
  readonly skills?: readonly Skill[]
  /** Whose the commands are; one owner for each list. */
  readonly owner?: string
}

export async function skillsLoader<Inbox extends InboxSchemas>(
  given: HandlerContext<Inbox>,
  options: SkillsOptions = {},
): Promise<void> {
  // What payloads look like does not matter here.
  const ctx = given as unknown as HandlerContext
  const skills = options.skills === undefined ? ctx.skills : together(ctx.skills, options.skills)
  if (options.skills === undefined) await register(ctx, SKILL_OWNER, ctx.skills)
  else await register(ctx, options.owner ?? EXTRA_OWNER, options.skills)
  if (skills.length === 0) return
  ctx.instruct(skillIndex(options.skills ?? ctx.skills))
  ctx.offer(skillTool(skills))
  const { type, payload } = occasionOf(ctx.wake)
  if (type !== COMPOSER_INPUT) return
  for (const context of skillContexts(skills, payload as ComposerInput)) await ctx.insertContext(context)
}

/** A name that someone else's dynamic command has is theirs. */
async function register(ctx: HandlerContext, owner: string, skills: readonly Skill[]): Promise<void> {
  const free = skills.filter(({ name }) => {
    const holder = ctx.slashCommands.get(name)?.owner ?? null
    return holder === null || holder === owner || holder === SKILL_OWNER
  })
  await ctx.slashCommands.replaceOwned(
    owner,
    free.map(({ name, description }) => ({ name, description })),
  )
}

const joined = new WeakMap<readonly Skill[], WeakMap<readonly Skill[], readonly Skill[]>>()

/** One list of both; the added one wins a name. */
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
