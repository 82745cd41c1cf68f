import type { Command } from "commander"
import { aboutAgent, named, type Stage, withAgent } from "./options.ts"

/** `parlor files` and its subcommands. */
export function addFiles(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/files.ts")
  const files = program
    .command("files")
    .description("the files of a conversation: list, show, put, remove, changes")
    .addHelpText("after", help)

  aboutAgent(files.command("list", { isDefault: true }))
    .description("list size, last editor and path of each file")
    .option("--at <message>", AT)
    .option("--json", "print every file as a line of JSON")
    .action(async (agent, options) => done((await load()).list({ ...named(agent, options), terminal })))

  withAgent(files.command("show"))
    .description("print a file, or save it")
    .argument("<path>", PATH)
    .option("-o, --output <file>", "the file to write, instead of standard output")
    .option("--at <message>", AT)
    .action(async (path, options) => done((await load()).show(path, { ...options, terminal })))

  withAgent(files.command("put"))
    .description("create or replace a file")
    .argument("<path>", PATH)
    .argument("[file]", 'the content; "-" or nothing reads standard input')
    .action(async (path, file, options) => done((await load()).put(path, file, { ...options, terminal })))

  withAgent(files.command("remove"))
    .description("delete a file")
    .argument("<path>", PATH)
    .action(async (path, options) => done((await load()).remove(path, { ...options, terminal })))

  aboutAgent(files.command("changes"))
    .description("file changes with diffs, newest first")
    .option("--turn <id>", "only changes of this turn")
    .option("-n, --limit <count>", "maximum number of changes", "20")
    .option("--json", "print every change as a line of JSON")
    .action(async (agent, options) => done((await load()).changes({ ...named(agent, options), terminal })))
}

const PATH = "its path in the workspace, such as notes/plan.md"
const AT = "as it was when this message was sent"

const help = `
  parlor files                             the files of the conversation with host
  parlor files show notes/plan.md
  parlor files put notes/plan.md plan.md --agent critic
  parlor files changes                     changes with diffs`
