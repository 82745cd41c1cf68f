import type { Command } from "commander"
import { aboutAgent, named, type Stage } from "./options.ts"

/** `parlor inspect`. */
export function addInspect(program: Command, { terminal, done }: Stage): void {
  aboutAgent(program.command("inspect"))
    .description("turns of a conversation: steps, tools, tokens, cost, timings, exact prompts")
    .argument("[turn]", 'show this turn step by step; "last" is the newest')
    .option("-n, --limit <count>", "how many of the newest turns to list")
    .option("-p, --prompt <step>", "show the exact prompt of that step")
    .option("--json", "print every turn as a line of JSON; one turn with all its prompts")
    .action(async (agent, turn, options) =>
      done((await import("../commands/inspect.ts")).inspect(turn, { ...named(agent, options), terminal })),
    )
}
