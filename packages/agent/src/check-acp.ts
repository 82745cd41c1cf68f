/** Validates the program of a hosted agent. Errors name the agent and the field. */
import type { AgentOptions } from "./agent-options.ts"
import type { ConfigError } from "./config-error.ts"

const FIELDS: readonly string[] = ["command", "env", "files", "idleMs", "startMs"]
/** A hosted agent has its own model, tools and loop. */
const EXCLUDED = [
  "model",
  "fallback",
  "models",
  "temperature",
  "maxOutputTokens",
  "reasoning",
  "providerOptions",
  "tools",
  "run",
  "skills",
  "shippedSkills",
  "handler",
  "handlerTimeoutMs",
  "inbox",
  "wakeOnSpawn",
  "standardTools",
  "memory",
  "wakeups",
  "maxMessages",
] as const

/** A hosted agent starts its servers in its own folder, calls them itself, and asks for permission itself. */
const MCP_EXCLUDED = ["cwd", "approval", "timeoutMs"] as const

type Wrong = (field: string, why: string) => ConfigError

export function checkAcp(agent: AgentOptions, wrong: Wrong): void {
  const acp: unknown = agent.acp
  if (acp === undefined) return
  if (!isRecord(acp)) throw wrong("acp", 'must be an object: { command: ["opencode", "acp"] }.')
  for (const field of Object.keys(acp))
    if (!FIELDS.includes(field)) throw wrong(`acp.${field}`, `unknown field. Use: ${FIELDS.join(", ")}.`)
  const { command, env } = acp
  const isCommand = Array.isArray(command) && command.length > 0 && command.every((one) => typeof one === "string")
  if (!isCommand || command[0] === "")
    throw wrong("acp.command", 'must be a list of strings: the program and its arguments, such as ["opencode", "acp"].')
  if (env !== undefined && !isRecord(env)) throw wrong("acp.env", "must be an object of strings.")
  for (const [name, value] of Object.entries(env ?? {}))
    if (typeof value !== "string") throw wrong(`acp.env.${name}`, "must be a string. Is the variable set?")
  if (acp.files !== undefined && typeof acp.files !== "boolean") throw wrong("acp.files", "must be true or false.")
  for (const field of ["idleMs", "startMs"] as const) {
    const value = acp[field]
    if (value !== undefined && !(Number.isSafeInteger(value) && (value as number) > 0))
      throw wrong(`acp.${field}`, "must be a positive integer.")
  }
  if (agent.workspace !== undefined && typeof agent.workspace !== "object")
    throw wrong("workspace", "a hosted agent (acp) always has a workspace. Use { folder } to choose a folder of yours.")
  for (const [name, server] of Object.entries(agent.mcp ?? {}))
    for (const field of MCP_EXCLUDED)
      if (field in server)
        throw wrong(`mcp.${name}.${field}`, "does not apply to a hosted agent (acp), which uses the server itself.")
  for (const field of EXCLUDED)
    if (agent[field] !== undefined) throw wrong(field, "does not apply to a hosted agent (acp), which has its own.")
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
