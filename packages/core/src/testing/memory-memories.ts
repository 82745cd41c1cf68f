/** Memories in memory: by owner, scope and name. Project memories have no owner. */
import type { Memory, MemoryScope } from "../ports/memories.ts"
import { compareText } from "./memory-rows.ts"

export class MemoryMemories {
  readonly #entries = new Map<string, { readonly owner: string; readonly memory: Memory }>()

  /** The person's and the project's, in the order of the index. */
  list(person: string): Memory[] {
    const own = [...this.#entries.values()].filter(({ owner, memory }) => owner === ownerOf(person, memory.scope))
    return own
      .map(({ memory }) => memory)
      .sort((a, b) => scopeRank(a.scope) - scopeRank(b.scope) || compareText(a.name, b.name))
  }

  get(person: string, scope: MemoryScope, name: string): Memory | undefined {
    return this.#entries.get(keyOf(person, scope, name))?.memory
  }

  /** False if a new one would exceed `most`. */
  put(person: string, memory: Memory, most: number): boolean {
    const { scope, name } = memory
    const known = this.get(person, scope, name)
    if (known === undefined && this.list(person).filter((one) => one.scope === scope).length >= most) return false
    const createdAt = known?.createdAt ?? memory.createdAt
    const entry = { owner: ownerOf(person, scope), memory: { ...memory, createdAt } }
    this.#entries.set(keyOf(person, scope, name), entry)
    return true
  }

  delete(person: string, scope: MemoryScope, name: string): boolean {
    return this.#entries.delete(keyOf(person, scope, name))
  }
}

export function ownerOf(person: string, scope: MemoryScope): string {
  return scope === "user" ? person : ""
}

function scopeRank(scope: MemoryScope): number {
  return scope === "user" ? 0 : 1
}

function keyOf(person: string, scope: MemoryScope, name: string): string {
  return JSON.stringify([ownerOf(person, scope), scope, name])
}
