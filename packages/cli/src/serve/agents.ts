/** The agents of a server: those of its config file, or the three defaults. */
import { type Config, defineAgent, defineConfig } from "@parlor/agent"
import { findConfig, type OpenedConfig, openConfig, type ResolveOptions, resolveAgents } from "@parlor/agent/load"
import type { Agent, DeclaredTriggers, Log, Model } from "@parlor/core"
import { defaultModelSpec, type Env, resolveModel, usualOffers } from "@parlor/models"

/** `file`: null for the three defaults. */
export type OpenedAgents = OpenedConfig & { readonly file: string | null }

/** Without a config file there is nothing to watch. */
export async function openAgents(
  folder: string,
  env: Env,
  log: Log,
  {
    local,
    connected,
    harnessFor,
    loaded,
  }: Pick<ResolveOptions, "local" | "connected" | "harnessFor"> & {
    readonly loaded?: (() => void) | undefined
  } = {},
): Promise<OpenedAgents> {
  const file = findConfig(folder, env)
  const defaultModel = () => resolveModel(defaultModelSpec(env, connected), env, { local, connected })
  const resolving = { env, defaultModel, local, connected }
  const loading = { log, loaded, ...(harnessFor === undefined ? {} : { harnessFor }) }
  if (file !== undefined) return { file, ...(await openConfig({ file, ...resolving, ...loading })) }
  return openUsual(() =>
    resolveAgents({ ...usual, models: usualOffers(env, connected) }, { folder: ".", ...resolving }),
  )
}

async function openUsual(resolved: () => ReturnType<typeof resolveAgents>): Promise<OpenedAgents> {
  type Changed = Parameters<OpenedAgents["follow"]>[0]
  let told: Changed = () => {}
  const rest = { mcp: {}, triggers: NO_TRIGGERS, allowedOrigins: [] }
  return {
    file: null,
    agents: (await resolved()).agents,
    ...rest,
    problems: () => [],
    follow: (changed) => {
      told = changed
    },
    refresh: async () => told({ agents: (await resolved()).agents, ...rest }),
    close: () => {},
  }
}

export async function defaultAgents(model: Model): Promise<readonly Agent[]> {
  const { agents } = await resolveAgents(usual, { folder: ".", env: {}, defaultModel: async () => model })
  return agents
}

const NO_TRIGGERS: DeclaredTriggers = { schedules: [], hooks: [], notices: [] }

/** Useful as guests: they comment on the conversation. */
const onlyTalks = {
  standardTools: false,
  memory: false,
  workspace: false,
  wakeups: false,
} as const

const usual: Config = defineConfig({
  agents: [
    defineAgent({
      name: "host",
      description: "A general assistant: asks, explains, drafts.",
      instructions:
        "You are host, a helpful and friendly agent in Parlor. Answer in the person's language, in clear markdown, " +
        "no longer than the question needs. Say so when you do not know something.",
      shippedSkills: ["quickstart"],
    }),
    defineAgent({
      name: "critic",
      description: "Kindly points out what is wrong or missing.",
      instructions:
        "You are critic. Read the conversation and say, briefly and kindly, what is wrong, unclear or missing, the " +
        "most important first, each with a suggestion. If it is good, say that in one sentence.",
      ...onlyTalks,
    }),
    defineAgent({
      name: "scribe",
      description: "Writes down what was decided.",
      instructions:
        "You are scribe. Write down what was said as short notes: decisions, open questions, next steps with who does " +
        "them. Add nothing that was not said.",
      ...onlyTalks,
    }),
  ],
})
