import type { Command } from "commander"
import type { Terminal } from "../terminal.ts"

/** What a command needs to run, and where its exit code goes. */
export type Stage = {
  readonly terminal: Terminal
  readonly done: (act: Promise<number>) => Promise<void>
}

export function connected(command: Command): Command {
  return command
    .option("--url <address>", "the server (PARLOR_URL; otherwise this machine, port PARLOR_PORT or 4141)")
    .option("--token <token>", "the token (PARLOR_TOKEN; otherwise the file token in PARLOR_DATA or .parlor)")
    .option("--person <name>", "the person to act for; the token must allow it")
}

export function branched(command: Command): Command {
  return connected(command).option("-b, --branch <name>", "the conversation's branch", "main")
}

/** For commands whose arguments are used for something else. */
export function withAgent(command: Command): Command {
  return branched(command).option("-a, --agent <name>", "the agent", "host")
}
