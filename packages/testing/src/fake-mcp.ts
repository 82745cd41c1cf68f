/**
 * MCP servers without processes: their tools are functions of the test. Tool names, approvals and the `untrusted` mark
 * work as on a server (TRG-6); connecting, pinning and prompts are not part of a scenario.
 */
import type { McpServer, McpWake } from "@parlor/agent/load"
import type { Json, Tool, Toolsets } from "@parlor/core"

export type FakeMcpServer = {
  /** Made with `defineTool`; the model sees each as `<server>__<tool>`. */
  readonly tools?: readonly Tool[]
}

export type FakeMcp = {
  readonly toolsets: Toolsets
  /** The agents that a change wakes, and the message for each. */
  wakes(server: string, subject: string): readonly (McpWake & { readonly text: string })[]
}

type Servers = Readonly<Record<string, McpServer>>

export function fakeMcp(servers: Servers, fakes: Readonly<Record<string, FakeMcpServer>>): FakeMcp {
  for (const name of Object.keys(fakes))
    if (!Object.hasOwn(servers, name)) throw new Error(`The config has no MCP server "${name}".`)
  const toolsOf = (agent: string) =>
    Object.entries(servers).flatMap(([name, server]) => {
      const isItsOwn = server.agents === undefined || server.agents.includes(agent)
      return isItsOwn ? (fakes[name]?.tools ?? []).map((tool) => lent(name, server, tool)) : []
    })
  return {
    toolsets: {
      toolsFor: toolsOf,
      commandsFor: () => [],
      contextFor: async () => undefined,
      status: () => [],
      pin: async () => false,
      forgetPerson: async () => {},
    },
    wakes(server, subject) {
      const all: readonly McpWake[] = servers[server]?.wakeOn ?? []
      const on = all.filter((one) => subject === subjectOf(one))
      if (on.length === 0) throw new Error(`No agent is woken by ${subject} of the MCP server "${server}".`)
      const usual = `[${subject} of the MCP server ${server} changed. Look at it if it matters here.]`
      return on.map((one) => ({ ...one, text: one.prompt ?? usual }))
    },
  }
}

export function subjectOf(on: { readonly resource: string } | { readonly list: string }): string {
  return "resource" in on ? on.resource : `the list of ${on.list}`
}

function lent(server: string, { approval = "never" }: McpServer, tool: Tool): Tool {
  const isAsked = typeof approval === "string" ? approval === "always" : approval.includes(tool.name)
  return {
    ...tool,
    name: `${server}__${tool.name}`,
    repeatable: false,
    approval: isAsked ? "always" : "never",
    run: async (input, context) => {
      const output = await tool.run(input, context)
      return { from: `MCP server ${server}`, untrusted: true, output } as Json
    },
  }
}
