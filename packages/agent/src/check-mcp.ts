/** Validates the configuration of MCP servers. Errors name the server and the field. */
import { agentName } from "@parlor/protocol"
import type { ConfigError } from "./config-error.ts"
import type { McpServerOptions, McpWakeOptions } from "./mcp-options.ts"

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_NAME = 24
const SHARED = ["agents", "approval", "timeoutMs", "wakeOn"] as const
const PROCESS: readonly string[] = ["command", "args", "env", "cwd", ...SHARED]
const ADDRESS: readonly string[] = ["url", "headers", ...SHARED]
const WAKE: readonly string[] = ["resource", "list", "agent", "branch", "person", "prompt", "everyMs"]
const LISTS: readonly unknown[] = ["tools", "resources", "prompts"]

type Wrong = (field: string, why: string) => ConfigError

/** `wrong` knows whose servers they are. */
export function checkMcp(mcp: unknown, wrong: Wrong): void {
  if (mcp === undefined) return
  if (!isRecord(mcp)) throw wrong("mcp", 'must be an object of servers by name: { files: { command: "…" } }.')
  for (const [name, server] of Object.entries(mcp)) {
    if (!NAME.test(name) || name.length > MAX_NAME)
      throw wrong(`mcp.${name}`, `a server's name has 1 to ${MAX_NAME} lowercase letters, digits and inner hyphens.`)
    checkServer(server as McpServerOptions, (field, why) => wrong(`mcp.${name}${field}`, why))
  }
}

function checkServer(server: McpServerOptions, wrong: Wrong): void {
  if (!isRecord(server) || "command" in server === "url" in server)
    throw wrong("", 'say where it is: { command: "…", args: […] } or { url: "https://…" }.')
  const fields = "command" in server ? PROCESS : ADDRESS
  for (const field of Object.keys(server))
    if (!fields.includes(field)) throw wrong(`.${field}`, `unknown field. Use: ${fields.join(", ")}.`)
  if ("command" in server) {
    if (!isText(server.command)) throw wrong(".command", "must be a string.")
    if (server.args !== undefined && !isTexts(server.args)) throw wrong(".args", "must be a list of strings.")
    if (server.cwd !== undefined && !isText(server.cwd)) throw wrong(".cwd", "name a folder.")
    checkValues(server.env, ".env", wrong)
  } else {
    if (!isHttp(server.url)) throw wrong(".url", "must be a URL that begins with http:// or https://.")
    checkValues(server.headers, ".headers", wrong)
  }
  const { agents, approval, timeoutMs, wakeOn } = server
  if (agents !== undefined && !(isTexts(agents) && agents.every((name) => agentName.safeParse(name).success)))
    throw wrong(".agents", "must be a list of agent names.")
  if (approval !== undefined && approval !== "always" && approval !== "never" && !isTexts(approval))
    throw wrong(".approval", 'must be "always", "never" or a list of its tools.')
  if (!isAbsentOrCount(timeoutMs)) throw wrong(".timeoutMs", "must be a positive integer.")
  if (wakeOn !== undefined && !Array.isArray(wakeOn)) throw wrong(".wakeOn", "must be a list.")
  for (const [index, on] of (wakeOn ?? []).entries())
    checkWake(on, (field, why) => wrong(`.wakeOn[${index}]${field}`, why))
}

function checkWake(on: McpWakeOptions, wrong: Wrong): void {
  if (!isRecord(on) || "resource" in on === "list" in on)
    throw wrong("", 'say what wakes: { resource: "…" } or { list: "tools" }.')
  for (const field of Object.keys(on))
    if (!WAKE.includes(field)) throw wrong(`.${field}`, `unknown field. Use: ${WAKE.join(", ")}.`)
  if ("resource" in on && !isText(on.resource)) throw wrong(".resource", "must be the URI of a resource.")
  if ("list" in on && !LISTS.includes(on.list)) throw wrong(".list", 'must be "tools", "resources" or "prompts".')
  for (const field of ["agent", "branch", "person", "prompt"] as const)
    if (on[field] !== undefined && !isText(on[field])) throw wrong(`.${field}`, "must be a string.")
  if (!isAbsentOrCount(on.everyMs)) throw wrong(".everyMs", "must be a positive integer.")
}

/** An unset environment variable is the usual reason for a value that is not a string. */
function checkValues(values: unknown, field: string, wrong: Wrong): void {
  if (values === undefined) return
  if (!isRecord(values)) throw wrong(field, "must be an object of strings.")
  for (const [name, value] of Object.entries(values))
    if (typeof value !== "string") throw wrong(`${field}.${name}`, "must be a string. Is the variable set?")
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== ""
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string")
}

function isAbsentOrCount(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && Number(value) > 0)
}

function isHttp(url: unknown): boolean {
  return typeof url === "string" && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
