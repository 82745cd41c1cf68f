/** A local file of batches the store could not take, fsynced, replayed in order (LOG-12). */
import type { Append } from "./store.ts"

export interface Spool {
  /** Resolves when the batches are on disk. */
  add(batch: readonly Append[]): Promise<void>
  read(): Promise<readonly Append[]>
  clear(): Promise<void>
}
