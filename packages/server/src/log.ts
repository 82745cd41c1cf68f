/** Structured log lines. Secrets are removed at the sink, whoever wrote the line (SEC-8). */
import type { Log, LogFields } from "@parlor/core"
import { createCalm } from "./calm.ts"
import { lineSink } from "./log-sink.ts"
import { jsonLine, LEVELS, type LogLevel, type LogLine, textLine } from "./log-text.ts"

const SECRETS =
  /\b(?:Bearer\s+[\w.~+/=-]+|parlor_[\w-]{20,}|sk-[\w-]{8,}|(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*|whsec_[\w+/=]+|AIza[\w-]{20,})/g

const STDERR = 2

export type LogOptions = {
  /** Lines of this level and above are written. */
  readonly level?: LogLevel
  /** Never written. A function if they change while the server runs. */
  readonly secrets?: readonly string[] | (() => readonly string[])
  /** Default: standard error. */
  readonly fd?: number
  /** Lines for people instead of JSON (CLI-9). */
  readonly isReadable?: boolean
}

export function createLog({ level = "info", secrets = [], fd = STDERR, isReadable }: LogOptions = {}): Log {
  const sink = lineSink(fd)
  const clean = cleaner(secrets)
  const print = isReadable ? textLine : jsonLine
  const at = (own: LogLine["level"]) => (line: string, fields?: LogFields) => {
    if (LEVELS[own] >= LEVELS[level]) sink.write(print({ level: own, line, fields: clean(fields), at: new Date() }))
  }
  return calmLog({ info: at("info"), warn: at("warn"), error: at("error") })
}

/** Lines that an outage of the store causes, marked by `outage`, are written once per second in total (LOG-23). */
export function calmLog(log: Log): Log {
  const calm = createCalm()
  const calmly = (level: keyof Log) => (line: string, fields?: LogFields) => {
    if (fields?.outage !== true) return log[level](line, fields)
    calm(fields, (said) => log[level](line, said))
  }
  return { info: calmly("info"), warn: calmly("warn"), error: calmly("error") }
}

export function cleaner(secrets: NonNullable<LogOptions["secrets"]>): (fields: LogFields | undefined) => LogFields {
  return (fields = {}) => {
    const known = (typeof secrets === "function" ? secrets() : secrets).filter((secret) => secret.length >= 8)
    const cleaned: Record<string, LogFields[string]> = {}
    for (const [name, value] of Object.entries(fields))
      cleaned[name] = typeof value === "string" ? cleanText(value, known) : value
    return cleaned
  }
}

function cleanText(text: string, secrets: readonly string[]): string {
  let cleaned = text.replace(SECRETS, "[secret]")
  for (const secret of secrets) cleaned = cleaned.replaceAll(secret, "[secret]")
  return cleaned
}
