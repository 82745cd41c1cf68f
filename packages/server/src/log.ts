/** Structured log lines through pino. Secrets are removed at the sink, whatever their writers did (SEC-8). */
import type { Log, LogFields } from "@parlor/core"
import { pino } from "pino"
import { lineSink } from "./log-sink.ts"

const SECRETS =
  /\b(?:Bearer\s+[\w.~+/=-]+|parlor_[\w-]{20,}|sk-[\w-]{8,}|(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*|whsec_[\w+/=]+|AIza[\w-]{20,})/g

const OUTAGE_LINE_MS = 1_000
const STDERR = 2

export type LogOptions = {
  readonly level?: string
  readonly secrets?: readonly string[]
  /** Standard error, unless said. */
  readonly fd?: number
}

export function createLog(options: LogOptions = {}): Log {
  const sink = pino({ level: options.level ?? "info", base: null }, lineSink(options.fd ?? STDERR))
  const clean = cleaner(options.secrets ?? [])
  return calmLog({
    info: (line, fields) => sink.info(clean(fields), line),
    warn: (line, fields) => sink.warn(clean(fields), line),
    error: (line, fields) => sink.error(clean(fields), line),
  })
}

/**
 * Lines that an outage of the store causes, marked by `outage`, are written once per second in total (LOG-23). The last
 * of those left out follows when the second is over, with how many lines it stands for.
 */
export function calmLog(log: Log): Log {
  let last = Number.NEGATIVE_INFINITY
  let omitted = 0
  let write: (() => void) | undefined
  const flush = () => {
    const latest = write
    write = undefined
    if (latest === undefined) return
    last = performance.now()
    latest()
    omitted = 0
  }
  const calm = (level: keyof Log) => (line: string, fields?: LogFields) => {
    if (fields?.outage !== true) return log[level](line, fields)
    const now = performance.now()
    const waiting = write !== undefined
    write = () => log[level](line, omitted > 0 ? { ...fields, omitted } : fields)
    if (now - last >= OUTAGE_LINE_MS && !waiting) return flush()
    omitted += waiting ? 1 : 0
    if (!waiting) setTimeout(flush, OUTAGE_LINE_MS - (now - last)).unref()
  }
  return { info: calm("info"), warn: calm("warn"), error: calm("error") }
}

export function cleaner(secrets: readonly string[]): (fields: LogFields | undefined) => LogFields {
  const known = secrets.filter((secret) => secret.length >= 8)
  return (fields = {}) => {
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
