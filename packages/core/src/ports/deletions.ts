/**
 * Deleting a person (SEC-25).
 *
 *   begin ──▶ marked: nothing new can be created for the name ──▶ deletes conversations ──▶ deletes the rest in slices
 *     └── nothing is stored                                                                         │
 *                                                         forgotten ◀── some time later ◀── done ◀──┘
 *
 * The mark is written first, together with the audit entry, and is kept for some time after everything is deleted: any
 * process that finds it continues after a crash, and every process sees it and clears its caches of that person. While
 * it exists, calls that would create something under that name (`log.ensure`, `memories.put`,
 * `blobs.attach`, `triggers.add`, `keys.add`, `links.link`) are rejected with `person.deleting`.
 */
import type { Millis } from "@parlor/protocol"
import type { AuditEntry } from "./audit.ts"

export type Deletion = { readonly person: string; readonly isDone: boolean }

export interface Deletions {
  /** `begun`: marked now, and audited. `running`: already marked. `nothing`: nothing is stored under that name. */
  begin(person: string, audit: AuditEntry): Promise<"begun" | "running" | "nothing">
  /** All marked persons. */
  all(): Promise<readonly Deletion[]>
  /**
   * Deletes some of what the person has besides streams. True if nothing is left; the deletion is then done. Audit
   * entries about them lose their name and subject; only the fact that somebody was deleted, by whom and when, stays.
   */
  slice(person: string): Promise<boolean>
  /** Removes the marks of deletions that were done at least this long ago, by the store's clock. */
  end(lingerMs: Millis): Promise<void>
}
