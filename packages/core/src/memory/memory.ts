/** Memories of agents and people: list, read, write, delete (MEM-1, MEM-5). */
import { limits, type MemoryEntry, memoryEntry, Refusal, utf8Bytes } from "@parlor/protocol"
import type { Memories, Memory, MemoryLine, MemoryScope } from "../ports/memories.ts"
import { checkBytes, type QuotaHome } from "../quota/quota.ts"

/** What memories need of a node. Not `Node` itself, because that depends on agents, and agents depend on memories. */
export type MemoryHome = QuotaHome & {
  readonly store: { readonly memories: Memories }
  readonly settings: { readonly projectWriters: readonly string[] }
}

/** Who writes: `person`, or an agent in a conversation. */
export type MemoryOrigin = { readonly by: string; readonly in: MemoryLine["writtenIn"] }

export const BY_PERSON: MemoryOrigin = { by: "person", in: null }

export type MemoryRef = { readonly name: string; readonly scope?: MemoryScope | undefined }

/** In the order of the index. Words are searched in the name, the description, the type and the body. */
export async function listMemories(
  home: MemoryHome,
  person: string,
  options: { readonly scope?: MemoryScope | undefined; readonly query?: string | undefined } = {},
): Promise<readonly MemoryLine[]> {
  const words = wordsOf(options.query ?? "")
  const lines = words.length === 0 ? await home.store.memories.index(person) : await matching(home, person, words)
  return options.scope === undefined ? lines : lines.filter(({ scope }) => scope === options.scope)
}

export async function readMemory(home: MemoryHome, person: string, ref: MemoryRef): Promise<Memory> {
  const found = await find(home, person, ref)
  if (found !== undefined) return found
  throw new Refusal("memory.unknown", `There is no memory ${spoken(ref)}.`)
}

/**
 * Creates or replaces. A pinned memory stays pinned unless the entry says otherwise. The author changes only with the
 * content: a person who pins an agent's memory does not become its author.
 */
export async function writeMemory(
  home: MemoryHome,
  person: string,
  given: MemoryEntry,
  origin: MemoryOrigin,
): Promise<Memory> {
  const entry = fitting(given)
  const { scope, name } = entry
  const before = await home.store.memories.get(person, scope, name)
  const now = home.clock.now()
  const written = isSame(entry, before) ? before : { writtenBy: origin.by, writtenIn: origin.in, updatedAt: now }
  const memory: Memory = {
    ...entry,
    pinned: entry.pinned ?? before?.pinned ?? false,
    writtenBy: written.writtenBy,
    writtenIn: written.writtenIn,
    createdAt: before?.createdAt ?? now,
    updatedAt: written.updatedAt,
  }
  if (memory.pinned) await checkPins(home, person, memory)
  const grows = utf8Bytes(memory.body) - utf8Bytes(before?.body ?? "")
  if (grows > 0) await checkBytes(home, person, grows)
  if (await home.store.memories.put(person, memory, limits.memoriesPerScope)) return memory
  throw new Refusal(
    "memory.full",
    `The scope ${scope} already has the maximum of ${limits.memoriesPerScope} memories. Delete one first.`,
  )
}

/** False if there is none. `allow` may throw once the memory is found. */
export async function deleteMemory(
  home: MemoryHome,
  person: string,
  ref: MemoryRef,
  allow: (scope: MemoryScope) => Promise<void> = async () => {},
): Promise<boolean> {
  const scope = ref.scope ?? (await find(home, person, ref))?.scope
  if (scope === undefined) return false
  await allow(scope)
  return home.store.memories.delete(person, scope, ref.name)
}

/** A name that exists in both scopes needs a scope (MEM-2). */
async function find(home: MemoryHome, person: string, { name, scope }: MemoryRef): Promise<Memory | undefined> {
  if (scope !== undefined) return home.store.memories.get(person, scope, name)
  const [own, shared] = await Promise.all([
    home.store.memories.get(person, "user", name),
    home.store.memories.get(person, "project", name),
  ])
  if (own !== undefined && shared !== undefined)
    throw new Refusal("memory.ambiguous", `Both scopes have a memory "${name}". Provide the scope: user or project.`)
  return own ?? shared
}

/**
 * Two pins at the same moment may both find room for one: then there is one too many, and a turn includes only as many
 * as fit (`notes.ts`).
 */
async function checkPins(home: MemoryHome, person: string, memory: Memory): Promise<void> {
  const pinned = await home.store.memories.all(person, { pinned: true })
  const others = pinned.filter(({ scope, name }) => scope === memory.scope && name !== memory.name)
  if (others.length >= limits.memoriesPinned)
    throw new Refusal(
      "memory.full",
      `The scope ${memory.scope} already has the maximum of ${limits.memoriesPinned} pinned memories. Unpin one first.`,
      "/pinned",
    )
  const bytes = [memory, ...others].reduce((sum, { body }) => sum + utf8Bytes(body), 0)
  if (bytes > limits.memoriesPinnedBytes)
    throw new Refusal(
      "memory.full",
      `The pinned memories of the scope ${memory.scope} would be too large (${bytes} bytes). The maximum is ${limits.memoriesPinnedBytes}.`,
      "/pinned",
    )
}

function isSame(entry: MemoryEntry, before: Memory | undefined): before is Memory {
  if (before === undefined) return false
  return entry.description === before.description && entry.type === before.type && entry.body === before.body
}

async function matching(home: MemoryHome, person: string, words: readonly string[]): Promise<readonly MemoryLine[]> {
  const found: MemoryLine[] = []
  for (const memory of await home.store.memories.all(person)) {
    const { body, ...line } = memory
    const text = `${line.name}\n${line.description}\n${line.type}\n${body}`.toLowerCase()
    if (words.every((word) => text.includes(word))) found.push(line)
  }
  return found
}

function wordsOf(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean)
}

function fitting(given: MemoryEntry): MemoryEntry {
  const fitted = memoryEntry.safeParse(given)
  if (fitted.success) return fitted.data
  const [issue] = fitted.error.issues
  const pointer = issue?.path.map((step) => `/${String(step)}`).join("")
  throw new Refusal("memory.invalid", issue?.message ?? "This is not a valid memory.", pointer)
}

function spoken({ name, scope }: MemoryRef): string {
  return scope === undefined ? JSON.stringify(name) : `"${name}" in the scope ${scope}`
}
