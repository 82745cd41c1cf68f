import type { Command } from "commander"
import { aboutAgent, named, type Stage, withAgent } from "./options.ts"

/** `parlor queue` and its subcommands. */
export function addQueue(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/queue.ts")
  const queue = program
    .command("queue")
    .description("the queue of a conversation: list, edit, move, remove, pause, send now, hold")
    .addHelpText("after", help)

  aboutAgent(queue.command("list", { isDefault: true }))
    .description("list position, id, mode, source and text of each queued message")
    .option("--json", "print every message as a line of JSON")
    .action(async (agent, options) => done((await load()).list({ ...named(agent, options), terminal })))

  withAgent(queue.command("edit"))
    .description("change the text of a queued message")
    .argument("<message>", ID)
    .argument("<text...>", 'the new text; "-" reads standard input')
    .action(async (ref, words, options) => done((await load()).edit(ref, words, { ...options, terminal })))

  withAgent(queue.command("move"))
    .description("move a queued message")
    .argument("<message>", ID)
    .option("--before <message>", "move it before this one")
    .option("--after <message>", "move it after this one")
    .action(async (ref, options) => done((await load()).move(ref, { ...options, terminal })))

  for (const [name, description] of ONE) {
    withAgent(queue.command(name))
      .description(description)
      .argument("<message>", ID)
      .action(async (ref, options) => done((await load())[name](ref, { ...options, terminal })))
  }

  for (const [name, description] of ALL) {
    withAgent(queue.command(name))
      .description(description)
      .action(async (options) => done((await load())[name]({ ...options, terminal })))
  }
}

const ID = "its position in the queue, or its id"

const ONE = [
  ["remove", "remove a queued message: it never runs"],
  ["pause", "skip this message for now, until it is released"],
  ["release", "stop skipping this message"],
  ["now", "stop the running turn and start this message; the others follow"],
] as const

const ALL = [
  ["hold", "pause the queue: nothing starts until it is resumed"],
  ["resume", "resume the queue"],
  ["clear", "remove all queued messages"],
] as const

const help = `
  parlor queue                     the queue of the agent host
  parlor queue critic              the queue of the agent critic
  parlor queue edit 2 "no, blue"   edit the second queued message
  parlor queue move 3 --before 1
  parlor queue now 2 --agent critic`
