/** Memories. A write and its index entry are one transaction. */
import type { Memory, MemoryLine, MemoryScope } from "@parlor/core"
import {
  MEMORY_COLUMNS,
  MEMORY_ORDER,
  type MemoryRow,
  memoryOwner,
  memoryText,
  toMemory,
  toMemoryLine,
} from "../memory-row.ts"
import { type Database, transaction } from "./connect.ts"
import type { SearchWrites } from "./search.ts"

type WholeRow = MemoryRow & { readonly body: string }

/** Number of people whose index is cached. */
const INDEXES = 64

const OF_PERSON = "FROM memories WHERE ((owner = ? AND scope = 'user') OR (owner = '' AND scope = 'project'))"

/** Every turn begins with its person's index. It is cached until something is written: nobody else writes here. */
export class MemoryReads {
  readonly db: Database
  readonly #indexes = new Map<string, readonly MemoryLine[]>()
  readonly #index
  readonly #one
  readonly #all
  readonly #pinned

  constructor(db: Database) {
    this.db = db
    this.#index = db.prepare(`SELECT ${MEMORY_COLUMNS} ${OF_PERSON} ${MEMORY_ORDER}`)
    this.#one = db.prepare(`SELECT ${MEMORY_COLUMNS}, body FROM memories WHERE owner = ? AND scope = ? AND name = ?`)
    this.#all = db.prepare(`SELECT ${MEMORY_COLUMNS}, body ${OF_PERSON} ${MEMORY_ORDER}`)
    this.#pinned = db.prepare(`SELECT ${MEMORY_COLUMNS}, body ${OF_PERSON} AND pinned = 1 ${MEMORY_ORDER}`)
  }

  index(person: string): readonly MemoryLine[] {
    const known = this.#indexes.get(person)
    if (known !== undefined) return known
    const lines = (this.#index.all(person) as MemoryRow[]).map(toMemoryLine)
    if (this.#indexes.size >= INDEXES) this.#indexes.clear()
    this.#indexes.set(person, lines)
    return lines
  }

  /** After a write: what was read in the meantime may be outdated. */
  forget(): void {
    this.#indexes.clear()
  }

  get(person: string, scope: MemoryScope, name: string): Memory | undefined {
    const row = this.#one.get(memoryOwner(person, scope), scope, name) as WholeRow | undefined
    return row && toMemory(row)
  }

  all(person: string, { pinned }: { readonly pinned?: true } = {}): Memory[] {
    return ((pinned ? this.#pinned : this.#all).all(person) as WholeRow[]).map(toMemory)
  }
}

export class MemoryWrites {
  readonly db: Database
  readonly #search: SearchWrites
  readonly #known
  readonly #count
  readonly #put
  readonly #delete
  readonly #names

  constructor(db: Database, search: SearchWrites) {
    this.db = db
    this.#search = search
    this.#known = db.prepare("SELECT 1 FROM memories WHERE owner = ? AND scope = ? AND name = ?")
    this.#count = db.prepare("SELECT count(*) AS count FROM memories WHERE owner = ? AND scope = ?")
    this.#put = db.prepare(
      `INSERT INTO memories (owner, ${MEMORY_COLUMNS}, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (owner, scope, name) DO UPDATE SET description = excluded.description, type = excluded.type,
         pinned = excluded.pinned, written_by = excluded.written_by, written_agent = excluded.written_agent,
         written_branch = excluded.written_branch, updated_at = excluded.updated_at, body = excluded.body`,
    )
    this.#names = db.prepare("SELECT name FROM memories WHERE owner = ?")
    this.#delete = db.prepare("DELETE FROM memories WHERE owner = ? AND scope = ? AND name = ?")
  }

  put(person: string, memory: Memory, most: number): boolean {
    const { scope, name, description, type, pinned, writtenBy, writtenIn, createdAt, updatedAt, body } = memory
    const owner = memoryOwner(person, scope)
    return transaction(this.db, () => {
      if (this.#known.get(owner, scope, name) === undefined) {
        const { count } = this.#count.get(owner, scope) as { readonly count: number }
        if (count >= most) return false
      }
      const origin = [writtenBy, writtenIn?.agent ?? null, writtenIn?.branch ?? null]
      const shown = [scope, name, description, type, pinned ? 1 : 0]
      this.#put.run(owner, ...shown, ...origin, createdAt, updatedAt, body)
      this.#search.putMemory(owner, name, memoryText(memory), updatedAt)
      return true
    })
  }

  /** A person's own memories, within a transaction. */
  deleteAll(person: string): void {
    for (const { name } of this.#names.all(person) as { readonly name: string }[]) {
      this.#delete.run(person, "user", name)
      this.#search.dropMemory(person, name)
    }
  }

  delete(person: string, scope: MemoryScope, name: string): boolean {
    const owner = memoryOwner(person, scope)
    return transaction(this.db, () => {
      if (this.#delete.run(owner, scope, name).changes === 0) return false
      this.#search.dropMemory(owner, name)
      return true
    })
  }
}
