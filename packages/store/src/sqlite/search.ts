/**
 * Full-text search: read on a thread of its own, where each search sees one moment, and written on the writer thread.
 *
 * `search_texts` has one row per text, numbered in the order of writing; `search_words` is an FTS5 index of their words
 * by number. Every word in it starts with the number of its person ("17xdeploy"), so a search visits the hits of one
 * person only, and contains nothing its tokenizer could split: words are split here.
 *
 * Texts after `upto` are not in the index yet. They are few, a search reads them one by one, and they are added
 * `TEXTS_PER_FLUSH` at a time, which costs a third of adding them one by one.
 */
import type { Search, SearchHit } from "@parlor/core"
import {
  COUNTED,
  findTexts,
  hasWord,
  type IndexedText,
  indexedText,
  type QueryWord,
  type WordIndex,
} from "@parlor/core/search"
import type { Millis } from "@parlor/protocol"
import { PROJECT } from "../memory-row.ts"
import {
  agentWord,
  ENTRY_COLUMNS,
  ENTRY_JOINS,
  isFor,
  NO_STREAM,
  personWord,
  queryTerms,
  type SearchEntry,
  toHit,
} from "../search-entry.ts"
import { type TextChange, type TextKind, textChanges } from "../search-texts.ts"
import type { Database } from "./connect.ts"
import type { Work } from "./thread/wire.ts"

const TEXTS_PER_FLUSH = 64

type Place = readonly [stream: number, person: number, kind: TextKind | "memory", key: string]
type Waiting = { readonly id: number; readonly person: number; readonly line: string; readonly agent: string | null }

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

export class SearchWrites {
  readonly db: Database
  readonly #addPerson
  readonly #person
  readonly #personOf
  readonly #known
  readonly #addNew
  readonly #add
  readonly #touch
  readonly #drop
  readonly #dropWords
  readonly #dropStream
  readonly #dropStreamWords
  readonly #someTexts
  readonly #upto
  readonly #waiting
  readonly #index
  readonly #saveUpto
  /** As last read. The table may have less only if a transaction was rolled back. */
  #lastUpto = 0

