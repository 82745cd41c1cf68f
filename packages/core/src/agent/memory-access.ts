/** What an agent's own code may do with memories (MEM-5). */
import type { MemoryEntry } from "@parlor/protocol"
import type { Memory, MemoryLine, MemoryScope } from "../ports/memories.ts"

export interface MemoryAccess {
  /** Those in which all words of the query occur; all, without one. */
  list(options?: { readonly scope?: MemoryScope; readonly query?: string }): Promise<readonly MemoryLine[]>
  /** Refused when there is none, and when both scopes have one and none is named (MEM-2). */
  read(name: string, scope?: MemoryScope): Promise<Memory>
  /** Writes or replaces. */
  write(entry: MemoryEntry): Promise<Memory>
  /** False when there is none. */
  delete(name: string, scope?: MemoryScope): Promise<boolean>
}
