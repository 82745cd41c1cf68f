/** Structured lines. Fields are allow-listed by their writers: no message text, no credential (SEC-8). */
export interface Log {
  info(line: string, fields?: LogFields): void
  warn(line: string, fields?: LogFields): void
  error(line: string, fields?: LogFields): void
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

export const silentLog: Log = { info() {}, warn() {}, error() {} }
