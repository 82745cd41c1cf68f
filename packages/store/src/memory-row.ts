/** Converts a row of the `memories` table to the port's `Memory`. */
import type { Memory, MemoryLine, MemoryScope } from "@parlor/core"

export type MemoryRow = {
  readonly scope: MemoryScope
  readonly name: string
  readonly description: string
  readonly type: string
  /** A number in SQLite. */
  readonly pinned: boolean | number
  readonly written_by: string
  readonly written_agent: string | null
  readonly written_branch: string | null
  readonly created_at: number
  readonly updated_at: number
}

/** The body is the last column: the index is read without it. */
export const MEMORY_COLUMNS =
  "scope, name, description, type, pinned, written_by, written_agent, written_branch, created_at, updated_at"

/** The person's own, then the project's. */
export const MEMORY_ORDER = "ORDER BY scope DESC, name"

export function toMemoryLine(row: MemoryRow): MemoryLine {
  const { scope, name, description, type, written_agent: agent, written_branch: branch } = row
  return {
    scope,
    name,
    description,
    type,
    pinned: Boolean(row.pinned),
    writtenBy: row.written_by,
    writtenIn: agent === null || branch === null ? null : { agent, branch },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function toMemory(row: MemoryRow & { readonly body: string }): Memory {
  return { ...toMemoryLine(row), body: row.body }
}

/** Project memories have no owner. */
export function memoryOwner(person: string, scope: MemoryScope): string {
  return scope === "user" ? person : PROJECT
}

export const PROJECT = ""

/** The text that search indexes for a memory. */
export function memoryText({ name, description, body }: Memory): string {
  return `${name}\n${description}\n${body}`
}
