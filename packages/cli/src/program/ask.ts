import type { Command } from "commander"
import { aboutAgent, named, type Stage, withAgent } from "./options.ts"

/** `parlor ask`, `parlor ask answer` and `parlor answer`. */
export function addAsk(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/ask.ts")
  const ask = program
    .command("ask")
    .description("questions and approvals that agents wait for")
    .addHelpText("after", help)

  aboutAgent(ask.command("list", { isDefault: true }))
    .description("list the open ones")
    .option("--json", "print every ask as a line of JSON")
    .action(async (agent, options) => done((await load()).list({ ...named(agent, options), terminal })))

  withAgent(ask.command("answer"))
    .description("answer one; the first answer wins")
    .argument("<ask>", "its number in the list, or its id")
    .argument("<answer...>", "yes or no for approvals, a text or an option's number for questions, JSON for forms")
    .action(async (ref, words, options) => done((await load()).answer(ref, words, { ...options, terminal })))

  withAgent(program.command("answer"))
    .description("answer the open question or approval, if there is exactly one")
    .argument("<answer...>", "as for parlor ask answer")
    .action(async (words, options) => done((await load()).answerOpen(words, { ...options, terminal })))
}

const help = `
  parlor ask                       open questions of the agent host
  parlor answer yes                answers the only open one
  parlor ask answer 1 yes
  parlor ask answer 2 '{"name": "Ada"}' --agent critic`
