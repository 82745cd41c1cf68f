/** The `parlor` command line. Each command's code is loaded when it is called. */
import { Command, CommanderError } from "commander"
import { exitCodes } from "./exit-codes.ts"
import { addAcp } from "./program/acp.ts"
import { addArchives } from "./program/archives.ts"
import { addAsk } from "./program/ask.ts"
import { addAttachments } from "./program/attachments.ts"
import { addBranch } from "./program/branch.ts"
import { everyCommand } from "./program/every-command.ts"
import { addFiles } from "./program/files.ts"
import { addInspect } from "./program/inspect.ts"
import { addKeys } from "./program/keys.ts"
import { addLinks } from "./program/links.ts"
import { addMcp } from "./program/mcp.ts"
import { addMemory } from "./program/memory.ts"
import { addModel } from "./program/model.ts"
import { addOperations } from "./program/operations.ts"
import { aboutAgent, connected, named, type Stage, withAgent } from "./program/options.ts"
import { addPeople } from "./program/people.ts"
import { addProviders } from "./program/providers.ts"
import { addQueue } from "./program/queue.ts"
import { addRollback } from "./program/rollback.ts"
import { addShare } from "./program/share.ts"
import { addTriggers } from "./program/triggers.ts"
import { addUsage } from "./program/usage.ts"
import type { ConnectionOptions } from "./settings.ts"
import { processTerminal, type Terminal } from "./terminal.ts"
import { version } from "./version.ts"

/** Parses and runs one command line, and returns its exit code. `parsed` gets the options before the command runs. */
export async function runCommand(
  argv: readonly string[],
  terminal: Terminal,
  parsed: (options: ConnectionOptions & { readonly json?: boolean }) => void,
): Promise<number> {
  let code: number = exitCodes.done
  const done = async (act: Promise<number>): Promise<void> => {
    code = await act
  }
  const program = parlor({ terminal, done }).hook("preAction", (_, command) => parsed(command.opts()))
  try {
    await program.parseAsync(argv)
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  }
}

/** The whole command line, without running anything. */
export function commandLine(): Command {
  return parlor({ terminal: processTerminal(() => false), done: async () => undefined })
}

