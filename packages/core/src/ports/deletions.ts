/**
 * Deleting a person (SEC-25).
 *
 *   begin ──▶ marked: nothing new can be made under the name ──▶ conversations go ──▶ the rest goes, in slices
 *     └── nothing is stored                                                              │
 *                                              forgotten ◀── some time later ◀── done ◀──┘
 *
 * The mark is written first, with the audit's line, and stays for a while after everything is gone: whoever finds it
 * carries on after a crash, and every process sees it and clears what it has of that person. While it is there, calls that
 * would make something of that name (`ensure`, `putMemory`, `attach`, `addTrigger`, `addKey`, `link`) are refused with
 * `person.deleting`.
 */
import type { Millis } from "@parlor/protocol"
import type { AuditEntry } from "./audit.ts"

export type Deletion = { readonly person: string; readonly isDone: boolean }

export interface Deletions {
  /** `begun`: marked now, and audited. `running`: it was marked already. `nothing`: nothing is stored under that name. */
  beginDeletion(person: string, audit: AuditEntry): Promise<"begun" | "running" | "nothing">
  /** Those that are marked. */
  deletions(): Promise<readonly Deletion[]>
  /**
   * Some of what the person has beside streams. True when nothing is left; it is done then. What the audit says of them
   * loses their name and what it was about; only that somebody was deleted, by whom and when, stays.
   */
  deleteSlice(person: string): Promise<boolean>
  /** Forgets the marks of those that were done so long ago, by the store's clock. */
  endDeletions(lingerMs: Millis): Promise<void>
}
