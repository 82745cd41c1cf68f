/** Resolves the configured MCP servers into one list: who may use each, which agents each wakes, its working folder. */
import { resolve } from "node:path"
import { ConfigError } from "../config-error.ts"
import type { Config } from "../define-config.ts"
import type { McpServerOptions, McpWakeOptions } from "../mcp-options.ts"
import { isHostedOnly } from "./hosted-mcp.ts"

export type McpWake = McpWakeOptions & { readonly agent: string }

export type McpServer = McpServerOptions & { readonly wakeOn?: readonly McpWake[] }

/** A server declared by an agent is available to that agent only. */
export function resolveMcp(config: Config, folder: string): Readonly<Record<string, McpServer>> {
  const servers = new Map<string, McpServer>()
  const names = config.agents.map(({ name }) => name)
  const add = (name: string, server: McpServerOptions, users: readonly string[] | undefined, where: string) => {
    if (servers.has(name)) throw new ConfigError(`${where}mcp.${name}: appears twice.`)
    const wrong = (field: string, why: string) => new ConfigError(`${where}mcp.${name}.${field}: ${why}`)
    for (const user of users ?? []) if (!names.includes(user)) throw wrong("agents", `there is no agent "${user}".`)
    if (isHostedOnly(config, users, server)) return
    const wakeOn = (server.wakeOn ?? []).map((on): McpWake => ({ ...on, agent: wokenBy(on, users ?? names, wrong) }))
    const place = "command" in server ? { cwd: resolve(folder, server.cwd ?? ".") } : {}
    servers.set(name, { ...server, ...place, ...(users === undefined ? {} : { agents: users }), wakeOn })
  }
  for (const [name, server] of Object.entries(config.mcp ?? {})) add(name, server, server.agents, "")
  for (const agent of config.agents)
    for (const [name, server] of Object.entries(agent.mcp ?? {}))
      add(name, server, [agent.name], `Agent "${agent.name}": `)
  return Object.fromEntries(servers)
}

function wokenBy(
  on: McpWakeOptions,
  users: readonly string[],
  wrong: (field: string, why: string) => ConfigError,
): string {
  const [only, another] = users
  if (on.agent === undefined) {
    if (only !== undefined && another === undefined) return only
    throw wrong("wakeOn", "several agents use this server: set `agent` to the one to wake.")
  }
  if (users.includes(on.agent)) return on.agent
  throw wrong("wakeOn", `the agent "${on.agent}" does not use this server.`)
}
