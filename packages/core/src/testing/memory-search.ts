/** Full-text search in memory over all texts of the person. Finds and ranks like the other stores. */
import type { Address, Millis, StreamId } from "@parlor/protocol"
import type { Memory } from "../ports/memories.ts"
import type { SearchHit } from "../ports/search.ts"
import type { RowChange, StreamKey } from "../ports/store.ts"
import { COUNTED, findTexts, hasWord, type IndexEntry, indexedText, type WordIndex } from "../search/find.ts"
import { ownerOf } from "./memory-memories.ts"

type Where =
  | {
      readonly kind: "message" | "archive"
      readonly stream: StreamId
      readonly address: Address
      readonly key: string
      readonly ord: number
    }
  | { readonly kind: "memory"; readonly scope: "user" | "project"; readonly name: string }

type Entry = IndexEntry & { readonly owner: string; readonly where: Where }

/** Owns the texts of an import until it has its address. */
const NOBODY = "\u0000"

export class MemorySearch {
  readonly #entries = new Map<string, Entry>()
  #lastId = 0

  row(stream: { readonly id: StreamId; readonly key: StreamKey }, change: RowChange, at: Millis): void {
    const kind = kindOf(change)
    if (kind === undefined || stream.key.kind === "feed") return
    const name = JSON.stringify([stream.id, kind, change.key])
    if (change.operation === "delete" || change.text === null) {
      this.#entries.delete(name)
      return
    }
    if (change.text === undefined) return
    const { kind: state, ...address } = stream.key
    const where = { kind, stream: stream.id, address, key: change.key, ord: change.ord ?? 0 }
    this.#put(name, change.text, { owner: state === "import" ? NOBODY : address.person, at: change.at ?? at, where })
  }

  /** An import got its address: its texts are found from now on. */
  adopt({ id, key }: { readonly id: StreamId; readonly key: StreamKey }): void {
    if (key.kind === "feed") return
    const { kind: _, ...address } = key
    for (const [name, entry] of this.#entries)
      if (entry.where.kind !== "memory" && entry.where.stream === id)
        this.#entries.set(name, { ...entry, owner: address.person, where: { ...entry.where, address } })
  }

  memory(person: string, memory: Memory): void {
    const { scope, name, description, body, updatedAt } = memory
    const where = { kind: "memory", scope, name } as const
    const rest = { owner: ownerOf(person, scope), at: updatedAt, where }
    this.#put(memoryKey(person, scope, name), `${name}\n${description}\n${body}`, rest)
  }

  deleteMemory(person: string, scope: Memory["scope"], name: string): void {
    this.#entries.delete(memoryKey(person, scope, name))
  }

  release(stream: StreamId): void {
    for (const [name, { where }] of this.#entries)
      if (where.kind !== "memory" && where.stream === stream) this.#entries.delete(name)
  }

  async find(
    person: string,
    words: string,
    options: { readonly limit: number; readonly agent?: string; readonly now: Millis },
  ): Promise<SearchHit[]> {
    const entries = [...this.#entries.values()].filter((entry) => isFor(entry, person, options.agent))
    const found = await findTexts(indexOf(entries.sort((a, b) => b.id - a.id)), words, options)
    return found.map(({ where, at, score }) => ({ ...where, at, score }))
  }

  /** The same words again keep their place among the newest. */
  #put(name: string, text: string, rest: Pick<Entry, "owner" | "at" | "where">): void {
    const words = indexedText(text)
    const known = this.#entries.get(name)
    if (words.length === 0) this.#entries.delete(name)
    else if (known?.line === words.line) this.#entries.set(name, { ...known, ...rest })
    else {
      this.#lastId += 1
      this.#entries.set(name, { ...rest, ...words, id: this.#lastId })
    }
  }
}

/** Only messages and archives are indexed. */
function kindOf({ collection }: RowChange): "message" | "archive" | undefined {
  if (collection === "messages") return "message"
  return collection === "archives" ? "archive" : undefined
}

function memoryKey(person: string, scope: Memory["scope"], name: string): string {
  return JSON.stringify(["memory", ownerOf(person, scope), scope, name])
}

function isFor({ owner, where }: Entry, person: string, agent: string | undefined): boolean {
  if (agent !== undefined) return owner === person && where.kind !== "memory" && where.address.agent === agent
  return owner === person || (owner === "" && where.kind === "memory")
}

/** Over entries sorted newest first. */
function indexOf(entries: readonly Entry[]): WordIndex<Entry> {
  return {
    counts: async (words) =>
      words.map((word) => Math.min(COUNTED, entries.filter((entry) => hasWord(entry.line, word)).length)),
    newest: async (words, limit) =>
      entries.filter((entry) => words.every((word) => hasWord(entry.line, word))).slice(0, limit),
  }
}
