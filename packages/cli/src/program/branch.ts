import type { Command } from "commander"
import { AGENT, aboutAgent, connected, named, type Stage, withAgent } from "./options.ts"

/** `parlor branch` and `parlor sidecar`. */
export function addBranch(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/branch.ts")
  const branch = program
    .command("branch")
    .description("branches of a conversation, from any message")
    .addHelpText("after", branchHelp)

  aboutAgent(branch.command("list", { isDefault: true }))
    .description("list the branches and side chats of a conversation")
    .option("--json", "print every branch as a line of JSON")
    .action(async (agent, options) => done((await load()).list({ ...named(agent, options), terminal })))

  withAgent(branch.command("make"))
    .description("create a branch from a message; prints its name")
    .argument("[message]", `${MESSAGE}; default: the newest`)
    .option("-n, --name <name>", "its name; default: derived from the message")
    .option("--empty", "start empty, without earlier messages")
    .action(async (ref, options) => done((await load()).make(ref, { ...options, terminal })))

  deleting(branch.command("delete"))
    .description("delete a branch and everything in it")
    .action(async (name, options) => done((await load()).remove(name, { ...options, branch: name, terminal })))

  const sidecar = program
    .command("sidecar")
    .description("side chats: ask a question with the conversation as context")
    .addHelpText("after", sidecarHelp)

  aboutAgent(sidecar.command("list", { isDefault: true }))
    .description("list the side chats of a conversation")
    .option("--json", "print every side chat as a line of JSON")
    .action(async (agent, options) => done((await load()).sidecars({ ...named(agent, options), terminal })))

  withAgent(sidecar.command("ask"))
    .description("ask in a new side chat and print the answer")
    .argument("<words...>", 'the question; "-" reads standard input')
    .option("--from <message>", `${MESSAGE}; default: the newest`)
    .option("-n, --name <name>", "its name")
    .action(async (words, options) => done((await load()).ask(words, { ...options, terminal })))

  for (const [verb, description] of ON_ONE)
    connected(sidecar.command(verb))
      .description(description)
      .argument("<sidecar>", "its name")
      .option("-a, --agent <name>", AGENT)
      .action(async (name, options) => done((await load())[verb](name, { ...options, branch: name, terminal })))

  deleting(sidecar.command("delete"))
    .description("delete a side chat")
    .action(async (name, options) => done((await load()).remove(name, { ...options, branch: name, terminal })))
}

function deleting(command: Command): Command {
  return connected(command)
    .argument("<name>", "its name")
    .option("-a, --agent <name>", AGENT)
    .option("--with <names...>", "its own branches, to delete them too")
}

const MESSAGE = "a number (1 is the newest) or an id"

const ON_ONE = [
  ["keep", "turn it into an ordinary branch"],
  ["merge", "copy its last answer into the parent conversation; no turn starts"],
] as const

const branchHelp = `
  parlor branch                          branches of host/main
  parlor branch make 3 --name redder     from the third message from the end
  parlor send --branch redder "make it redder"
  parlor branch delete redder`

const sidecarHelp = `
  parlor sidecar ask "what does that word mean?"
  parlor sidecar                         side chats of host/main
  parlor sidecar merge what-does-that-word-mean`
