/** A row of `search_texts` and its indexed words, the same in both stores. */
import type { SearchHit } from "@parlor/core"
import type { IndexEntry, QueryWord } from "@parlor/core/search"
import type { StreamId } from "@parlor/protocol"
import { PROJECT } from "./memory-row.ts"
import type { TextKind } from "./search-texts.ts"

export type SearchEntry = IndexEntry & {
  readonly kind: TextKind | "memory"
  readonly owner: string
  readonly stream: number
  readonly key: string
  readonly ord: number
  /** The conversation's agent and branch; none for a memory. */
  readonly agent: string | null
  readonly person: string | null
  readonly branch: string | null
}

export const ENTRY_COLUMNS = `t.id, t.at, t.line, t.length, t.kind, p.person AS owner, t.stream, t.key, t.ord,
  s.agent, s.person, s.branch`
/** The texts of an import belong to nobody until the import is in its place. */
export const ENTRY_JOINS =
  "JOIN people p ON p.id = t.person LEFT JOIN streams s ON s.id = t.stream AND s.kind = 'conversation'"

/** Memories belong to no stream. */
export const NO_STREAM = 0

/** A word prefixed with its person: nobody else's search matches it. */
export function personWord(person: number, word: string): string {
  return `${person}x${word}`
}

/** A word for the agent of the text's conversation. */
export function agentWord(person: number, agent: string): string {
  return `${person}y${Buffer.from(agent).toString("hex")}`
}

/** One query per owner: all words, in the store's syntax. They are letters and digits only. */
export function queryTerms(
  person: number,
  words: readonly QueryWord[],
  agent: string | undefined,
  write: (word: string, prefix: boolean) => string,
): string[] {
  const terms = words.map(({ word, prefix }) => write(personWord(person, word), prefix))
  return agent === undefined ? terms : [...terms, write(agentWord(person, agent), false)]
}

/** The indexed words already contain the person; this check would hold even if they were wrong. */
export function isFor(entry: SearchEntry, person: string, agent: string | undefined): boolean {
  if (entry.kind === "memory") return agent === undefined && (entry.owner === person || entry.owner === PROJECT)
  return entry.person === person && (agent === undefined || entry.agent === agent)
}

export function toHit(entry: SearchEntry & { readonly score: number }): SearchHit {
  const { kind, owner, stream, key, ord, at, score, agent, person, branch } = entry
  if (kind === "memory") return { kind, scope: owner === PROJECT ? "project" : "user", name: key, at, score }
  const address = { agent: agent ?? "", person: person ?? "", branch: branch ?? "" }
  return { kind, stream: stream as StreamId, address, key, ord, at, score }
}
