import type { Command } from "commander"
import { connected, type Stage } from "./options.ts"

/** `parlor mcp` and what can be said after it. */
export function addMcp(program: Command, { terminal, done }: Stage, version: string): void {
  const mcp = program
    .command("mcp")
    .description("be an MCP server for another agent; list the MCP servers this one's agents use")
    .addHelpText("after", help)

  connected(mcp.command("serve", { isDefault: true }))
    .description("speak MCP over standard input and output: tools to send to, read and search your conversations")
    .action(async (options) => done((await import("../serve/mcp.ts")).serveMcp({ ...options, version })))

  connected(mcp.command("list"))
    .description("the MCP servers agents use: state, tools, last error")
    .option("--json", "print every server as a line of JSON")
    .action(async (options) => done((await import("../commands/mcp.ts")).list({ ...options, terminal })))

  connected(mcp.command("pin <server> <tool>"))
    .description("trust a new or changed tool for everyone, as it is now; needs the right to manage")
    .action(async (server, tool, options) =>
      done((await import("../commands/mcp.ts")).pin({ ...options, server, tool, terminal })),
    )
}

const help = `
For another agent's configuration: command "parlor", arguments ["mcp"], with PARLOR_URL and PARLOR_TOKEN in its
environment. What it may do is what the token may: make a key for it.`
