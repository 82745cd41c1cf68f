import type { Millis } from "@parlor/protocol"

/** Who did what, and when; never the content (SEC-11). */
export type AuditEntry = {
  readonly at: Millis
  readonly person: string
  readonly act: string
  readonly subject: string
}
