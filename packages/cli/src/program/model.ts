import type { Command } from "commander"
import { aboutAgent, named, type Stage } from "./options.ts"

/** `parlor model`. */
export function addModel(program: Command, { terminal, done }: Stage): void {
  aboutAgent(program.command("model"))
    .description("the model of a conversation: list what the agent offers, choose one, change its settings")
    .argument("[model]", 'the model to use from the next turn on, such as "openai/gpt-5.6"')
    .option("--temperature <number>", "from 0 to 2")
    .option("--max-output <tokens>", "maximum number of tokens of a reply")
    .option("--reasoning <effort>", "none, minimal, low, medium, high, xhigh or max")
    .option("--mode <mode>", "a mode of a hosted agent")
    .option("--fallback <model...>", "models to try in order when the model cannot answer")
    .option("--reset", "return to the agent's own settings")
    .option("--json", "print it as JSON")
    .action(async (agent, model, options) =>
      done((await import("../commands/model.ts")).model({ ...named(agent, options), model, terminal })),
    )
}
