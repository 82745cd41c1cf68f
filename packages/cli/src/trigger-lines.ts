/** Triggers as lines, how a person refers to one, and the parsing of durations. Pure. */

import type { FiringView, HookView, NoticeView, ScheduleView } from "@parlor/protocol"
import { spokenFiring, spokenTime, spokenWhen } from "@parlor/protocol"
import { Complaint } from "./complaint.ts"
import { plain } from "./plain.ts"
import { shortened } from "./queue-lines.ts"

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const TEXT_LENGTH = 50

/** "90s", "10m", "2h", "1d", or several of them: "1h30m". */
export function spanOf(text: string): number {
  const parts = [...text.matchAll(/(?<!\d)(\d+)([smhd])/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text)
    throw new Complaint(`"${text}" is not a valid duration. Use a form like 90s, 10m, 2h, 1d or 1h30m.`)
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ""] ?? 0), 0)
}

export function scheduleLines(schedules: readonly ScheduleView[]): readonly string[] {
  return table(
    schedules.map((one) => [
      one.id,
      `${one.agent}/${one.branch}`,
      one.source === "self" ? `${spokenWhen(one.when)}, by itself` : spokenWhen(one.when),
      stateOf(one),
      lastOf(one.last),
      shortened(one.name === "" ? textOf(one.payload) : nameOf(one.name, one.declared), TEXT_LENGTH),
    ]),
  )
}

export function hookLines(hooks: readonly HookView[]): readonly string[] {
  return table(
    hooks.map((one) => [
      one.id,
      `${one.agent}/${one.branch}`,
      one.style,
      one.state,
      lastOf(one.last),
      shortened(one.name === "" ? (one.template ?? `type ${one.type}`) : nameOf(one.name, one.declared), TEXT_LENGTH),
    ]),
  )
}

export function noticeLines(notices: readonly NoticeView[]): readonly string[] {
  return table(
    notices.map((one) => [
      one.id,
      one.events.join(" "),
      one.why === null ? one.state : `${one.state}: ${one.why.detail}`,
      lastOf(one.last),
      nameOf(one.url, one.declared),
    ]),
  )
}

export function firingLines(firings: readonly FiringView[]): readonly string[] {
  return table(firings.map((one) => [spokenTime(one.at), spokenFiring(one), one.message ?? ""]))
}

/** By its id, a prefix of it, or its name. */
export function triggerId(known: readonly { readonly id: string; readonly name: string }[], ref: string): string {
  const found = known.find(({ id }) => id === ref)
  const alike = known.filter(({ id, name }) => id.startsWith(ref) || name === ref)
  const [only] = alike
  if (found !== undefined) return found.id
  if (only !== undefined && alike.length === 1) return only.id
  throw new Complaint(
    alike.length === 0
      ? `Nothing is named "${ref}".`
      : `"${ref}" matches ${alike.length}. Type more characters of the id.`,
  )
}

function stateOf({ state, why, nextAt }: ScheduleView): string {
  if (state === "active") return nextAt === null ? state : `next ${spokenTime(nextAt)}`
  return why === null ? state : `${state}: ${why.detail}`
}

function lastOf(last: FiringView | null): string {
  return last === null ? "never fired" : `${spokenFiring(last)}, ${spokenTime(last.at)}`
}

function textOf(payload: ScheduleView["payload"]): string {
  const { source } = (payload ?? {}) as { readonly source?: unknown }
  return typeof source === "string" ? source : JSON.stringify(payload)
}

function table(cells: readonly (readonly string[])[]): readonly string[] {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells.map((row) => plain(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).trimEnd())
}

/** A trigger of the config is changed there. */
function nameOf(name: string, isDeclared: boolean): string {
  return isDeclared ? `${name} (config)` : name
}
