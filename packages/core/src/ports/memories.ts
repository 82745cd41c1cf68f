/** Memories (MEM-1): each person's own, and one set that belongs to the project. */
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
  /** `person`, or the agent that wrote it and the conversation it was written in. */
  readonly writtenBy: string
  readonly writtenIn: { readonly agent: string; readonly branch: string } | null
  readonly createdAt: Millis
  readonly updatedAt: Millis
}

export type Memory = MemoryLine & { readonly body: string }

export interface Memories {
  /** The person's own and the project's: by scope (user first), then by name. */
  index(person: string): Promise<readonly MemoryLine[]>
  get(person: string, scope: MemoryScope, name: string): Promise<Memory | undefined>
  /** Full entries: all, or only pinned ones. In the order of the index. */
  all(person: string, options?: { readonly pinned?: true }): Promise<readonly Memory[]>
  /**
   * Creates or replaces (the first `createdAt` stays). False, and nothing written, if a new one would exceed `most` in
   * its scope.
   */
  put(person: string, memory: Memory, most: number): Promise<boolean>
  /** False if there is none. */
  delete(person: string, scope: MemoryScope, name: string): Promise<boolean>
}
