import type { Command } from "commander"
import { branched, connected, type Stage, withAgent } from "./options.ts"

/** `parlor branch` and `parlor sidecar`. */
export function addBranch(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/branch.ts")
  const branch = program
    .command("branch")
    .description("another way on from any message")
    .addHelpText("after", branchHelp)

  branched(branch.command("list", { isDefault: true }))
    .description("the branches and sidecars of a conversation")
    .argument("[agent]", "the agent", "host")
    .option("--json", "print every branch as a line of JSON")
    .action(async (agent, options) => done((await load()).list({ ...options, agent, terminal })))

  withAgent(branch.command("make"))
    .description("branch from a message; prints the name")
    .argument("[message]", `${MESSAGE}; the newest when not said`)
    .option("-n, --name <name>", "what to call it, instead of after the message")
    .option("--empty", "from nothing: a new topic")
    .action(async (ref, options) => done((await load()).make(ref, { ...options, terminal })))

  deleting(branch.command("delete"))
    .description("delete a branch with all that is in it")
    .action(async (name, options) => done((await load()).remove(name, { ...options, branch: name, terminal })))

  const sidecar = program
    .command("sidecar")
    .description("a question on the side, with the conversation as its context")
    .addHelpText("after", sidecarHelp)

  branched(sidecar.command("list", { isDefault: true }))
    .description("the sidecars of a conversation")
    .argument("[agent]", "the agent", "host")
    .option("--json", "print every sidecar as a line of JSON")
    .action(async (agent, options) => done((await load()).sidecars({ ...options, agent, terminal })))

  withAgent(sidecar.command("ask"))
    .description("ask in a new sidecar and print the answer")
    .argument("<words...>", 'the question; "-" reads standard input')
    .option("--from <message>", `${MESSAGE}; the newest when not said`)
    .option("-n, --name <name>", "what to call it")
    .action(async (words, options) => done((await load()).ask(words, { ...options, terminal })))

  for (const [verb, description] of ON_ONE)
    connected(sidecar.command(verb))
      .description(description)
      .argument("<sidecar>", "its name")
      .option("-a, --agent <name>", "the agent", "host")
      .action(async (name, options) => done((await load())[verb](name, { ...options, branch: name, terminal })))

  deleting(sidecar.command("delete"))
    .description("delete a sidecar")
    .action(async (name, options) => done((await load()).remove(name, { ...options, branch: name, terminal })))
}

function deleting(command: Command): Command {
  return connected(command)
    .argument("<name>", "its name")
    .option("-a, --agent <name>", "the agent", "host")
    .option("--with <names...>", "branches that hang on it, which go too")
}

const MESSAGE = "a number (1 is the newest) or an id"

const ON_ONE = [
  ["keep", "make it an ordinary branch"],
  ["merge", "quote its last answer into the conversation it hangs on; no turn starts"],
] as const

const branchHelp = `
  parlor branch                          what hangs on host/main
  parlor branch make 3 --name redder     from the third message from the end
  parlor send --branch redder "make it redder"
  parlor branch delete redder`

const sidecarHelp = `
  parlor sidecar ask "what does that word mean?"
  parlor sidecar                         those of host/main
  parlor sidecar merge what-does-that-word-mean`
