import type { Command } from "commander"
import { branched, type Stage, withAgent } from "./options.ts"

/** `parlor compact` and `parlor archives`. */
export function addArchives(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/archives.ts")

  branched(program.command("compact"))
    .description("sum up what was said, for the model only; nothing is deleted")
    .argument("[agent]", "the agent", "host")
    .option("-k, --keep-turns <count>", "how many of the last turns stay as they are")
    .action(async (agent, options) => done((await load()).compact({ ...options, agent, terminal })))

  const archives = program.command("archives").description("the older chapters of a conversation")
  branched(archives.command("list", { isDefault: true }))
    .description("all of them, oldest first")
    .argument("[agent]", "the agent", "host")
    .option("--json", "print every archive as a line of JSON")
    .action(async (agent, options) => done((await load()).list({ ...options, agent, terminal })))
  withAgent(archives.command("show"))
    .description("the summary of one")
    .argument("<archive>", "its id")
    .action(async (id, options) => done((await load()).show(id, { ...options, terminal })))
  withAgent(archives.command("undo"))
    .description("dissolve one: what it covered is context again")
    .argument("<archive>", "its id")
    .action(async (id, options) => done((await load()).undo(id, { ...options, terminal })))
}
