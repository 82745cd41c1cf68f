/** All configured servers, behind the core's port, with one connection each. */
import type { Clock, Log, NewContext, OutsideCommand, Random, Tool, Toolsets } from "@parlor/core"
import type { McpServerView, SlashCommandRow } from "@parlor/protocol"
import { Connection } from "./connection.ts"
import { commandName, toolName } from "./names.ts"
import type { Pins } from "./pins.ts"
import { commandsOf, contextOf } from "./prompts.ts"
import type { ListName, ServerConfig } from "./server-config.ts"
import { isChanged, toolsOf } from "./tools.ts"
import { type SendWake, subjectOf, Waker } from "./waker.ts"

/** Tools of all servers for one agent. Providers accept 128 in total, including the agent's own. */
const MAX_TOOLS_PER_AGENT = 96

export type ToolsetsParts = {
  readonly servers: Servers
  readonly pins: Pins
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly version: string
}

export type Servers = Readonly<Record<string, ServerConfig>>

export type McpToolsets = Toolsets & {
  /** Replaces the configuration. Servers whose configuration did not change keep running. */
  configure(servers: Servers): void
  /** Sets how agents are woken; changes before that are remembered. */
  wakeBy(send: SendWake): void
  close(): Promise<void>
}

type Entry = { readonly connection: Connection; readonly wakers: readonly Waker[]; readonly key: string }

/** Starts connecting to all servers in the background. */
export function openToolsets(parts: ToolsetsParts): McpToolsets {
  const entries = new Map<string, Entry>()
  const closing = new Set<Promise<void>>()
  let send: SendWake | undefined

  const open = (name: string, config: ServerConfig): Entry => {
    const wakers = (config.wakeOn ?? []).map(
      (on) => new Waker({ server: name, on, clock: parts.clock, log: parts.log, send: () => send }),
    )
    const connection = new Connection({
      ...parts,
      name,
      config,
      onCatalogue: async ({ tools }) => {
        if (parts.pins.isKnown(name)) return
        await parts.pins.pin(name, Object.fromEntries(tools.map((tool) => [tool.name, tool.hash])))
      },
      onResource: (uri) => {
        for (const waker of wakers) if ("resource" in waker.on && waker.on.resource === uri) waker.changed()
      },
      onList: (list: ListName) => {
        for (const waker of wakers) if ("list" in waker.on && waker.on.list === list) waker.changed()
      },
    })
    connection.start()
    return { connection, wakers, key: JSON.stringify(config) }
  }
  const shut = async ({ connection, wakers }: Entry): Promise<void> => {
    for (const waker of wakers) waker.close()
    await connection.close()
  }
  const configure = (servers: Servers): void => {
    for (const [name, entry] of entries) {
      const config = servers[name]
      if (config !== undefined && JSON.stringify(config) === entry.key) continue
      entries.delete(name)
      const shutting = shut(entry).finally(() => closing.delete(shutting))
      closing.add(shutting)
    }
    for (const [name, config] of Object.entries(servers)) if (!entries.has(name)) entries.set(name, open(name, config))
  }
  const usedBy = (agent: string) =>
    [...entries.values()].filter(({ connection }) => connection.config.agents?.includes(agent) ?? true)
  const killAll = () => {
    for (const { connection } of entries.values()) connection.kill()
  }
  process.on("exit", killAll)
  configure(parts.servers)
  return {
    toolsFor: (agent, person): readonly Tool[] =>
      usedBy(agent)
        .flatMap(({ connection }) => toolsOf(connection, parts.pins, person))
        .slice(0, MAX_TOOLS_PER_AGENT),
    commandsFor: (agent): readonly SlashCommandRow[] =>
      usedBy(agent).flatMap(({ connection }) => commandsOf(connection)),
    contextFor: (agent, command, signal) => promptContext(usedBy(agent), command, signal),
    status: (person) => [...entries.values()].map((entry) => viewOf(entry, parts.pins, person)),
    async pin(server, tool, hash) {
      const now = entries.get(server)?.connection.catalogue.tools.find(({ name }) => name === tool)
      if (now === undefined || now.hash !== hash) return false
      await parts.pins.pin(server, { [tool]: hash })
      return true
    },
    forgetPerson: (person) => parts.pins.forgetPerson(person),
    configure,
    wakeBy(by) {
      send = by
      for (const { wakers } of entries.values()) for (const waker of wakers) waker.begin()
    },
    async close() {
      process.off("exit", killAll)
      await Promise.all([...closing, ...[...entries.values()].map(shut)])
      entries.clear()
    },
  }
}

async function promptContext(
  entries: readonly Entry[],
  command: OutsideCommand,
  signal: AbortSignal,
): Promise<NewContext | undefined> {
  for (const { connection } of entries) {
    const prompt = connection.catalogue.prompts.find(({ name }) => commandName(connection.name, name) === command.name)
    if (prompt !== undefined) return contextOf(connection, prompt, command, signal)
  }
  return undefined
}

function viewOf({ connection, wakers }: Entry, pins: Pins, person: string): McpServerView {
  const { name, config, catalogue } = connection
  return {
    name,
    transport: "command" in config ? "stdio" : "http",
    ...connection.view,
    agents: config.agents === undefined ? null : [...config.agents],
    tools: catalogue.tools.map((tool) => ({
      tool: tool.name,
      name: toolName(name, tool.name),
      hash: tool.hash,
      changed: isChanged(name, tool, pins, person),
    })),
    leftOut: [...catalogue.leftOut],
    slashCommands: commandsOf(connection).map((row) => row.name),
    wakes: wakers.map(({ on, address, lastAt, lastError }) => ({
      on: subjectOf(on),
      agent: address.agent,
      branch: address.branch,
      lastAt,
      lastError,
    })),
  }
}
