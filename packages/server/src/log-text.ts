/** The text of log lines: JSON, or for people `12:30:05 warn  config not loaded  reason: …`. Pure. */
import type { LogFields } from "@parlor/core"

/** The numbers are the usual ones of JSON logs. Lines have one of three levels; the other names are only thresholds. */
export const LEVELS = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
} as const

export type LogLevel = keyof typeof LEVELS

export function isLogLevel(name: string): name is LogLevel {
  return Object.hasOwn(LEVELS, name)
}

export type LogLine = {
  readonly level: "info" | "warn" | "error"
  readonly line: string
  readonly fields: LogFields
  readonly at: Date
}

export function jsonLine({ level, line, fields, at }: LogLine): string {
  return `${JSON.stringify({ level: LEVELS[level], time: at.getTime(), ...fields, msg: line })}\n`
}

/** A field of several lines, such as a stack, follows on lines of its own. */
export function textLine({ level, line, fields, at }: LogLine): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined)
  const short = shown.filter(([, value]) => !String(value).includes("\n"))
  const long = shown.filter(([, value]) => String(value).includes("\n"))
  const head = [
    at.toTimeString().slice(0, 8),
    level.padEnd(5),
    line,
    ...short.map(([name, value]) => ` ${name}: ${value}`),
  ]
  return `${[head.join(" "), ...long.map(([name, value]) => `  ${name}: ${String(value).replaceAll("\n", "\n  ")}`)].join("\n")}\n`
}
