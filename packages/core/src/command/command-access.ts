/** What commands need. */
import type { DriveAccess } from "../drive/drive-access.ts"

export type CommandAccess = DriveAccess & { readonly settings: CommandSettings }

export type CommandSettings = {
  readonly queueLimit: number
  /** What happens to closed sidecars (BRA-4). */
  readonly closedSidecars: "keep" | "delete"
}
