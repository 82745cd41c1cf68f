/** Structured log lines through pino. Secrets are removed at the sink, whatever their writers did (SEC-8). */
import type { Log, LogFields } from "@parlor/core"
import { pino } from "pino"

const SECRETS =
  /\b(?:Bearer\s+[\w.~+/=-]+|parlor_[\w-]{20,}|sk-[\w-]{8,}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*|whsec_[\w+/=]+|AIza[\w-]{20,})/g

export function createLog(options: { level?: string; secrets?: readonly string[] } = {}): Log {
  const sink = pino({ level: options.level ?? "info", base: null }, pino.destination({ fd: 2, sync: true }))
  const clean = cleaner(options.secrets ?? [])
  return {
    info: (line, fields) => sink.info(clean(fields), line),
    warn: (line, fields) => sink.warn(clean(fields), line),
    error: (line, fields) => sink.error(clean(fields), line),
  }
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
