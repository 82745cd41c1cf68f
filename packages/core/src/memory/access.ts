/** Memory as an agent's tools and an agent's own code use it: for one person, in one conversation, in one agent's name. */
import { type Address, type MemoryEntry, Refusal } from "@parlor/protocol"
import type { Memory, MemoryLine, MemoryScope } from "../ports/memories.ts"
import { deleteMemory, listMemories, type MemoryHome, readMemory, writeMemory } from "./memory.ts"

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

/**
 * `writer` is the agent that speaks. What everyone is told is changed only in conversations of people who may do that:
 * otherwise anyone could put words into another person's turns (MEM-5).
 */
export function memoryAccess(home: MemoryHome, address: Address, writer: string): MemoryAccess {
  const { person, agent, branch } = address
  const origin = { by: writer, in: { agent, branch } }
  const mayChange = (scope: MemoryScope) => {
    if (scope !== "project" || home.settings.projectWriters.includes(person)) return
    throw new Refusal(
      "auth.forbidden",
      "What the project remembers is changed by those who manage this server only. Keep it in the scope user.",
    )
  }
  return {
    list: (options) => listMemories(home, person, options),
    read: (name, scope) => readMemory(home, person, { name, scope }),
    async write(entry) {
      mayChange(entry.scope)
      return writeMemory(home, person, entry, origin)
    },
    delete: (name, scope) => deleteMemory(home, person, { name, scope }, mayChange),
  }
}
