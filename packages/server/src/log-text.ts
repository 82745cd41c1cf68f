/** Log lines for people, instead of JSON: `12:30:05 warn  config not loaded  reason: …`. Pure. */
import type { LogFields } from "@parlor/core"

type Line = {
  readonly level: "info" | "warn" | "error"
  readonly line: string
  readonly fields: LogFields
  readonly at: Date
}

/** A field of several lines, such as a stack, follows on lines of its own. */
export function textLine({ level, line, fields, at }: Line): string {
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