  constructor(db: Database) {
    this.db = db
    this.#addPerson = db.prepare("INSERT INTO people (person) VALUES (?) ON CONFLICT DO NOTHING")
    this.#person = db.prepare("SELECT id FROM people WHERE person = ?")
    this.#personOf = db.prepare("SELECT person FROM streams WHERE id = ? AND kind <> 'feed'")
    this.#known = db.prepare(
      "SELECT id, line FROM search_texts WHERE stream = ? AND person = ? AND kind = ? AND key = ?",
    )
    // Most texts are new, and from a person who has texts already: then this is the only statement needed.
    this.#addNew = db.prepare(
      `INSERT INTO search_texts (stream, person, kind, key, ord, at, length, line)
       SELECT s.id, p.id, ?, ?, ?, ?, ?, ? FROM streams s JOIN people p ON p.person = s.person
       WHERE s.id = ? AND s.kind <> 'feed' ON CONFLICT DO NOTHING`,
    )
    this.#add = db.prepare(
      "INSERT INTO search_texts (stream, person, kind, key, ord, at, length, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )
    this.#touch = db.prepare("UPDATE search_texts SET ord = ?, at = ? WHERE id = ?")
    this.#drop = db.prepare("DELETE FROM search_texts WHERE id = ?")
    this.#dropWords = db.prepare("DELETE FROM search_words WHERE rowid = ?")
    this.#dropStream = db.prepare("DELETE FROM search_texts WHERE stream = ?")
    this.#dropStreamWords = db.prepare(
      "DELETE FROM search_words WHERE rowid IN (SELECT id FROM search_texts WHERE stream = ?)",
    )
    this.#someTexts = db.prepare("SELECT id FROM search_texts WHERE stream = ? LIMIT ?")
    this.#upto = db.prepare("SELECT upto FROM search_state")
    this.#waiting = db.prepare(
      `SELECT t.id, t.person, t.line, s.agent FROM search_texts t LEFT JOIN streams s ON s.id = t.stream
       WHERE t.id > ? ORDER BY t.id`,
    )
    this.#index = db.prepare("INSERT INTO search_words (rowid, words) VALUES (?, ?)")
    this.#saveUpto = db.prepare("UPDATE search_state SET upto = ?")
  }

  /** Within the transaction of the append. */
  write({ stream, changes, at }: Pick<Work, "stream" | "changes" | "at">): void {
    const texts = textChanges(changes, at).filter((text) => !this.#isAdded(stream, text))
    if (texts.length === 0) return
    const owner = this.#personOf.get(stream) as { readonly person: string } | undefined
    if (owner === undefined) return
    const person = this.#numberOf(owner.person)
    for (const text of texts) this.#writeText(stream, person, text)
  }

  putMemory(owner: string, name: string, text: string, at: Millis): void {
    this.#put([NO_STREAM, this.#numberOf(owner), "memory", name], indexedText(text), 0, at)
  }

  dropMemory(owner: string, name: string): void {
    this.#take([NO_STREAM, this.#numberOf(owner), "memory", name])
  }

  dropTexts(stream: number): void {
    this.#dropStreamWords.run(stream)
    this.#dropStream.run(stream)
  }

  /** At most `most` of them. False if there are no more. */
  dropSomeTexts(stream: number, most: number): boolean {
    const some = this.#someTexts.all(stream, most) as { readonly id: number }[]
    for (const { id } of some) this.#remove(id)
    return some.length > 0
  }

  #isAdded(stream: number, { kind, key, ord, at, text }: TextChange): boolean {
    const words = text === null ? undefined : indexedText(text)
    if (words === undefined || words.length === 0) return false
    const { changes, lastInsertRowid } = this.#addNew.run(kind, key, ord, at, words.length, words.line, stream)
    if (changes === 0) return false
    this.#flush(Number(lastInsertRowid))
    return true
  }

  #writeText(stream: number, person: number, { kind, key, ord, at, text }: TextChange): void {
    const place: Place = [stream, person, kind, key]
    const words = text === null ? undefined : indexedText(text)
    if (words === undefined || words.length === 0) this.#take(place)
    else this.#put(place, words, ord, at)
  }

  #put(place: Place, { line, length }: IndexedText, ord: number, at: Millis): void {
    const known = this.#known.get(...place) as { readonly id: number; readonly line: string } | undefined
    if (known?.line === line) {
      this.#touch.run(ord, at, known.id)
      return
    }
    if (known !== undefined) this.#remove(known.id)
    const { lastInsertRowid } = this.#add.run(...place, ord, at, length, line)
    this.#flush(Number(lastInsertRowid))
  }

  #take(place: Place): void {
    const known = this.#known.get(...place) as { readonly id: number } | undefined
    if (known !== undefined) this.#remove(known.id)
  }

  #remove(id: number): void {
    this.#dropWords.run(id)
    this.#drop.run(id)
  }

  #flush(lastId: number): void {
    if (lastId - this.#lastUpto < TEXTS_PER_FLUSH) return
    const { upto } = this.#upto.get() as { readonly upto: number }
    this.#lastUpto = upto
    if (lastId - upto < TEXTS_PER_FLUSH) return
    for (const text of this.#waiting.all(upto) as Waiting[]) this.#index.run(text.id, indexedWords(text))
    this.#saveUpto.run(lastId)
    this.#lastUpto = lastId
  }

  #numberOf(person: string): number {
    const known = this.#person.get(person) as { readonly id: number } | undefined
    return known?.id ?? Number(this.#addPerson.run(person).lastInsertRowid)
  }
}

function indexedWords({ person, line, agent }: Waiting): string {
  const words = ` ${line}`.replace(NUMBERS, "").replaceAll(" ", ` ${personWord(person, "")}`)
  return agent === null ? words : `${words} ${agentWord(person, agent)}`
}

/** The count after a word. */
const NUMBERS = /:\d+/g

function expression(person: number, words: readonly QueryWord[], agent: string | undefined): string {
  const terms = queryTerms(person, words, agent, (word, prefix) => `"${word}"${prefix ? " *" : ""}`)
  return `(${terms.join(" AND ")})`
}
