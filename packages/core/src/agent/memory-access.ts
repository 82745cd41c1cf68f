/** What an agent's own code may do with memories (MEM-5). */
import type { MemoryEntry } from "@parlor/protocol"
import type { Memory, MemoryLine, MemoryScope } from "../ports/memories.ts"

export interface MemoryAccess {
  /** Memories that contain all words of the query; without a query, all memories. */
  list(options?: { readonly scope?: MemoryScope; readonly query?: string }): Promise<readonly MemoryLine[]>
  /** Throws if there is none, or if both scopes have one and no scope is given (MEM-2). */
  read(name: string, scope?: MemoryScope): Promise<Memory>
  /** Creates or replaces. */
  write(entry: MemoryEntry): Promise<Memory>
  /** False if it does not exist. */
  delete(name: string, scope?: MemoryScope): Promise<boolean>
}
