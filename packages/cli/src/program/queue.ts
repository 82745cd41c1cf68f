import type { Command } from "commander"
import { branched, type Stage, withAgent } from "./options.ts"

/** `parlor queue` and what can be said after it. */
export function addQueue(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/queue.ts")
  const queue = program
    .command("queue")
    .description("what waits in a conversation; edit, move, remove, pause, send now, hold")
    .addHelpText("after", help)

  branched(queue.command("list", { isDefault: true }))
    .description("place, id, mode, source and text of each waiting message")
    .argument("[agent]", "the agent", "host")
    .option("--json", "print every message as a line of JSON")
    .action(async (agent, options) => done((await load()).list({ ...options, agent, terminal })))

  withAgent(queue.command("edit"))
    .description("put another text in a waiting message's place")
    .argument("<message>", ID)
    .argument("<text...>", 'the new text; "-" reads standard input')
    .action(async (ref, words, options) => done((await load()).edit(ref, words, { ...options, terminal })))

  withAgent(queue.command("move"))
    .description("move a waiting message")
    .argument("<message>", ID)
    .option("--before <message>", "to before this one")
    .option("--after <message>", "to after this one")
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

const ID = "its place in the queue, or its id"

const ONE = [
  ["remove", "remove a waiting message: it never runs"],
  ["pause", "let the others pass this message until it is released"],
  ["release", "let a paused message run when its turn comes"],
  ["now", "stop what runs and start this message; the others follow"],
] as const

const ALL = [
  ["hold", "hold the queue: nothing starts by itself"],
  ["resume", "let the queue go on"],
  ["clear", "remove everything that waits"],
] as const

const help = `
  parlor queue                     what waits for the agent host
  parlor queue critic              what waits for the agent critic
  parlor queue edit 2 "no, blue"   the second waiting message, changed
  parlor queue move 3 --before 1
  parlor queue now 2 --agent critic`
