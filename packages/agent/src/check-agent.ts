/** Validates an agent's definition. Errors name the agent and the field. */
import { commandRow } from "@parlor/core"
import { agentName, COMPOSER_INPUT, messageType, SPAWN, SYSTEM_TYPES } from "@parlor/protocol"
import type { AgentOptions } from "./agent-options.ts"
import { BUILT_IN_TOOLS } from "./built-in.ts"
import { checkAcp } from "./check-acp.ts"
import { checkMcp } from "./check-mcp.ts"
import { checkModels } from "./check-models.ts"
import { checkRun } from "./check-run.ts"
import { ConfigError } from "./config-error.ts"

const TEXTS = ["description", "instructions"] as const
const FLAGS = ["standardTools", "memory", "wakeups", "asksWhenTriggered", "wakeOnSpawn"] as const
const NUMBERS = ["maxOutputTokens", "handlerTimeoutMs", "budgetTokens", "personBudgetTokens", "maxMessages"] as const
const LISTS = ["models", "personSettings", "tools", "slashCommands", "skills"] as const
const OTHERS = [
  "name",
  "shippedSkills",
  "model",
  "fallback",
  "temperature",
  "reasoning",
  "providerOptions",
  "inbox",
  "handler",
  "onStop",
  "onError",
  "retention",
  "titles",
  "mcp",
  "run",
  "workspace",
  "acp",
] as const
const FIELDS: readonly string[] = [...TEXTS, ...FLAGS, ...NUMBERS, ...LISTS, ...OTHERS]
const ON_STOP: readonly unknown[] = ["hold", "drain", "clear"]
const ON_ERROR: readonly unknown[] = ["hold", "retry", "continue"]

export function checkAgent(agent: AgentOptions): void {
  if (typeof agent !== "object" || agent === null)
    throw new ConfigError("An agent is defined by an object with a name: defineAgent({ name: … }).")
  if (!agentName.safeParse(agent.name).success)
    throw new ConfigError(`Agent "${agent.name}": name: use 1 to 64 lowercase letters, digits and inner hyphens.`)
  const wrong = (field: string, why: string) => new ConfigError(`Agent "${agent.name}": ${field}: ${why}`)
  for (const field of Object.keys(agent))
    if (!FIELDS.includes(field)) throw wrong(field, `unknown field. Use: ${FIELDS.join(", ")}.`)
  for (const field of TEXTS) if (!isAbsentOr(agent[field], "string")) throw wrong(field, "must be a string.")
  for (const field of FLAGS) if (!isAbsentOr(agent[field], "boolean")) throw wrong(field, "must be true or false.")
  for (const field of NUMBERS) {
    const value = agent[field]
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
      throw wrong(field, "must be a positive integer.")
  }
  for (const field of LISTS)
    if (agent[field] !== undefined && !Array.isArray(agent[field])) throw wrong(field, "must be a list.")
  if (!isAbsentOr(agent.handler, "function")) throw wrong("handler", "must be a function.")
  if (agent.onStop !== undefined && !ON_STOP.includes(agent.onStop))
    throw wrong("onStop", 'must be "hold", "drain" or "clear".')
  if (agent.onError !== undefined && !ON_ERROR.includes(agent.onError))
    throw wrong("onError", 'must be "hold", "retry" or "continue".')
  checkRetention(agent, wrong)
  checkModels(agent, wrong)
  checkRun(agent, wrong)
  if (!isAbsentOr(agent.shippedSkills, "boolean") && !Array.isArray(agent.shippedSkills))
    throw wrong("shippedSkills", "must be true, false or a list of names.")
  checkTools(agent, wrong)
  checkCommands(agent, wrong)
  checkInbox(agent, wrong)
  checkMcp(agent.mcp, wrong)
  checkAcp(agent, wrong)
  for (const [name, { agents }] of Object.entries(agent.mcp ?? {}))
    if (agents !== undefined)
      throw wrong(`mcp.${name}.agents`, "this server belongs to one agent. To share it, move it into the config.")
  for (const [index, folder] of (agent.skills ?? []).entries())
    if (typeof folder !== "string" || folder === "") throw wrong(`skills[${index}]`, "name a folder.")
}

type Wrong = (field: string, why: string) => ConfigError

function checkRetention({ retention }: AgentOptions, wrong: Wrong): void {
  if (retention === undefined) return
  if (typeof retention !== "object" || retention === null) throw wrong("retention", "must be { days, conversations }.")
  for (const [name, value] of Object.entries(retention)) {
    if (name !== "days" && name !== "conversations")
      throw wrong(`retention.${name}`, "unknown field. Use: days, conversations.")
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
      throw wrong(`retention.${name}`, "must be a positive integer.")
  }
}

function checkTools({ tools = [] }: AgentOptions, wrong: Wrong): void {
  const seen = new Set<string>()
  for (const [index, tool] of tools.entries()) {
    const field = `tools[${index}]`
    if (typeof tool?.name !== "string" || typeof tool.run !== "function" || typeof tool.input?.safeParse !== "function")
      throw wrong(field, "make it with defineTool({ name, description, input, run }).")
    if (BUILT_IN_TOOLS.has(tool.name))
      throw wrong(field, `"${tool.name}" is the name of a built-in tool. Choose another.`)
    if (seen.has(tool.name)) throw wrong(field, `there are two tools named "${tool.name}".`)
    seen.add(tool.name)
  }
}

function checkCommands({ slashCommands: commands = [] }: AgentOptions, wrong: Wrong): void {
  const seen = new Set<string>()
  for (const [index, command] of commands.entries()) {
    const field = `slashCommands[${index}]`
    try {
      commandRow(command, null)
    } catch (error) {
      throw wrong(field, error instanceof Error ? error.message : String(error))
    }
    if (seen.has(command.name)) throw wrong(field, `there are two commands named "${command.name}".`)
    seen.add(command.name)
  }
}

function checkInbox({ inbox = {} }: AgentOptions, wrong: Wrong): void {
  for (const [type, schema] of Object.entries(inbox)) {
    const field = `inbox.${type}`
    if (type === SPAWN) throw wrong(field, "this type is reserved. Use wakeOnSpawn: true instead.")
    if (type === COMPOSER_INPUT || SYSTEM_TYPES.includes(type))
      throw wrong(field, "this type is reserved. Choose another name.")
    const named = messageType.safeParse(type)
    if (!named.success) throw wrong(field, named.error.issues[0]?.message ?? "not a valid message type.")
    if (typeof schema?.safeParse !== "function") throw wrong(field, "must be a zod schema.")
  }
}

function isAbsentOr(value: unknown, type: "string" | "boolean" | "function"): boolean {
  return value === undefined || typeof value === type
}
