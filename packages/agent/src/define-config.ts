import type { ModelInfo } from "@parlor/models"
import type { ModelChoice } from "./agent-options.ts"
import { checkAgent } from "./check-agent.ts"
import { checkMcp } from "./check-mcp.ts"
import { checkModelInfo } from "./check-model-info.ts"
import { isModel, NAME_ONE } from "./check-models.ts"
import { checkOrigins } from "./check-origins.ts"
import { checkTriggers } from "./check-triggers.ts"
import { ConfigError } from "./config-error.ts"
import type { AgentDefinition } from "./define-agent.ts"
import type { McpServerOptions } from "./mcp-options.ts"
import type { TriggerOptions } from "./trigger-options.ts"

/** What parlor.config.ts exports. */
export type Config = TriggerOptions & {
  /** The first one is the default everywhere (CLI-1). */
  readonly agents: readonly AgentDefinition[]
  /** Of agents that name none; the server's own, when left out. */
  readonly model?: ModelChoice
  /** Models that people may choose, for agents without a list of their own. */
  readonly models?: readonly ModelChoice[]
  /** Window, maximum output and price of models by name, instead of the built-in ones. */
  readonly modelInfo?: Readonly<Record<string, ModelInfo>>
  /** Folders of skills that all agents have, from the config file on. */
  readonly skills?: readonly string[]
  /** MCP servers, by name, for all agents or those it names. */
  readonly mcp?: Readonly<Record<string, McpServerOptions>>
  /** Other origins whose pages may call the server with a token, besides those of `PARLOR_ALLOWED_ORIGINS` (API-17). */
  readonly allowedOrigins?: readonly string[]
}

const FIELDS: readonly string[] = [
  "agents",
  "model",
  "models",
  "modelInfo",
  "skills",
  "mcp",
  "allowedOrigins",
  "schedules",
  "webhooks",
  "notices",
]

export function defineConfig(config: Config): Config {
  return checkConfig(config)
}

/** A config, or agents alone, as a file may export them. */
export function checkConfig(given: unknown): Config {
  const config = (Array.isArray(given) ? { agents: given } : given) as Config
  if (typeof config !== "object" || config === null || !Array.isArray(config.agents))
    throw new ConfigError("The file must export its agents: export default defineConfig({ agents: [ … ] }).")
  for (const field of Object.keys(config))
    if (!FIELDS.includes(field)) throw new ConfigError(`${field}: unknown field. Use: ${FIELDS.join(", ")}.`)
  if (config.agents.length === 0) throw new ConfigError("agents: at least one is required.")
  if (config.model !== undefined && !isModel(config.model)) throw new ConfigError(`model: ${NAME_ONE}`)
  const models: unknown = config.models ?? []
  if (!Array.isArray(models) || !models.every(isModel)) throw new ConfigError(`models: ${NAME_ONE}`)
  checkModelInfo(config.modelInfo)
  const folders: unknown = config.skills ?? []
  if (!Array.isArray(folders) || folders.some((folder) => typeof folder !== "string" || folder === ""))
    throw new ConfigError("skills: must be a list of folders.")
  checkMcp(config.mcp, (field, why) => new ConfigError(`${field}: ${why}`))
  checkOrigins(config.allowedOrigins)
  checkTriggers(config)
  const names = new Set<string>()
  for (const agent of config.agents) {
    checkAgent(agent)
    if (names.has(agent.name)) throw new ConfigError(`Agent "${agent.name}": name: appears twice.`)
    names.add(agent.name)
  }
  return config
}
