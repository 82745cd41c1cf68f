import type { Command } from "commander"
import { connected, type Stage } from "./options.ts"

/** `parlor mcp` and its subcommands. */
export function addMcp(program: Command, { terminal, done }: Stage, version: string): void {
  const mcp = program
    .command("mcp")
    .description("run as an MCP server for another agent; manage the MCP servers that your agents use")
    .addHelpText("after", help)

  connected(mcp.command("serve", { isDefault: true }))
    .description("serve MCP over standard input and output: tools to send to, read and search your conversations")
    .action(async (options) => done((await import("../serve/mcp.ts")).serveMcp({ ...options, version })))

  connected(mcp.command("list"))
    .description("MCP server status: state, tools, last error")
    .option("--json", "print every server as a line of JSON")
    .action(async (options) => done((await import("../commands/mcp.ts")).list({ ...options, terminal })))

  connected(mcp.command("pin <server> <tool>"))
    .description("trust the current definition of a tool for everyone; needs the scope manage")
    .action(async (server, tool, options) =>
      done((await import("../commands/mcp.ts")).pin({ ...options, server, tool, terminal })),
    )
}

const help = `
For another agent's configuration: command "parlor", arguments ["mcp"], with PARLOR_URL and PARLOR_TOKEN in its
environment. It can do what the token allows, so create a key for it.`
