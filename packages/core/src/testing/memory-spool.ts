import type { Spool } from "../ports/spool.ts"
import type { Append } from "../ports/store.ts"

export class MemorySpool implements Spool {
  batches: Append[] = []

  async add(batch: readonly Append[]): Promise<void> {
    this.batches.push(...batch)
  }

  async read(): Promise<readonly Append[]> {
    return [...this.batches]
  }

  async clear(): Promise<void> {
    this.batches = []
  }
}
