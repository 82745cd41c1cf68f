import type { Command } from "commander"
import { branched, type Stage, withAgent } from "./options.ts"

/** `parlor rollback` and what can be said after it. */
export function addRollback(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/rollback.ts")
  const rollback = program
    .command("rollback")
    .description("go back to one of your messages; what came after it is dimmed, not deleted")
    .addHelpText("after", help)

  branched(rollback.command("list", { isDefault: true }))
    .description("the messages one can go back to, the newest first, and what is rolled back now")
    .argument("[agent]", "the agent", "host")
    .option("--json", "print every message as a line of JSON")
    .action(async (agent, options) => done((await load()).list({ ...options, agent, terminal })))

  withAgent(rollback.command("preview"))
    .description("what would dim, and what would become of the files")
    .argument("<message>", MESSAGE)
    .option("--edit", "as if the message was to be edited")
    .action(async (ref, options) => done((await load()).preview(ref, { ...options, terminal })))

  withAgent(rollback.command("to"))
    .description("roll back; a running turn is stopped first")
    .argument("<message>", MESSAGE)
    .option("--scope <what>", "both, conversation or files", "both")
    .option("--edit", "dim the message too, and print its text")
    .option("-y, --yes", "do not ask")
    .action(async (ref, options) => done((await load()).to(ref, { ...options, terminal })))

  withAgent(rollback.command("cancel"))
    .description("take the newest rollback back")
    .argument("[rollback]", "its id, to be sure which")
    .action(async (ref, options) => done((await load()).cancel(ref, { ...options, terminal })))
}

const MESSAGE = "its number in the list, or its id"

const help = `
  parlor rollback                     your messages, the newest is 1
  parlor rollback preview 2
  parlor rollback to 2 --yes          everything after it dims, files go back
  parlor rollback to 1 --edit --yes | sed s/red/blue/ | parlor send -
  parlor rollback cancel`
