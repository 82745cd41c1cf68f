/** A local file of batches that the store could not accept, fsynced, replayed in order (LOG-12). */
import type { Append } from "./store.ts"

export interface Spool {
  /** Resolves when the batches are on disk. */
  add(batch: readonly Append[]): Promise<void>
  read(): Promise<readonly Append[]>
  clear(): Promise<void>
}
