import type { Command } from "commander"
import { connected, type Stage, withAgent } from "./options.ts"

/** `parlor schedules`, `parlor hooks`, `parlor notices`: what happens by itself. */
export function addTriggers(program: Command, stage: Stage): void {
  addSchedules(program, stage)
  addHooks(program, stage)
  addNotices(program, stage)
}

function addSchedules(program: Command, { terminal, done }: Stage): void {
  const load = () => import("../commands/schedules.ts")
  const schedules = program
    .command("schedules")
    .description("what agents are told at its time, and when they wake themselves")
    .addHelpText("after", schedulesHelp)
  listed(schedules.command("list", { isDefault: true }))
    .description("id, conversation, when, what is next, what came of the last")
    .action(async (options) => done((await load()).list({ ...options, terminal })))
  withAgent(schedules.command("add"))
    .description("say something to an agent later, or again and again")
    .argument("<words...>", "what it is told")
    .option("--at <time>", "once, at this time")
    .option("--in <span>", "once, after this long: 90s, 10m, 2h, 1d")
    .option("--every <span>", "again and again, so far apart")
    .option("--cron <pattern>", "by a cron pattern: minute hour day month weekday")
    .option("--zone <name>", "the time zone of the pattern; this machine's, when not said")
    .option("--missed <rule>", "what becomes of times that were missed: skip, once or all")
    .option("--name <name>", "what to call it")
    .action(async (words, options) => done((await load()).add(words, { ...options, terminal })))
  listed(schedules.command("show"))
    .description("one with its last firings and what became of them")
    .argument("<schedule>", REF)
    .action(async (ref, options) => done((await load()).show(ref, { ...options, terminal })))
  for (const [name, what] of [
    ["pause", "stop it for now"],
    ["resume", "let it go on"],
    ["fire", "now, beside its own times"],
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
    .description("addresses at which programs wake agents")
    .addHelpText("after", hooksHelp)
  listed(hooks.command("list", { isDefault: true }))
    .description("id, conversation, how it is signed, what came of the last delivery")
    .action(async (options) => done((await load()).listHooks({ ...options, terminal })))
  withAgent(listed(hooks.command("add"), "bare"))
    .description("make one; its secret is shown once")
    .argument("[template...]", "what the agent is told: The build says {{body.status}}")
    .option("--style <style>", "how deliveries are signed: standard (Standard Webhooks) or github")
    .option("--type <type>", "hand the body on as a message of this type, which the agent declares")
    .option("--per-minute <count>", "deliveries a minute")
    .option("--name <name>", "what to call it")
    .action(async (words, options) => done((await load()).addHook(words, { ...options, terminal })))
  listed(hooks.command("show"))
    .description("one with its address, its last deliveries and what became of them")
    .argument("<hook>", REF)
    .action(async (ref, options) => done((await load()).showHook(ref, { ...options, terminal })))
  connected(hooks.command("rotate"))
    .description("a new secret, shown once")
    .argument("<hook>", REF)
    .action(async (ref, options) => done((await load()).rotateHook(ref, { ...options, terminal })))
  connected(hooks.command("fire"))
    .description("as if it had been called")
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
    .description("where your programs are told that a turn finished or an ask opened")
  listed(notices.command("list", { isDefault: true }))
    .description("id, events, state, what went out last, address")
    .action(async (options) => done((await load()).listNotices({ ...options, terminal })))
  listed(notices.command("add"))
    .description("tell a program at its URL; the secret it checks signatures with is shown once")
    .argument("<url>", "where to")
    .option("-e, --event <event>", "turn.finished or ask.opened; again for another; both, when not said", inOrder)
    .option("-a, --agent <name>", "only of conversations with this agent")
    .option("--name <name>", "what to call it")
    .action(async (url, options) => done((await load()).addNotice(url, { ...options, terminal })))
  connected(notices.command("test"))
    .description("send a test and say how it went")
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

/** `bare`: what it is connected to is said elsewhere. */
function listed(command: Command, bare?: "bare"): Command {
  return (bare === undefined ? connected(command) : command).option("--json", "print it as lines of JSON")
}

function inOrder(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name]
}

const REF = "its id, the beginning of it, or its name"

const schedulesHelp = `
  parlor schedules add --cron "0 9 * * 1-5" what is on today?
  parlor schedules add --in 20m -a crab look at the oven
  parlor schedules add --every 2h --missed skip --name news what is new?
  parlor schedules show news && parlor schedules fire news`

const hooksHelp = `
  parlor hooks add --name ci "The build of {{body.branch}} says {{body.status}}."
  parlor hooks add --style github "{{headers.x-github-event}}: {{body.pull_request.title}}"
  parlor hooks fire ci '{"branch":"main","status":"red"}'`
