/** What commands need. */
import type { Retention } from "../agent/agent.ts"
import type { DriveAccess } from "../drive/drive-access.ts"

export type CommandAccess = DriveAccess & {
  readonly settings: CommandSettings
  /** Deleted people whose data this process has already cleared outside the store. */
  readonly clearedPeople: Set<string>
}

export type CommandSettings = {
  /** For agents without their own (LOG-40). */
  readonly retention: Retention
  readonly queueLimit: number
  /** What happens to closed sidecars (BRA-4). */
  readonly closedSidecars: "keep" | "delete"
  /** Minimum time that the mark of a deleted person stays after everything is deleted (SEC-25). */
  readonly deletionMarkMs: number
  /** How long a deletion can be undone (ADR-10). */
  readonly deletionGraceMs: number
}
