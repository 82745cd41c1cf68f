import type { Command } from "commander"
import { connected, type Stage } from "./options.ts"

/** `parlor usage`. */
export function addUsage(program: Command, { terminal, done }: Stage): void {
  connected(program.command("usage"))
    .description("what you use and how much you may: model calls, tokens, cost, stored bytes, conversations")
    .option("--of <person>", "of someone else, with the right to manage")
    .option("--days <count>", "today and the days before it")
    .option("--json", "print it as JSON")
    .action(async (options) => done((await import("../commands/usage.ts")).usage({ ...options, terminal })))
}
