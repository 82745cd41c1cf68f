/** The MCP servers that a hosted agent gets: those of its own definition, and those of the config that name it (HST-22). */
import { resolve } from "node:path"
import type { Config } from "../define-config.ts"
import type { McpServerOptions } from "../mcp-options.ts"

export type HostedMcpServer = { readonly name: string } & (
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
)

export function hostedMcp(config: Config, agent: string, folder: string): readonly HostedMcpServer[] {
  const own = config.agents.find(({ name }) => name === agent)?.mcp ?? {}
  const shared = Object.entries(config.mcp ?? {}).filter(([, { agents }]) => agents?.includes(agent))
  return [...shared, ...Object.entries(own)].map(([name, server]) => ({ name, ...configOf(server, folder) }))
}

/** Whether nobody but hosted agents uses it, and no event of it wakes an agent: then Parlor need not connect to it. */
export function isHostedOnly(
  config: Config,
  users: readonly string[] | undefined,
  { wakeOn = [] }: McpServerOptions,
): boolean {
  const isHosted = (name: string) => config.agents.some((one) => one.name === name && one.acp !== undefined)
  return users !== undefined && users.length > 0 && wakeOn.length === 0 && users.every(isHosted)
}

/** Words of a command that begin with ./ or ../ are relative to the config file. */
export function fromConfig(folder: string, word: string): string {
  return /^\.\.?\//.test(word) ? resolve(folder, word) : word
}

function configOf(server: McpServerOptions, folder: string) {
  if ("url" in server) return { url: server.url, headers: server.headers ?? {} }
  const args = (server.args ?? []).map((word) => fromConfig(folder, word))
  return { command: fromConfig(folder, server.command), args, env: server.env ?? {} }
}
