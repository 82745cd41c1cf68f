/** What agents and people want remembered (MEM-1). Each person's own, and one set that belongs to the project. */
import type { Millis } from "@parlor/protocol"

export type MemoryScope = "user" | "project"

/** One line of the index a turn starts with (MEM-3). */
export type MemoryLine = {
  readonly scope: MemoryScope
  readonly name: string
  readonly description: string
  readonly type: string
  /** Its body is read with the index. */
  readonly pinned: boolean
  /** `person`, or the agent that wrote it, and the conversation it wrote it in. */
  readonly writtenBy: string
  readonly writtenIn: { readonly agent: string; readonly branch: string } | null
  readonly createdAt: Millis
  readonly updatedAt: Millis
}

export type Memory = MemoryLine & { readonly body: string }

export interface Memories {
  /** The person's own and the project's: by scope (user first), then by name. */
  memoryIndex(person: string): Promise<readonly MemoryLine[]>
  memory(person: string, scope: MemoryScope, name: string): Promise<Memory | undefined>
  /** Whole entries: all of them, or the pinned. In the order of the index. */
  memories(person: string, options?: { readonly pinned?: true }): Promise<readonly Memory[]>
  /** Writes or replaces (`createdAt` of the first stays). False, and nothing written, when a new one would be past `most` in its scope. */
  putMemory(person: string, memory: Memory, most: number): Promise<boolean>
  /** False when there is none. */
  deleteMemory(person: string, scope: MemoryScope, name: string): Promise<boolean>
}
