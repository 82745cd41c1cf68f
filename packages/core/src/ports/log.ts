import { Fault } from "@parlor/protocol"

/** Structured log lines. Callers allow-list the fields: no message text, no credentials (SEC-8). */
export interface Log {
  info(line: string, fields?: LogFields): void
  warn(line: string, fields?: LogFields): void
  error(line: string, fields?: LogFields): void
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

export const silentLog: Log = { info() {}, warn() {}, error() {} }

/**
 * Why something failed, for a log line. `outage` marks consequences of a store that is down: the log writes only a few
 * of those lines, however many requests fail (LOG-23).
 */
export function reasonFields(error: unknown): LogFields {
  if (error instanceof Fault && error.code === "store.unavailable") return { reason: error.message, outage: true }
  return { reason: error instanceof Error ? error.message : String(error) }
}
