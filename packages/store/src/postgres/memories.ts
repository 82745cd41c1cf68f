/** Memories. A write and its index entry are one transaction; writers of one owner wait for each other. */
import type { Memories, Memory, MemoryLine, MemoryScope } from "@parlor/core"
import { indexedText } from "@parlor/core/search"
import {
  MEMORY_COLUMNS,
  MEMORY_ORDER,
  type MemoryRow,
  memoryOwner,
  memoryText,
  toMemory,
  toMemoryLine,
} from "../memory-row.ts"
import type { Database, Statement } from "./connect.ts"

type WholeRow = MemoryRow & { readonly body: string }

const OF_PERSON = "FROM memories WHERE ((owner = $1 AND scope = 'user') OR (owner = '' AND scope = 'project'))"

const INDEX: Statement = { name: "memory-index", text: `SELECT ${MEMORY_COLUMNS} ${OF_PERSON} ${MEMORY_ORDER}` }
const ALL: Statement = { name: "memories", text: `SELECT ${MEMORY_COLUMNS}, body ${OF_PERSON} ${MEMORY_ORDER}` }
const PINNED: Statement = {
  name: "pinned-memories",
  text: `SELECT ${MEMORY_COLUMNS}, body ${OF_PERSON} AND pinned ${MEMORY_ORDER}`,
}
const ONE: Statement = {
  name: "memory",
  text: `SELECT ${MEMORY_COLUMNS}, body FROM memories WHERE owner = $1 AND scope = $2 AND name = $3`,
}

const ADD_PERSON = "INSERT INTO people (person) VALUES ($1) ON CONFLICT DO NOTHING"
const LOCK_PERSON = "SELECT 1 FROM people WHERE person = $1 FOR UPDATE"
const KNOWN = "SELECT 1 FROM memories WHERE owner = $1 AND scope = $2 AND name = $3"
const COUNT = "SELECT count(*) AS count FROM memories WHERE owner = $1 AND scope = $2"
const PUT = `
  INSERT INTO memories (owner, ${MEMORY_COLUMNS}, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (owner, scope, name) DO UPDATE SET description = excluded.description, type = excluded.type,
    pinned = excluded.pinned, written_by = excluded.written_by, written_agent = excluded.written_agent,
    written_branch = excluded.written_branch, updated_at = excluded.updated_at, body = excluded.body`
const DELETE = "DELETE FROM memories WHERE owner = $1 AND scope = $2 AND name = $3"
const INDEX_MEMORY = "SELECT parlor_index_memory($1, $2, $3, $4, $5)"

export function memoriesPart(db: Database): Memories {
  return {
    index: (person) => memoryIndex(db, person),
    get: (person, scope, name) => findMemory(db, person, scope, name),
    all: (person, options) => allMemories(db, person, options),
    put: (person, memory, most) => putMemory(db, person, memory, most),
    delete: (person, scope, name) => deleteMemory(db, person, scope, name),
  }
}

async function memoryIndex(db: Database, person: string): Promise<MemoryLine[]> {
  return (await db.lookUp<MemoryRow>(INDEX, [person])).map(toMemoryLine)
}

async function findMemory(db: Database, person: string, scope: MemoryScope, name: string): Promise<Memory | undefined> {
  const [row] = await db.read<WholeRow>(ONE, [memoryOwner(person, scope), scope, name])
  return row && toMemory(row)
}

async function allMemories(
  db: Database,
  person: string,
  { pinned }: { readonly pinned?: true } = {},
): Promise<Memory[]> {
  return (await db.read<WholeRow>(pinned ? PINNED : ALL, [person])).map(toMemory)
}

function putMemory(db: Database, person: string, entry: Memory, most: number): Promise<boolean> {
  const { scope, name, description, type, pinned, writtenBy, writtenIn, createdAt, updatedAt, body } = entry
  const owner = memoryOwner(person, scope)
  const { line, length } = indexedText(memoryText(entry))
  return db.transaction(async (client) => {
    await client.query(ADD_PERSON, [owner])
    await client.query(LOCK_PERSON, [owner])
    if ((await client.query(KNOWN, [owner, scope, name])).rowCount === 0) {
      const counted = await client.query<{ count: number }>(COUNT, [owner, scope])
      if ((counted.rows[0]?.count ?? 0) >= most) return false
    }
    const origin = [writtenBy, writtenIn?.agent ?? null, writtenIn?.branch ?? null]
    await client.query(PUT, [owner, scope, name, description, type, pinned, ...origin, createdAt, updatedAt, body])
    await client.query(INDEX_MEMORY, [owner, name, updatedAt, length, line])
    return true
  })
}

function deleteMemory(db: Database, person: string, scope: MemoryScope, name: string): Promise<boolean> {
  const owner = memoryOwner(person, scope)
  return db.transaction(async (client) => {
    await client.query(LOCK_PERSON, [owner])
    if ((await client.query(DELETE, [owner, scope, name])).rowCount === 0) return false
    await client.query(INDEX_MEMORY, [owner, name, 0, 0, null])
    return true
  })
}
