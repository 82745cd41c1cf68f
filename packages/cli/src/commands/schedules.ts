/** `parlor schedules …`: scheduled messages to agents (TRG-3, TRG-7). */
import type { Schedules } from "@parlor/client"
import type { BodyInputOf, MissedRule } from "@parlor/protocol"
import { missedRule } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { plainJson } from "../plain.ts"
import { type ConnectionOptions, connect, firstAgent } from "../settings.ts"
import type { Terminal } from "../terminal.ts"
import { firingLines, scheduleLines, spanOf, triggerId } from "../trigger-lines.ts"

export type SchedulesOptions = ConnectionOptions & {
  readonly agent?: string
  readonly branch?: string
  readonly terminal: Terminal
  readonly json?: boolean
}

export type AddOptions = SchedulesOptions & {
  readonly at?: string
  readonly in?: string
  readonly every?: string
  readonly cron?: string
  readonly zone?: string
  readonly missed?: string
  readonly name?: string
}

type When = BodyInputOf<"makeSchedule">["when"]

export async function list(options: SchedulesOptions): Promise<number> {
  const { terminal, json } = options
  const schedules = await connect(options).schedules.list()
  const lines = json ? schedules.map((one) => plainJson(JSON.stringify(one))) : scheduleLines(schedules)
  for (const line of lines) await terminal.out(`${line}\n`)
  if (schedules.length === 0 && !json) terminal.note(NONE)
  return 0
}

export async function add(words: readonly string[], options: AddOptions): Promise<number> {
  const text = words.join(" ")
  if (text.trim() === "") throw new Complaint("The message is empty.")
  const { branch = "main", name = "" } = options
  const missed = ruleOf(options.missed)
  const when = whenOf(options, Date.now())
  const parlor = connect(options)
  const agent = options.agent ?? (await firstAgent(parlor))
  const body = { agent, branch, text, name, when, ...(missed ? { missed } : {}) }
  const made = await parlor.schedules.make(body)
  if (options.terminal.isJson) {
    await options.terminal.report("", made)
    return 0
  }
  await options.terminal.out(`${made.id}\n`)
  if (made.nextAt !== null) options.terminal.note(`First run at ${new Date(made.nextAt).toISOString()}.`)
  return 0
}

export async function show(ref: string, options: SchedulesOptions): Promise<number> {
  const { schedules, id } = await find(ref, options)
  const { firings, ...schedule } = await schedules.open(id)
  const lines = options.json
    ? [plainJson(JSON.stringify({ ...schedule, firings }))]
    : [...scheduleLines([schedule]), ...firingLines(firings)]
  for (const line of lines) await options.terminal.out(`${line}\n`)
  return 0
}

export function pause(refs: readonly string[], options: SchedulesOptions): Promise<number> {
  return each(refs, options, "Paused", (schedules, id) => schedules.pause(id))
}

export function resume(refs: readonly string[], options: SchedulesOptions): Promise<number> {
  return each(refs, options, "Resumed", (schedules, id) => schedules.resume(id))
}

export function fire(refs: readonly string[], options: SchedulesOptions): Promise<number> {
  return each(refs, options, "Fired", (schedules, id) => schedules.fire(id))
}

export function rm(refs: readonly string[], options: SchedulesOptions): Promise<number> {
  return each(refs, options, "Deleted", (schedules, id) => schedules.delete(id))
}

function whenOf({ at, in: span, every, cron, zone }: AddOptions, now: number): When {
  const given = [at, span, every, cron].filter((one) => one !== undefined)
  if (given.length !== 1) throw new Complaint("Use exactly one of --at, --in, --every and --cron.")
  if (zone !== undefined && cron === undefined) throw new Complaint("--zone can only be used with --cron.")
  if (cron !== undefined) return { cron, timeZone: zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone }
  if (every !== undefined) return { everyMs: spanOf(every) }
  if (span !== undefined) return { at: now + spanOf(span) }
  const time = Date.parse(at ?? "")
  if (Number.isNaN(time))
    throw new Complaint(`"${at}" is not a valid time. Use a form like 2026-03-01T09:00, or with an offset.`)
  return { at: time }
}

function ruleOf(text: string | undefined): MissedRule | undefined {
  if (text === undefined) return undefined
  const rule = missedRule.options.find((known) => known === text)
  if (rule === undefined) throw new Complaint(`--missed must be one of: ${missedRule.options.join(", ")}.`)
  return rule
}

async function each(
  refs: readonly string[],
  options: SchedulesOptions,
  done: string,
  act: (schedules: Schedules, id: string) => Promise<unknown>,
): Promise<number> {
  for (const ref of refs) {
    const { schedules, id } = await find(ref, options)
    const result = await act(schedules, id)
    await options.terminal.report(`${done} ${id}.`, result ?? { id, done: done.toLowerCase() })
  }
  return 0
}

async function find(ref: string, options: SchedulesOptions): Promise<{ schedules: Schedules; id: string }> {
  const { schedules } = connect(options)
  return { schedules, id: triggerId(await schedules.list(), ref) }
}

const NONE = "There are no schedules. Create one: parlor schedules add --cron '0 9 * * 1-5' what is on today"
