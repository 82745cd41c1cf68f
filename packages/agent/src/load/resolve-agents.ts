/** Turns what an author wrote into agents that can run: resolves models, reads skills, adds defaults. */
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { type Agent, commandRow, type Model, memorySkill, type Skill, spawnMessage } from "@parlor/core"
import { type Env, isAiSdkModel, type LocalServers, offersFor, resolveAiSdkModel, resolveModel } from "@parlor/models"
import { SPAWN } from "@parlor/protocol"
import type { ModelChoice } from "../agent-options.ts"
import { standardTools } from "../built-in.ts"
import { ConfigError } from "../config-error.ts"
import type { AgentDefinition } from "../define-agent.ts"
import type { Config } from "../define-config.ts"
import { readSkills } from "./skill-folder.ts"

/** Beside `src` in the repository, beside `dist` when installed. */
const SHIPPED = fileURLToPath(new URL("../../skills", import.meta.url))

export type ResolveOptions = {
  /** What relative paths start from. */
  readonly folder: string
  readonly env: Env
  /** The model of agents that name none, asked for when it is needed. */
  readonly defaultModel: () => Promise<Model>
  /** Model servers on this machine, for `local/<id>` (MOD-13). */
  readonly local?: LocalServers | undefined
}

export type Resolved = {
  readonly agents: readonly Agent[]
  readonly skillFolders: readonly string[]
  /** Names that are used twice, and which use counts (CMP-18). */
  readonly warnings: readonly string[]
}

export async function resolveAgents(config: Config, options: ResolveOptions): Promise<Resolved> {
  const skillFolders = new Set<string>()
  const models = new Map<string, Promise<Model>>()
  const resolving = { info: config.modelInfo, local: options.local }
  const find = (choice: ModelChoice): Promise<Model> => {
    if (isAiSdkModel(choice)) return resolveAiSdkModel(choice, options.env, resolving)
    if (typeof choice !== "string") return Promise.resolve(choice)
    const known = models.get(choice) ?? resolveModel(choice, options.env, resolving)
    models.set(choice, known)
    return known
  }
  const read = async (folder: string): Promise<readonly Skill[]> => {
    const { skills, folders } = await readSkills(resolve(options.folder, folder))
    for (const one of folders) skillFolders.add(one)
    return skills
  }
  const agents: Agent[] = []
  const warnings: string[] = []
  for (const agent of config.agents) {
    const model = agent.model ?? config.model
    const { skills, clashes } = await named(agent, "skills", () => skillsOf(agent, config, read))
    for (const name of clashes)
      warnings.push(`Agent "${agent.name}": its own /${name} is used instead of the skill that ships with Parlor.`)
    agents.push(
      finished(agent, {
        model: await named(agent, "model", () => (model === undefined ? options.defaultModel() : find(model))),
        fallback: await named(agent, "fallback", () => Promise.all(listed(agent.fallback).map(find))),
        offers: await named(agent, "models", async () =>
          offersFor(agent.models ?? config.models ?? [], options.env, resolving),
        ),
        skills,
      }),
    )
  }
  return { agents, skillFolders: [...skillFolders], warnings }
}

type Found = {
  readonly model: Model
  readonly fallback: readonly Model[]
  readonly offers: NonNullable<Agent["offers"]>
  readonly skills: readonly Skill[]
}

function listed(choice: ModelChoice | readonly ModelChoice[] = []): readonly ModelChoice[] {
  return Array.isArray(choice) ? (choice as readonly ModelChoice[]) : [choice as ModelChoice]
}

function finished(agent: AgentDefinition, { model, fallback, offers, skills }: Found): Agent {
  const { name, description = "", tools = [], slashCommands: commands = [], instructions } = agent
  return {
    ...passedOn(agent),
    name,
    description,
    instructions: instructions ?? `You are ${name}, an agent in Parlor. ${description}`.trim(),
    model,
    ...(fallback.length === 0 ? {} : { fallback }),
    offers,
    ...settingsOf(agent),
    tools: agent.standardTools === false ? tools : [...tools, ...standardTools],
    slashCommands: commands.map((command) => commandRow(command, null)),
    skills,
    memory: agent.memory ?? true,
    workspace: agent.workspace ?? true,
    wakeups: agent.wakeups ?? true,
  }
}

/** What every model call of the agent is made with (MOD-2). */
function settingsOf({ temperature, maxOutputTokens, reasoning, providerOptions }: AgentDefinition): Partial<Agent> {
  const all = Object.entries({ temperature, maxOutputTokens, reasoning, providerOptions })
  const given = all.filter(([, value]) => value !== undefined)
  return given.length === 0 ? {} : { modelSettings: Object.fromEntries(given) }
}

/** Passed on unchanged if set. */
function passedOn(agent: AgentDefinition): Partial<Agent> {
  const { handler, handlerTimeoutMs, budgetTokens, personBudgetTokens, maxMessages, onStop, onError } = agent
  const { asksWhenTriggered, wakeOnSpawn, personSettings } = agent
  const inbox = wakeOnSpawn === true ? { ...agent.inbox, [SPAWN]: spawnMessage } : agent.inbox
  const all = {
    inbox,
    handler,
    handlerTimeoutMs,
    budgetTokens,
    personBudgetTokens,
    maxMessages,
    onStop,
    onError,
    asksWhenTriggered,
    wakeOnSpawn,
    personSettings,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

type Skills = { readonly skills: readonly Skill[]; readonly clashes: readonly string[] }

/** Its own skills and commands take precedence over skills of the config, and those over skills that ship (CMP-18). */
async function skillsOf(
  agent: AgentDefinition,
  config: Config,
  read: (folder: string) => Promise<readonly Skill[]>,
): Promise<Skills> {
  const shared = await together(config.skills ?? [], read)
  const own = await together(agent.skills ?? [], read)
  const shipped = await shippedSkills(agent, read)
  const taken = new Set([...(agent.slashCommands ?? []), ...shared, ...own].map(({ name }) => name))
  const added = shipped.filter(({ name }) => !taken.has(name))
  const ships = [...shipped.map(({ name }) => name), ...(agent.memory === false ? [] : [memorySkill.name])]
  return {
    skills: [...new Map([...added, ...shared, ...own].map((skill) => [skill.name, skill])).values()],
    clashes: ships.filter((name) => taken.has(name)),
  }
}

/** None, unless the agent asks for them. The skill about memory comes with memory itself. */
async function shippedSkills(
  { shippedSkills: asked = false }: AgentDefinition,
  read: (folder: string) => Promise<readonly Skill[]>,
): Promise<readonly Skill[]> {
  if (asked === false) return []
  const all = await read(SHIPPED)
  if (asked === true) return all
  for (const name of asked)
    if (!all.some((skill) => skill.name === name))
      throw new ConfigError(
        `no skill named "${name}" ships with Parlor. Use: ${all.map((one) => one.name).join(", ")}.`,
      )
  return all.filter(({ name }) => asked.some((wanted) => wanted === name))
}

async function together(
  folders: readonly string[],
  read: (folder: string) => Promise<readonly Skill[]>,
): Promise<readonly Skill[]> {
  const found: Skill[] = []
  for (const folder of folders) {
    for (const skill of await read(folder)) {
      if (found.some(({ name }) => name === skill.name))
        throw new ConfigError(`there are two skills named "${skill.name}".`)
      found.push(skill)
    }
  }
  return found
}

/** Whatever goes wrong says whose it is. */
async function named<T>(agent: AgentDefinition, field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`Agent "${agent.name}": ${field}: ${why}`, { cause: error })
  }
}
