import type { Command } from "commander"
import { aboutAgent, named, type Stage, withAgent } from "./options.ts"

/** `parlor rollback` and its subcommands. */
export function addRollback(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/rollback.ts")
  const rollback = program
    .command("rollback")
    .description("roll back to one of your messages; later messages are dimmed, not deleted")
    .addHelpText("after", help)

  aboutAgent(rollback.command("list", { isDefault: true }))
    .description("list your messages, newest first, and the current rollback")
    .option("--json", "print every message as a line of JSON")
    .action(async (agent, options) => done((await load()).list({ ...named(agent, options), terminal })))

  withAgent(rollback.command("preview"))
    .description("show what a rollback would do to messages and files")
    .argument("<message>", MESSAGE)
    .option("--edit", "as if the message were to be edited")
    .action(async (ref, options) => done((await load()).preview(ref, { ...options, terminal })))

  withAgent(rollback.command("to"))
    .description("roll back; a running turn is stopped first")
    .argument("<message>", MESSAGE)
    .option("--scope <what>", "both, conversation or files", "both")
    .option("--edit", "dim the message too, and print its text")
    .option("-y, --yes", "do not ask for confirmation")
    .action(async (ref, options) => done((await load()).to(ref, { ...options, terminal })))

  withAgent(rollback.command("cancel"))
    .description("cancel the newest rollback")
    .argument("[rollback]", "its id; default: the newest")
    .action(async (ref, options) => done((await load()).cancel(ref, { ...options, terminal })))
}

const MESSAGE = "its number in the list, or its id"

const help = `
  parlor rollback                     your messages, the newest is 1
  parlor rollback preview 2
  parlor rollback to 2 --yes          dim everything after it, restore files
  parlor rollback to 1 --edit --yes | sed s/red/blue/ | parlor send -
  parlor rollback cancel`
