import type { Command } from "commander"
import { aboutAgent, named, type Stage, withAgent } from "./options.ts"

/** `parlor compact` and `parlor archives`. */
export function addArchives(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/archives.ts")

  aboutAgent(program.command("compact"))
    .description("summarize older messages, for the model only; nothing is deleted")
    .option("-k, --keep-turns <count>", "how many of the last turns to leave out")
    .action(async (agent, options) => done((await load()).compact({ ...named(agent, options), terminal })))

  const archives = program.command("archives").description("summaries of older messages (chapters)")
  aboutAgent(archives.command("list", { isDefault: true }))
    .description("list them, oldest first")
    .option("--json", "print every archive as a line of JSON")
    .action(async (agent, options) => done((await load()).list({ ...named(agent, options), terminal })))
  withAgent(archives.command("show"))
    .description("show one summary")
    .argument("<archive>", "its id")
    .action(async (id, options) => done((await load()).show(id, { ...options, terminal })))
  withAgent(archives.command("undo"))
    .description("undo a compaction: the model sees its messages again")
    .argument("<archive>", "its id")
    .action(async (id, options) => done((await load()).undo(id, { ...options, terminal })))
}