function parlor(stage: Stage): Command {
  const { terminal, done } = stage
  const program = new Command("parlor")
    .description("Talk to agents. The conversation lives on the server; every command can be interrupted and repeated.")
    .version(version(), "-V, --version")
    .showHelpAfterError("(see parlor --help)")
    .addHelpText("after", exitHelp)
    .exitOverride()

  program
    .command("serve")
    .description("start the server; the default without a command")
    .addHelpText("after", serveHelp)
    .action(async () => (await import("./serve.ts")).serve(process.env, terminal))

  program
    .command("dev")
    .description("start the server while you edit: types are checked after every change, and logs are readable")
    .action(async () => (await import("./serve/dev.ts")).dev(process.env, terminal))

  program
    .command("link")
    .description("print the page's URL with the token: anybody with the link is signed in")
    .option("--url <address>", "the server (PARLOR_URL; otherwise this machine, port PARLOR_PORT or 4141)")
    .option("--token <token>", "the token (PARLOR_TOKEN; otherwise the file token in PARLOR_DATA or .parlor)")
    .action(async (options) => done((await import("./commands/link.ts")).link({ ...options, terminal })))

  program
    .command("secrets")
    .description("the key that encrypts secrets in the database")
    .command("rotate")
    .description("put a new key first in the key file; the server uses it from its next start")
    .action(async () => done((await import("./serve/rotate-secrets.ts")).rotateSecrets({ terminal })))

  addOperations(program, stage)

  program
    .command("init")
    .description("create a project with an agent: package.json, parlor.config.ts, a skill, a test")
    .argument("[folder]", "the folder", ".")
    .action(async (folder) => done((await import("./commands/init.ts")).init(folder, { terminal })))

  connected(program.command("agents"))
    .description("list the agents of the server: model, description, commands")
    .option("--json", "print every agent as a line of JSON")
    .action(async (options) => done((await import("./commands/agents.ts")).agents({ ...options, terminal })))

  withAgent(program.command("send"))
    .description("send a message and print the reply as it streams")
    .usage("[options] [agent] <text…>")
    .argument("[words...]", 'the text; a first word that is the name of an agent selects it; "-" reads standard input')
    .option("-g, --guest <name>", "a guest agent that answers instead; repeat for more, in order", inOrder)
    .option("--attach <file>", "a file to attach: image, PDF, text, audio; repeat for more", inOrder)
    .option("--no-wait", "exit as soon as the message is stored")
    .addHelpText("after", sendHelp)
    .action(async (words, options) => done((await import("./commands/send.ts")).send(words, { ...options, terminal })))

  aboutAgent(program.command("chat"))
    .description("chat in this terminal: type while the agent replies, edit the queue, answer questions")
    .option("-n, --messages <count>", "how many earlier messages to show first", "10")
    .addHelpText("after", chatHelp)
    .action(async (agent, options) =>
      done((await import("./commands/chat.ts")).chat({ ...named(agent, options), terminal })),
    )

  aboutAgent(program.command("stop"))
    .description("stop the running turn; the reply so far is kept")
    .option("--turn <id>", "only this turn, and no later one")
    .option("--on-queue <fate>", "what happens to queued messages: hold, drain or clear")
    .action(async (agent, options) =>
      done((await import("./commands/stop.ts")).stop({ ...named(agent, options), terminal })),
    )

  addQueue(program, stage)
  addAsk(program, stage)
  addAttachments(program, stage)
  addFiles(program, stage)
  addMemory(program, stage)
  addTriggers(program, stage)
  addKeys(program, stage)
  addShare(program, stage)
  addLinks(program, stage)
  addPeople(program, stage)
  addModel(program, stage)
  addProviders(program, stage)
  addUsage(program, stage)
  addMcp(program, stage, version())
  addAcp(program, stage, version())
  addArchives(program, stage)
  addBranch(program, stage)
  addRollback(program, stage)
  addInspect(program, stage)

  aboutAgent(program.command("tail"))
    .description("show a conversation and follow it")
    .option("-n, --messages <count>", "how many earlier messages to show first", "10")
    .option("--from <offset>", "follow the log from an offset instead; -1 is the start, now the end")
    .option("--json", "print every change as a line of JSON")
    .action(async (agent, options) =>
      done((await import("./commands/tail.ts")).tail({ ...named(agent, options), terminal })),
    )

  aboutAgent(program.command("export"))
    .description("write a conversation: as JSON Lines, or as a document for people")
    .option("-f, --format <format>", "jsonl, md or html; an HTML file prints well", "jsonl")
    .option("-o, --output <file>", "the file to write, instead of standard output")
    .option("--memory", "include your memories; an import adds those that are missing")
    .action(async (agent, options) =>
      done((await import("./commands/export.ts")).exportLines({ ...named(agent, options), terminal })),
    )

  withAgent(program.command("import"))
    .description('import an export, or lines like {"role":"person","text":"hi"}, into an empty conversation')
    .argument("<file>", 'the JSON Lines file; "-" reads standard input')
    .action(async (file, options) =>
      done((await import("./commands/import.ts")).importLines(file, { ...options, terminal })),
    )

  connected(program.command("search"))
    .description("search all your conversations and memories")
    .argument("<words...>", "the words to search for")
    .option("-a, --agent <name>", "only conversations with this agent")
    .option("-n, --limit <count>", "maximum number of results", "20")
    .option("--json", "print every hit as a line of JSON")
    .action(async (words, options) =>
      done((await import("./commands/search.ts")).search(words, { ...options, terminal })),
    )

  for (const command of everyCommand(program)) addJson(command)
  return program
}

/** Every command has it, except those that speak a protocol of their own over standard output. */
function addJson(command: Command): void {
  const path = `${command.parent?.name()} ${command.name()}`
  if (SPEAKS_A_PROTOCOL.has(path) || command.options.some(({ long }) => long === "--json")) return
  command.option("--json", "print results and errors as lines of JSON")
}

const SPEAKS_A_PROTOCOL = new Set(["parlor acp", "mcp serve"])

function inOrder(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name]
}

const exitHelp = `
Exit codes: 0 done, 1 failed, 2 wrong command line, file or setting, 3 the server cannot be reached or is busy,
4 the token does not allow it, 5 refused by the server, 6 the turn failed, 7 the turn was stopped or the message removed,
130 Ctrl-C.`

const serveHelp = `
Configure it with environment variables: PARLOR_PORT (4141), PARLOR_HOST (127.0.0.1), PARLOR_DATA (.parlor), PARLOR_MODEL,
OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY, OPENAI_BASE_URL, DATABASE_URL, and PARLOR_CONFIG
(parlor.config.ts in this folder) for your agents. "parlor init" creates one.`

const chatHelp = `
Type /help for its commands. Without a terminal it reads lines from standard input and writes text.`

const sendHelp = `
Ctrl-C stops the reply, a second one exits. With --no-wait the turn continues on the server.

  parlor send what is in this folder
  parlor send critic "what is wrong with it?"
  git diff | parlor send critic -
  parlor send "/review @src/main.ts:10-40 and ask @critic"
  parlor send --attach plan.pdf "what is missing in it?"`
