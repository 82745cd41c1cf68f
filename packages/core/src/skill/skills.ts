/**
 * What skills add to a turn: an index line each, a tool that reads them, their content when a command names them. Pure.
 */
import { type ComposerInput, Refusal } from "@parlor/protocol"
import { z } from "zod"
import { type NewContext, SKILL_CONTEXT } from "../agent/handler.ts"
import type { Skill } from "../agent/skill.ts"
import { defineTool, type Tool } from "../agent/tool.ts"
import { commandsOf } from "../agent/wake.ts"

const MAX_OUTPUT_BYTES = 256 * 1024

const readInput = z.object({
  name: z.string().max(64).describe("The skill's name"),
  path: z
    .string()
    .max(1_024)
    .describe("A file of the skill, as named in its text. Default: the skill itself")
    .optional(),
})

/** An agent's skills are the same list in every turn: what is derived from it is cached. */
const made = new WeakMap<readonly Skill[], { readonly index: string; readonly tool: Tool }>()

/** One line per skill for the instructions. Empty without skills. */
export function skillIndex(skills: readonly Skill[]): string {
  return skills.length === 0 ? "" : of(skills).index
}

export function skillTool(skills: readonly Skill[]): Tool {
  return of(skills).tool
}

/** The content of every skill that the typed text names, in that order, each once. */
export function skillContexts(skills: readonly Skill[], input: ComposerInput): readonly NewContext[] {
  const names = new Set(commandsOf(input).map(({ name }) => name))
  return [...names].flatMap((name) => {
    const skill = skills.find((one) => one.name === name)
    return skill === undefined ? [] : [contextOf(skill)]
  })
}

function contextOf({ name, body, files }: Skill): NewContext {
  const paths = Object.keys(files)
  const more = paths.length === 0 ? "" : `\n\nFiles of this skill, for skill_read: ${paths.join(", ")}`
  return { type: SKILL_CONTEXT, title: name, content: body + more, metadata: { command: name } }
}

function of(skills: readonly Skill[]) {
  const known = made.get(skills)
  if (known !== undefined) return known
  const fresh = { index: indexOf(skills), tool: toolOf(skills) }
  made.set(skills, fresh)
  return fresh
}

function indexOf(skills: readonly Skill[]): string {
  const lines = skills.map(({ name, description }) => `- ${name}: ${description}`)
  return [
    "Skills: know-how for particular tasks. When a task matches one, read it with skill_read before you start.",
    ...lines,
  ].join("\n")
}

function toolOf(skills: readonly Skill[]): Tool {
  return defineTool({
    name: "skill_read",
    description: "Reads a skill, or a file that belongs to one.",
    input: readInput,
    repeatable: true,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    run: async ({ name, path }) => {
      const skill = skills.find((one) => one.name === name)
      if (skill === undefined)
        throw unknown(
          `There is no skill "${name}".`,
          skills.map((one) => one.name),
        )
      if (path === undefined) return { name, body: skill.body, files: Object.keys(skill.files) }
      const content = Object.hasOwn(skill.files, path) ? skill.files[path] : undefined
      if (content === undefined) throw unknown(`The skill "${name}" has no file "${path}".`, Object.keys(skill.files))
      return { name, path, content }
    },
  })
}

function unknown(what: string, there: readonly string[]): Refusal {
  return new Refusal("skill.unknown", `${what} Available: ${there.length === 0 ? "none" : there.join(", ")}.`)
}
