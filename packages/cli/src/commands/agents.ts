/** `parlor agents`: the agents of this server. */
import type { AgentView } from "@parlor/protocol"
import { commandLine } from "../command-lines.ts"
import { noteConfig } from "../config-notes.ts"
import { plain, plainJson } from "../plain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type AgentsOptions = ConnectionOptions & { readonly json?: boolean; readonly terminal: Terminal }

export async function agents(options: AgentsOptions): Promise<number> {
  const { terminal } = options
  const parlor = connect(options)
  const list = await parlor.agents()
  if (options.json) for (const agent of list) await terminal.out(`${plainJson(JSON.stringify(agent))}\n`)
  else await terminal.out(list.map(shown).join("\n"))
  await noteConfig(parlor, terminal)
  return 0
}

function shown(agent: AgentView): string {
  const lines = [`${agent.name}  ${agent.model}`, ...(agent.description === "" ? [] : [`    ${agent.description}`])]
  return `${[...lines, ...agent.slashCommands.map((row) => `    ${commandLine(row)}`)].map((line) => plain(line)).join("\n")}\n`
}
