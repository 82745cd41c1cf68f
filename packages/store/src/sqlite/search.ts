/** Searches, on a thread of its own. Each search sees one moment. */
import type { Search, SearchHit } from "@parlor/core"
import { COUNTED, findTexts, hasWord, type QueryWord, type WordIndex } from "@parlor/core/search"
import { PROJECT } from "../memory-row.ts"
import { ENTRY_COLUMNS, ENTRY_JOINS, isFor, queryTerms, type SearchEntry, toHit } from "../search-entry.ts"
import type { Database } from "./connect.ts"

export type SearchInput = {
  readonly person: string
  readonly words: string
  readonly options: Parameters<Search["find"]>[2]
}

export class SearchReads {
  readonly db: Database
  readonly #begin
  readonly #commit
  readonly #person
  readonly #waiting
  readonly #count
  readonly #newest

  constructor(db: Database) {
    this.db = db
    this.#begin = db.prepare("BEGIN")
    this.#commit = db.prepare("COMMIT")
    this.#person = db.prepare("SELECT id FROM people WHERE person = ?")
    this.#waiting = db.prepare(
      `SELECT ${ENTRY_COLUMNS} FROM search_texts t ${ENTRY_JOINS} WHERE t.id > (SELECT upto FROM search_state)
       AND p.person IN (?, ?) ORDER BY t.id DESC`,
    )
    this.#count = db.prepare(
      "SELECT count(*) AS count FROM (SELECT 1 FROM search_words WHERE search_words MATCH ? LIMIT ?)",
    )
    this.#newest = db.prepare(
      `SELECT ${ENTRY_COLUMNS} FROM (SELECT rowid AS id FROM search_words WHERE search_words MATCH ? ORDER BY rowid DESC LIMIT ?) h
       JOIN search_texts t ON t.id = h.id ${ENTRY_JOINS} ORDER BY t.id DESC`,
    )
  }

  async search({ person, words, options }: SearchInput): Promise<SearchHit[]> {
    this.#begin.run()
    try {
      const index = this.#indexFor(person, options.agent)
      return index === undefined ? [] : (await findTexts(index, words, options)).map(toHit)
    } finally {
      this.#commit.run()
    }
  }

  /** None if nothing of this person was ever indexed. */
  #indexFor(person: string, agent: string | undefined): WordIndex<SearchEntry> | undefined {
    const owners = [person, ...(agent === undefined ? [PROJECT] : [])].flatMap((owner) => this.#numberOf(owner))
    if (owners.length === 0) return undefined
    const isVisible = (entry: SearchEntry) => isFor(entry, person, agent)
    const waiting = (this.#waiting.all(person, PROJECT) as SearchEntry[]).filter(isVisible)
    const inWaiting = (words: readonly QueryWord[]) =>
      waiting.filter((entry) => words.every((word) => hasWord(entry.line, word)))
    const query = (words: readonly QueryWord[]) => owners.map((owner) => expression(owner, words, agent)).join(" OR ")
    return {
      counts: async (words) =>
        words.map((word) => {
          const { count } = (this.#count.get(query([word]), COUNTED) ?? { count: 0 }) as { readonly count: number }
          return Math.min(COUNTED, count + inWaiting([word]).length)
        }),
      newest: async (words, limit) => {
        const first = inWaiting(words).slice(0, limit)
        const rest = this.#newest.all(query(words), limit - first.length) as SearchEntry[]
        return [...first, ...rest.filter(isVisible)]
      },
    }
  }

  #numberOf(person: string): number[] {
    const known = this.#person.get(person) as { readonly id: number } | undefined
    return known === undefined ? [] : [known.id]
  }
}

function expression(person: number, words: readonly QueryWord[], agent: string | undefined): string {
  const terms = queryTerms(person, words, agent, (word, prefix) => `"${word}"${prefix ? " *" : ""}`)
  return `(${terms.join(" AND ")})`
}
