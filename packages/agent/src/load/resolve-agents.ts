/** Turns what an author wrote into agents that can run: resolves models, reads skills, adds defaults. */
import { realpath, stat } from "node:fs/promises"
import { resolve } from "node:path"
import {
  type Agent,
  commandRow,
  defaultRunSettings,
  type Harness,
  HarnessFault,
  hostedModel,
  type Model,
  memorySkill,
  type Skill,
  spawnMessage,
} from "@parlor/core"
import {
  type ConnectedAccounts,
  type Env,
  isAiSdkModel,
  type LocalServers,
  notReady,
  offersFor,
  resolveAiSdkModel,
  resolveModel,
} from "@parlor/models"
import { SPAWN } from "@parlor/protocol"
import type { AcpOptions } from "../acp-options.ts"
import type { ModelChoice } from "../agent-options.ts"
import { standardTools } from "../built-in.ts"
import { ConfigError } from "../config-error.ts"
import type { AgentDefinition } from "../define-agent.ts"
import type { Config } from "../define-config.ts"
import { SHIPPED_SKILLS } from "../shipped-skills.ts"
import { fromConfig, type HostedMcpServer, hostedMcp } from "./hosted-mcp.ts"
import { readSkills } from "./skill-folder.ts"

export type ResolveOptions = {
  /** What relative paths start from. */
  readonly folder: string
  readonly env: Env
  /** The model of agents that name none, asked for when it is needed. */
  readonly defaultModel: () => Promise<Model>
  /** Hosts other programs as agents; without it, their turns fail (HST-1). */
  readonly harnessFor?: (agent: string, program: HostedProgram) => Harness
  /** Model servers on this machine, for `local/<id>` (MOD-13). */
  readonly local?: LocalServers | undefined
  /** Accounts that the owner connected (MOD-17). */
  readonly connected?: ConnectedAccounts | undefined
}

/** The program of a hosted agent, with its defaults. */
type HostedProgram = Required<AcpOptions> & { readonly mcp: readonly HostedMcpServer[] }

const IDLE_MS = 10 * 60_000
const START_MS = 2 * 60_000

export type Resolved = {
  readonly agents: readonly Agent[]
  readonly skillFolders: readonly string[]
  /** Names that are used twice, and which use counts (CMP-18); models that are not set up (MOD-17). */
  readonly warnings: readonly string[]
}

export async function resolveAgents(config: Config, options: ResolveOptions): Promise<Resolved> {
  const skillFolders = new Set<string>()
  const models = new Map<string, Promise<Model>>()
  const resolving = { info: config.modelInfo, local: options.local, connected: options.connected }
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
    if (agent.acp !== undefined) {
      const folder = await named(agent, "workspace.folder", () => folderOf(agent, options.folder))
      const mcp = hostedMcp(config, agent.name, options.folder)
      agents.push({ ...hosted(agent, agent.acp, mcp, options), ...(folder === undefined ? {} : { folder }) })
      continue
    }
    const model = agent.model ?? config.model
    const { skills, clashes } = await named(agent, "skills", () => skillsOf(agent, config, read))
    for (const name of clashes)
      warnings.push(`Agent "${agent.name}": its own /${name} is used instead of the skill that ships with Parlor.`)
    const problem = typeof model === "string" ? notReady(model, options.env, options.connected) : undefined
    if (problem !== undefined) warnings.push(`Agent "${agent.name}": ${problem}`)
    agents.push(
      finished(agent, {
        model: await named(agent, "model", () => (model === undefined ? options.defaultModel() : find(model))),
        fallback: await named(agent, "fallback", () => Promise.all(listed(agent.fallback).map(find))),
        offers: await named(agent, "models", async () =>
          offersFor(agent.models ?? config.models ?? [], options.env, resolving),
        ),
        skills,
        folder: await named(agent, "workspace.folder", () => folderOf(agent, options.folder)),
      }),
    )
  }
  return { agents, skillFolders: [...skillFolders], warnings }
}

function hosted(
  agent: AgentDefinition,
  acp: AcpOptions,
  mcp: readonly HostedMcpServer[],
  { folder, harnessFor }: ResolveOptions,
): Agent {
  const { name, description = "", slashCommands: commands = [], instructions = "" } = agent
  const program: HostedProgram = {
    command: acp.command.map((word) => fromConfig(folder, word)),
    env: acp.env ?? {},
    files: acp.files ?? true,
    idleMs: acp.idleMs ?? IDLE_MS,
    startMs: acp.startMs ?? START_MS,
    mcp,
  }
  return {
    ...passedOn(agent),
    name,
    description,
    instructions,
    model: hostedModel(program.command[0] ?? name),
    harness: harnessFor?.(name, program) ?? unhosted,
    tools: [],
    slashCommands: commands.map((command) => commandRow(command, null)),
  }
}

const unhosted: Harness = {
  offers: () => ({ models: [], modes: [] }),
  run: () => Promise.reject(new HarnessFault("start", "Hosted agents run only on a server.")),
  end: async () => {},
}

type Found = {
  readonly model: Model
  readonly fallback: readonly Model[]
  readonly offers: NonNullable<Agent["offers"]>
  readonly skills: readonly Skill[]
  readonly folder: string | undefined
}

/** The operator's folder, if the agent works in one. It has to exist: Parlor does not create it. */
async function folderOf({ workspace }: AgentDefinition, base: string): Promise<string | undefined> {
  if (typeof workspace !== "object") return undefined
  const folder = resolve(base, workspace.folder)
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new ConfigError(`there is no folder ${folder}.`)
  return realpath(folder)
}

function listed(choice: ModelChoice | readonly ModelChoice[] = []): readonly ModelChoice[] {
  return Array.isArray(choice) ? (choice as readonly ModelChoice[]) : [choice as ModelChoice]
}

function finished(agent: AgentDefinition, { model, fallback, offers, skills, folder }: Found): Agent {
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
    workspace: agent.workspace !== false,
    ...(folder === undefined ? {} : { folder }),
    wakeups: agent.wakeups ?? true,
    ...runOf(agent),
  }
}

/** Its commands, with defaults for what its author left out. */
function runOf({ run = false }: AgentDefinition): Pick<Agent, "run"> {
  if (run === false) return {}
  const { approval, network, env, ...limits } = run === true ? {} : run
  const { limits: usual, ...rest } = defaultRunSettings
  const given = Object.entries({ approval, network, env }).filter(([, value]) => value !== undefined)
  return { run: { ...rest, ...Object.fromEntries(given), limits: { ...usual, ...limits } } }
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
  const { asksWhenTriggered, wakeOnSpawn, personSettings, retention } = agent
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
    retention,
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
  const all = await read(SHIPPED_SKILLS)
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
