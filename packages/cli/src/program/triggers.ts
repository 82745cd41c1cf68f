import type { Command } from "commander"
import { connected, type Stage, withAgent } from "./options.ts"

/** `parlor schedules`, `parlor hooks`, `parlor notices`: triggers and outgoing webhooks. */
export function addTriggers(program: Command, stage: Stage): void {
  addSchedules(program, stage)
  addHooks(program, stage)
  addNotices(program, stage)
}

function addSchedules(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/schedules.ts")
  const schedules = program
    .command("schedules")
    .description("scheduled messages to agents, and the agents' own wakeups")
    .addHelpText("after", schedulesHelp)
  listed(schedules.command("list", { isDefault: true }))
    .description("list id, conversation, times, next run and last outcome")
    .action(async (options) => done((await load()).list({ ...options, terminal })))
  withAgent(schedules.command("add"))
    .description("send a message to an agent later, once or repeatedly")
    .argument("<words...>", "the message")
    .option("--at <time>", "once at this time")
    .option("--in <span>", "once after this time: 90s, 10m, 2h, 1d")
    .option("--every <span>", "repeatedly, at this interval")
    .option("--cron <pattern>", "by a cron pattern: minute hour day month weekday")
    .option("--zone <name>", "the time zone of the pattern; default: this machine's")
    .option("--missed <rule>", "what to do about missed runs: skip, once or all")
    .option("--name <name>", "its name")
    .action(async (words, options) => done((await load()).add(words, { ...options, terminal })))
  listed(schedules.command("show"))
    .description("show one with its latest firings and their outcomes")
    .argument("<schedule>", REF)
    .action(async (ref, options) => done((await load()).show(ref, { ...options, terminal })))
  for (const [name, what] of [
    ["pause", "pause it"],
    ["resume", "resume it"],
    ["fire", "fire it once now, in addition to its own times"],
    ["rm", "delete it"],
  ] as const)
    connected(schedules.command(name))
      .description(what)
      .argument("<schedules...>", REF)
      .action(async (refs, options) => done((await load())[name](refs, { ...options, terminal })))
}

function addHooks(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/hooks.ts")
  const hooks = program
    .command("hooks")
    .description("webhooks: URLs that let programs wake agents")
    .addHelpText("after", hooksHelp)
  listed(hooks.command("list", { isDefault: true }))
    .description("list id, conversation, signature style and last outcome")
    .action(async (options) => done((await load()).listHooks({ ...options, terminal })))
  withAgent(listed(hooks.command("add"), "bare"))
    .description("create one; its secret is shown once")
    .argument("[template...]", "the message to the agent: The build says {{body.status}}")
    .option("--style <style>", "how deliveries are signed: standard (Standard Webhooks) or github")
    .option("--type <type>", "send the body as a message of this type, which the agent must declare")
    .option("--per-minute <count>", "maximum deliveries per minute")
    .option("--name <name>", "its name")
    .action(async (words, options) => done((await load()).addHook(words, { ...options, terminal })))
  listed(hooks.command("show"))
    .description("show one with its URL, latest deliveries and their outcomes")
    .argument("<hook>", REF)
    .action(async (ref, options) => done((await load()).showHook(ref, { ...options, terminal })))
  connected(hooks.command("rotate"))
    .description("create a new secret, shown once")
    .argument("<hook>", REF)
    .action(async (ref, options) => done((await load()).rotateHook(ref, { ...options, terminal })))
  connected(hooks.command("fire"))
    .description("deliver a body as if the webhook had been called")
    .argument("<hook>", REF)
    .argument("[body...]", 'JSON; "-" reads standard input')
    .action(async (ref, words, options) => done((await load()).fireHook(ref, words, { ...options, terminal })))
  for (const [name, verb] of [
    ["pause", "pauseHooks"],
    ["resume", "resumeHooks"],
    ["rm", "rmHooks"],
  ] as const)
    connected(hooks.command(name))
      .argument("<hooks...>", REF)
      .action(async (refs, options) => done((await load())[verb](refs, { ...options, terminal })))
}

function addNotices(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/hooks.ts")
  const notices = program
    .command("notices")
    .description("outgoing webhooks: report finished turns and opened asks to your programs")
  listed(notices.command("list", { isDefault: true }))
    .description("list id, events, state, last delivery and URL")
    .action(async (options) => done((await load()).listNotices({ ...options, terminal })))
  listed(notices.command("add"))
    .description("create one; the secret for checking signatures is shown once")
    .argument("<url>", "the URL to call")
    .option("-e, --event <event>", "turn.finished or ask.opened; repeat for both; default: both", inOrder)
    .option("-a, --agent <name>", "only for conversations with this agent")
    .option("--name <name>", "its name")
    .action(async (url, options) => done((await load()).addNotice(url, { ...options, terminal })))
  connected(notices.command("test"))
    .description("send a test event and print the result")
    .argument("<notice>", REF)
    .action(async (ref, options) => done((await load()).testNotice(ref, { ...options, terminal })))
  for (const [name, verb] of [
    ["pause", "pauseNotices"],
    ["resume", "resumeNotices"],
    ["rm", "rmNotices"],
  ] as const)
    connected(notices.command(name))
      .argument("<notices...>", REF)
      .action(async (refs, options) => done((await load())[verb](refs, { ...options, terminal })))
}

/** `bare`: without the connection options. */
function listed(command: Command, bare?: "bare"): Command {
  return (bare === undefined ? connected(command) : command).option("--json", "print it as lines of JSON")
}

function inOrder(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name]
}

const REF = "its id, a prefix of it, or its name"

const schedulesHelp = `
  parlor schedules add --cron "0 9 * * 1-5" what is on today?
  parlor schedules add --in 20m -a crab look at the oven
  parlor schedules add --every 2h --missed skip --name news what is new?
  parlor schedules show news && parlor schedules fire news`

const hooksHelp = `
  parlor hooks add --name ci "The build of {{body.branch}} says {{body.status}}."
  parlor hooks add --style github "{{headers.x-github-event}}: {{body.pull_request.title}}"
  parlor hooks fire ci '{"branch":"main","status":"red"}'`
