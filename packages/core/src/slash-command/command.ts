/**
 * Slash commands: those an agent declares, those its skills add, those its handler adds at run time. Pure.
 *
 *   effective row of a name  =  dynamic, or else declared, or else skill, or else lent by an MCP server
 *
 * Rows hold what is effective; the agent's definition has what is hidden. So removing a dynamic command needs no record
 * of what it hid, and an edited agent takes effect with its next turn (CMP-7, CMP-8).
 */
import { Refusal, type SlashCommandRow } from "@parlor/protocol"
import type { Skill } from "../agent/skill.ts"
import type { SlashCommandDefinition } from "../agent/slash-command.ts"
import { SKILL_OWNER, skillCommand, skillsOf } from "../skill/skills-of.ts"

/** The prefix of owners of commands from MCP servers: like skills, they may change with each turn. */
export const OUTSIDE_OWNER = "mcp:"
const DYNAMIC_OWNER = "handler"
const MAX_COMMANDS = 500
const MAX_NAME = 64
const MAX_DESCRIPTION = 1_024
const MAX_ARGUMENTS = 20
const MAX_HINT = 200
const NAME = /^[a-z0-9]+(?:[-_:][a-z0-9]+)*$/
const ARGUMENT_NAME = /^[a-zA-Z][\w-]*$/
const ARGUMENT_TYPES: readonly string[] = ["string", "number", "boolean"]

export type Commands = ReadonlyMap<string, SlashCommandRow>

/** What to write to get from one state to the other. */
export type CommandChange =
  | { readonly operation: "insert" | "update"; readonly row: SlashCommandRow }
  | { readonly operation: "delete"; readonly row: SlashCommandRow }

/** Throws a message that begins with what is wrong; the caller adds where it was declared. */
export function commandRow(command: SlashCommandDefinition, owner: string | null): SlashCommandRow {
  const { name, description = "", arguments: args = [], argumentHint = null } = command
  if (typeof name !== "string" || !NAME.test(name) || name.length > MAX_NAME)
    throw invalid(`"${name}" is not a valid command name: use lowercase letters and digits, joined by - _ or :`)
  if (description.length > MAX_DESCRIPTION)
    throw invalid(`the description of "${name}" has more than ${MAX_DESCRIPTION} characters`)
  if (args.length > MAX_ARGUMENTS) throw invalid(`"${name}" has more than ${MAX_ARGUMENTS} arguments`)
  if (argumentHint !== null && (typeof argumentHint !== "string" || argumentHint.length > MAX_HINT))
    throw invalid(`the argument hint of "${name}" has more than ${MAX_HINT} characters`)
  for (const argument of args) {
    if (!ARGUMENT_NAME.test(argument.name))
      throw invalid(`"${argument.name}" is not a valid argument name of "${name}"`)
    if (argument.type !== undefined && !ARGUMENT_TYPES.includes(argument.type))
      throw invalid(`the argument "${argument.name}" of "${name}" must be a string, a number or a boolean`)
  }
  return {
    name,
    description,
    arguments: args.map((argument) => ({
      name: argument.name,
      type: argument.type ?? "string",
      required: argument.required ?? false,
      description: argument.description ?? "",
    })),
    argumentHint,
    owner,
  }
}

/** The parts of an agent that define its commands. */
type Declared = {
  readonly slashCommands: readonly SlashCommandRow[]
  readonly skills?: readonly Skill[]
  readonly memory?: boolean
}

const bases = new WeakMap<Declared, Commands>()

/** An agent's commands before its handler adds any: a declared command hides that of a skill (CMP-18). */
export function baseCommands(agent: Declared): Commands {
  const known = bases.get(agent)
  if (known !== undefined) return known
  const skills = skillsOf(agent).map((skill) => commandRow(skillCommand(skill), SKILL_OWNER))
  const base = new Map([...skills, ...agent.slashCommands].map((row) => [row.name, row]))
  bases.set(agent, base)
  return base
}

/** A conversation's rows updated to its agent's current definition. Usually this returns the same object. */
export function synced(commands: Commands, base: Commands): Commands {
  if (commands === base) return base
  const dynamic = [...commands.values()].filter(isDynamic)
  return dynamic.length === 0 ? base : new Map([...base, ...dynamic.map((row) => [row.name, row] as const)])
}

export function registered(
  commands: Commands,
  command: SlashCommandDefinition & { readonly owner?: string | undefined },
): Commands {
  const row = commandRow(command, checkedOwner(command.owner ?? DYNAMIC_OWNER))
  return bounded(new Map(commands).set(row.name, row))
}

/** Returns the same object if there is no dynamic command with that name. */
export function unregistered(commands: Commands, name: string, base: Commands): Commands {
  const row = commands.get(name)
  return row !== undefined && isDynamic(row) ? revealed(commands, [name], base) : commands
}

export function ownedReplaced(
  commands: Commands,
  owner: string,
  list: readonly SlashCommandDefinition[],
  base: Commands,
): Commands {
  checkedOwner(owner)
  const wanted = new Set(list.map(({ name }) => name))
  const gone = [...commands.values()].filter((row) => row.owner === owner && !wanted.has(row.name))
  const gaps = gone.map(({ name }) => name)
  const after = new Map(revealed(commands, gaps, base))
  for (const command of list) after.set(command.name, commandRow(command, owner))
  return bounded(after)
}

/** Empty if nothing changes: comparing is cheaper than writing (CMP-11). */
export function commandChanges(before: Commands, after: Commands): readonly CommandChange[] {
  if (before === after) return []
  const changes: CommandChange[] = []
  for (const row of after.values()) {
    const known = before.get(row.name)
    if (known === undefined) changes.push({ operation: "insert", row })
    else if (!isSame(known, row)) changes.push({ operation: "update", row })
  }
  for (const row of before.values()) if (!after.has(row.name)) changes.push({ operation: "delete", row })
  return changes
}

function revealed(commands: Commands, names: readonly string[], base: Commands): Commands {
  const after = new Map(commands)
  for (const name of names) {
    const beneath = base.get(name)
    if (beneath === undefined) after.delete(name)
    else after.set(name, beneath)
  }
  return after
}

function isDynamic({ owner }: SlashCommandRow): boolean {
  return owner !== null && owner !== SKILL_OWNER && !owner.startsWith(OUTSIDE_OWNER)
}

function isSame(a: SlashCommandRow, b: SlashCommandRow): boolean {
  return a === b || JSON.stringify(commandRow(a, a.owner)) === JSON.stringify(commandRow(b, b.owner))
}

function bounded(commands: Commands): Commands {
  if (commands.size <= MAX_COMMANDS) return commands
  throw invalid(`a conversation has at most ${MAX_COMMANDS} commands`)
}

function checkedOwner(owner: string): string {
  if (typeof owner === "string" && owner !== "" && owner.length <= MAX_NAME) return owner
  throw invalid(`the name of a command owner must have 1 to ${MAX_NAME} characters`)
}

function invalid(why: string): Refusal {
  return new Refusal("command.invalid", `${why[0]?.toUpperCase()}${why.slice(1)}.`)
}
