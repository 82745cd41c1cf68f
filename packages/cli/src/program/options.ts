import type { Command } from "commander"
import { Complaint } from "../complaint.ts"
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

function branched(command: Command): Command {
  return connected(command).option("-b, --branch <name>", "the conversation's branch", "main")
}

/** For commands whose arguments are used for something else. */
export function withAgent(command: Command): Command {
  return branched(command).option("-a, --agent <name>", AGENT)
}

/** For commands whose first argument may name the agent. */
export function aboutAgent(command: Command): Command {
  return withAgent(command).argument("[agent]", AGENT)
}

/** The agent as an argument or as an option. */
export function named<T extends { readonly agent?: string }>(agent: string | undefined, options: T): T {
  if (agent === undefined || agent === options.agent) return options
  if (options.agent === undefined) return { ...options, agent }
  throw new Complaint(`Two agents are named: ${agent} and ${options.agent}.`)
}

export const AGENT = "the agent; default: the first agent of the server"
