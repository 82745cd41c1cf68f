import type { Command } from "commander"
import { AGENT, connected, type Stage } from "./options.ts"

/** `parlor acp`. */
export function addAcp(program: Command, { done }: Stage, version: string): void {
  connected(program.command("acp"))
    .description("run as an ACP agent for an editor (Zed, JetBrains, Neovim), over standard input and output")
    .argument("[agent]", AGENT)
    .addHelpText("after", help)
    .action(async (agent, options) =>
      done((await import("../acp/serve-acp.ts")).serveAcp({ ...options, agent, version })),
    )
}

const help = `
Your editor starts it. Conversations are on a running server ("parlor serve"), so a reply continues when the editor is
closed. In the editor's configuration: command "parlor", arguments ["acp"], with PARLOR_URL and PARLOR_TOKEN in its
environment.`
