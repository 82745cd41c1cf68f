import type { Command } from "commander"
import { connected, type Stage } from "./options.ts"

/** `parlor usage`. */
export function addUsage(program: Command, { terminal, done }: Stage): void {
  connected(program.command("usage"))
    .description("your usage and limits: model calls, tokens, cost, stored bytes, conversations")
    .option("--of <person>", "of another person; needs the scope manage")
    .option("--by <fields>", "of everyone instead, summed by person, agent, model or a combination: person,model")
    .option("--days <count>", "number of days, including today")
    .option("--json", "print it as JSON")
    .action(async (options) => done((await import("../commands/usage.ts")).usage({ ...options, terminal })))
}
