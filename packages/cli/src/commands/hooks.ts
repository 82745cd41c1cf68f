/** `parlor hooks …` and `parlor notices …`: incoming and outgoing webhooks (TRG-5, TRG-7). */
import { text as readAll } from "node:stream/consumers"
import type { Hooks, Notices } from "@parlor/client"
import type { HookStyle, NoticeEvent } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { exitCodes } from "../exit-codes.ts"
import { plainJson } from "../plain.ts"
import { type ConnectionOptions, connect, firstAgent } from "../settings.ts"
import type { Terminal } from "../terminal.ts"
import { firingLines, hookLines, noticeLines, triggerId } from "../trigger-lines.ts"

export type HooksOptions = ConnectionOptions & {
  readonly agent?: string
  readonly branch?: string
  readonly terminal: Terminal
  readonly json?: boolean
}

export type AddHookOptions = HooksOptions & {
  readonly name?: string
  readonly style?: string
  readonly type?: string
  readonly perMinute?: string
}

const STYLES: readonly HookStyle[] = ["standard", "github"]
const EVENTS: readonly NoticeEvent[] = ["turn.finished", "ask.opened"]

export async function listHooks(options: HooksOptions): Promise<number> {
  const hooks = await connect(options).hooks.list()
  return print(options, hooks, hookLines(hooks), 'There are no webhooks. Create one with "parlor hooks add".')
}

export async function addHook(words: readonly string[], options: AddHookOptions): Promise<number> {
  const { branch = "main", name = "", type, perMinute } = options
  const style = STYLES.find((known) => known === (options.style ?? "standard"))
  if (style === undefined) throw new Complaint(`--style must be one of: ${STYLES.join(", ")}.`)
  const template = words.join(" ")
  if ((template === "") === (type === undefined))
    throw new Complaint(
      "The template is empty. Give the agent's message, such as: The build says {{body.status}}. Or use --type.",
    )
  const parlor = connect(options)
  const agent = options.agent ?? (await firstAgent(parlor))
  const on = { agent, branch, name, style, ...(perMinute === undefined ? {} : { perMinute: Number(perMinute) }) }
  const made = await parlor.hooks.make(type === undefined ? { template, ...on } : { type, ...on })
  return printMade(options, made)
}

export async function showHook(ref: string, options: HooksOptions): Promise<number> {
  const { hooks, id } = await findHook(ref, options)
  const hook = await hooks.open(id)
  const lines = [...hookLines([hook]), hook.url, ...firingLines(hook.firings)]
  return print(options, [hook], lines)
}

export function pauseHooks(refs: readonly string[], options: HooksOptions): Promise<number> {
  return eachHook(refs, options, "Paused", (hooks, id) => hooks.pause(id))
}

export function resumeHooks(refs: readonly string[], options: HooksOptions): Promise<number> {
  return eachHook(refs, options, "Resumed", (hooks, id) => hooks.resume(id))
}

export function rmHooks(refs: readonly string[], options: HooksOptions): Promise<number> {
  return eachHook(refs, options, "Deleted", (hooks, id) => hooks.delete(id))
}

export async function rotateHook(ref: string, options: HooksOptions): Promise<number> {
  const { hooks, id } = await findHook(ref, options)
  const secret = await hooks.rotate(id)
  if (options.terminal.isJson) await options.terminal.report("", { id, secret })
  else await options.terminal.out(`${secret}\n`)
  options.terminal.note("The old secret stays valid for another day.")
  return 0
}

/** With JSON from the command line or from standard input. */
export async function fireHook(ref: string, words: readonly string[], options: HooksOptions): Promise<number> {
  const text = words.length === 1 && words[0] === "-" ? await readAll(process.stdin) : words.join(" ")
  const { hooks, id } = await findHook(ref, options)
  const fired = await hooks.fire(id, text === "" ? {} : parsed(text))
  await options.terminal.report(`Fired ${id}: ${fired.message} ${fired.outcome}.`, fired)
  return 0
}

