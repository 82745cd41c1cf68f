/** What people set for themselves (SET-5): one document for each, with a version, so that no device overwrites another. */
import type { Preferences } from "@parlor/protocol"

export type PreferenceRecord = {
  readonly value: Preferences
  /** From 1, one more with each change. */
  readonly version: number
}

export interface PersonPreferences {
  /** Undefined if nothing was ever set. */
  read(person: string): Promise<PreferenceRecord | undefined>
  /** False, and nothing is written, unless the version before this one is stored (none before version 1). */
  write(person: string, record: PreferenceRecord): Promise<boolean>
}