export async function listNotices(options: HooksOptions): Promise<number> {
  const notices = await connect(options).notices.list()
  return print(
    options,
    notices,
    noticeLines(notices),
    'There are no outgoing webhooks. Create one with "parlor notices add <url>".',
  )
}

export async function addNotice(
  url: string,
  options: HooksOptions & { readonly event?: readonly string[]; readonly name?: string },
): Promise<number> {
  const events = (options.event ?? EVENTS).map((given) => {
    const event = EVENTS.find((known) => known === given)
    if (event === undefined) throw new Complaint(`--event must be one of: ${EVENTS.join(", ")}.`)
    return event
  })
  const { name = "", agent = null } = options
  return printMade(options, await connect(options).notices.make({ url, events, name, agent }))
}

export async function testNotice(ref: string, options: HooksOptions): Promise<number> {
  const { notices, id } = await findNotice(ref, options)
  const tested = await notices.test(id)
  const { delivered, error } = tested
  await options.terminal.report(delivered ? "Delivered." : `Not delivered: ${error?.detail}`, tested)
  return delivered ? exitCodes.done : exitCodes.failed
}

export function pauseNotices(refs: readonly string[], options: HooksOptions): Promise<number> {
  return eachNotice(refs, options, "Paused", (notices, id) => notices.pause(id))
}

export function resumeNotices(refs: readonly string[], options: HooksOptions): Promise<number> {
  return eachNotice(refs, options, "Resumed", (notices, id) => notices.resume(id))
}

export function rmNotices(refs: readonly string[], options: HooksOptions): Promise<number> {
  return eachNotice(refs, options, "Deleted", (notices, id) => notices.delete(id))
}

async function print(
  { terminal, json }: HooksOptions,
  all: readonly unknown[],
  lines: readonly string[],
  none?: string,
): Promise<number> {
  const shown = json ? all.map((one) => plainJson(JSON.stringify(one))) : lines
  for (const line of shown) await terminal.out(`${line}\n`)
  if (all.length === 0 && none !== undefined && !json) terminal.note(none)
  return 0
}

/** Prints the secret to standard output, once: it is not shown again. */
async function printMade(options: HooksOptions, made: { id: string; url: string; secret: string }): Promise<number> {
  const { id, url, secret } = made
  if (options.json) return print(options, [made], [])
  for (const [name, value] of Object.entries({ id, url, secret }))
    await options.terminal.out(`${name.padEnd(6)}  ${value}\n`)
  options.terminal.note("Save the secret: it is not shown again.")
  return 0
}

async function eachHook(
  refs: readonly string[],
  options: HooksOptions,
  done: string,
  act: (hooks: Hooks, id: string) => Promise<unknown>,
): Promise<number> {
  for (const ref of refs) {
    const { hooks, id } = await findHook(ref, options)
    const result = await act(hooks, id)
    await options.terminal.report(`${done} ${id}.`, result ?? { id, done: done.toLowerCase() })
  }
  return 0
}

async function eachNotice(
  refs: readonly string[],
  options: HooksOptions,
  done: string,
  act: (notices: Notices, id: string) => Promise<unknown>,
): Promise<number> {
  for (const ref of refs) {
    const { notices, id } = await findNotice(ref, options)
    const result = await act(notices, id)
    await options.terminal.report(`${done} ${id}.`, result ?? { id, done: done.toLowerCase() })
  }
  return 0
}

async function findHook(ref: string, options: HooksOptions): Promise<{ hooks: Hooks; id: string }> {
  const { hooks } = connect(options)
  return { hooks, id: triggerId(await hooks.list(), ref) }
}

async function findNotice(ref: string, options: HooksOptions): Promise<{ notices: Notices; id: string }> {
  const { notices } = connect(options)
  return { notices, id: triggerId(await notices.list(), ref) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Complaint("The body is not valid JSON.")
  }
}
