/**
 * Searching. The index returns hits in no order, and a very common word has many. So if a person has many texts, a few
 * of the newest are checked first: if enough of them are hits, walking on from there soon finds all that are needed,
 * without the index.
 *
 * Words are split here before they are written, a few texts at a time, because a batch may be an import.
 */
import { setImmediate } from "node:timers/promises"
import type { Append, Search, SearchHit } from "@parlor/core"
import { COUNTED, findTexts, indexedText, messageText, type QueryWord, type WordIndex } from "@parlor/core/search"
import { parseRow, type StreamId } from "@parlor/protocol"
import type { PoolClient } from "pg"
import { PROJECT } from "../memory-row.ts"
import { ENTRY_COLUMNS, ENTRY_JOINS, isFor, queryTerms, type SearchEntry, toHit } from "../search-entry.ts"
import { textChanges } from "../search-texts.ts"
import type { Database, Statement } from "./connect.ts"

/** From this many texts on. */
const MANY = 10_000
const LOOKED_AT = 200
/** With this many hits among them, a word is common. */
const COMMON = 20
const WALKED = 5_000
/** Hits that are sorted to find the newest. */
const SORTED = 20_000

type Person = { readonly id: number; readonly person: string; readonly many: boolean }

const PEOPLE: Statement = {
  name: "search-people",
  text: `SELECT id, person, parlor_has_many(id, ${MANY}) AS many FROM people WHERE person = ANY($1)`,
}
const COUNTS: Statement = {
  name: "search-counts",
  text: `SELECT (SELECT count(*) FROM parlor_hits(q, ${COUNTED})) AS count
    FROM unnest($1::tsquery[]) WITH ORDINALITY AS u(q, n) ORDER BY n`,
}
const NEWEST: Statement = {
  name: "search-newest",
  text: `WITH newest AS MATERIALIZED (SELECT h FROM parlor_hits($1::tsquery, ${SORTED}) h ORDER BY h DESC LIMIT $2)
    SELECT ${ENTRY_COLUMNS} FROM newest JOIN search_texts t ON t.id = h ${ENTRY_JOINS} ORDER BY t.id DESC`,
}

const WALK: Statement = {
  name: "search-walk",
  text: `WITH walked AS MATERIALIZED (SELECT w FROM parlor_walk($1, $2, $3, $4, $5, $6) w)
    SELECT ${ENTRY_COLUMNS} FROM walked JOIN search_texts t ON t.id = w ${ENTRY_JOINS} ORDER BY t.id DESC`,
}

export function searchPart(db: Database): Search {
  return {
    find: (person, words, options) => searchTexts(db, person, words, options),
  }
}

async function searchTexts(
  db: Database,
  person: string,
  words: string,
  options: Parameters<Search["find"]>[2],
): Promise<SearchHit[]> {
  const names = options.agent === undefined ? [person, PROJECT] : [person]
  const people = await db.read<Person>(PEOPLE, [names])
  if (people.length === 0) return []
  const own = people.find((one) => one.person === person)
  const asked = { people: people.map(({ id }) => id), agent: options.agent }
  const index = own?.many ? crowdedIndex(db, own.id, asked) : plainIndex(db, asked)
  const found = await findTexts(index, words, options)
  return found.filter((entry) => isFor(entry, person, options.agent)).map(toHit)
}

type Asked = { readonly people: readonly number[]; readonly agent: string | undefined }

function plainIndex(db: Database, { people, agent }: Asked): WordIndex<SearchEntry> {
  const query = (words: readonly QueryWord[]) => people.map((person) => expression(person, words, agent)).join(" | ")
  return {
    counts: async (words) => {
      const rows = await db.read<{ count: number }>(COUNTS, [words.map((word) => query([word]))])
      return rows.map(({ count }) => count)
    },
    newest: (words, limit) => db.read<SearchEntry>(NEWEST, [query(words), limit]),
  }
}

function crowdedIndex(db: Database, own: number, asked: Asked): WordIndex<SearchEntry> {
  const plain = plainIndex(db, asked)
  const walk = (words: readonly QueryWord[], texts: number, limit: number) =>
    db.read<SearchEntry>(WALK, [own, asked.agent ?? null, ...patterns(words), texts, limit])
  const isCommon = async (words: readonly QueryWord[]) => (await walk(words, LOOKED_AT, COMMON)).length >= COMMON
  return {
    counts: async (words) => {
      const counts: number[] = []
      for (const word of words) counts.push((await isCommon([word])) ? COUNTED : ((await plain.counts([word]))[0] ?? 0))
      return counts
    },
    newest: async (words, limit) => {
      const walked = (await isCommon(words)) ? await walk(words, WALKED, limit) : []
      return walked.length >= limit ? walked : plain.newest(words, limit)
    },
  }
}

/** A word alone and a word with its count. Words are letters and digits: they contain no wildcards. */
function patterns(words: readonly QueryWord[]): readonly [string[], string[]] {
  return [
    words.map(({ word, prefix }) => (prefix ? `% ${word}%` : `% ${word} %`)),
    words.map(({ word }) => `% ${word}:%`),
  ]
}

function expression(person: number, words: readonly QueryWord[], agent: string | undefined): string {
  const terms = queryTerms(person, words, agent, (word, prefix) => `'${word}'${prefix ? ":*" : ""}`)
  return `(${terms.join(" & ")})`
}

/** About two milliseconds of work. */
const CHARS_PER_SLICE = 65_536
/** Texts per statement: it has to end in time. */
const PER_PAGE = 1_000

export const INDEX_TEXTS: Statement = { name: "index-texts", text: "SELECT parlor_index_texts($1, $2)" }

/** Pages of texts, each naming its append by its index in the batch. Empty if there is nothing to index. */
export async function encodeTexts(batch: readonly Pick<Append, "stream" | "changes" | "at">[]): Promise<string[]> {
  const pages: string[] = []
  let texts: object[] = []
  let chars = 0
  for (const [i, { stream, changes, at: writtenAt }] of batch.entries()) {
    for (const { kind, key, ord, at, text } of textChanges(changes, writtenAt)) {
      chars += text?.length ?? 0
      if (chars > CHARS_PER_SLICE) {
        await setImmediate()
        chars = 0
      }
      const { line, length } = indexedText(text ?? "")
      texts.push({ a: i + 1, s: stream, k: kind, y: key, n: ord, t: at, l: length, w: line })
      if (texts.length < PER_PAGE) continue
      pages.push(JSON.stringify(texts))
      texts = []
    }
  }
  if (texts.length > 0) pages.push(JSON.stringify(texts))
  return pages
}

const MESSAGES = `SELECT stream, key FROM rows WHERE collection = 'messages' ORDER BY (value::json ->> 'at')::bigint, ord`
const VALUES = `SELECT r.stream, r.key, r.ord, r.value FROM rows r
  JOIN ROWS FROM (unnest($1::bigint[]), unnest($2::text[])) AS x(stream, key) USING (stream, key)
  WHERE r.collection = 'messages'`

type Row = { readonly stream: StreamId; readonly key: string; readonly ord: number; readonly value: string }

/** Indexes messages of a database older than search, oldest first. */
export async function indexOldMessages(client: PoolClient): Promise<void> {
  const { rows } = await client.query<Pick<Row, "stream" | "key">>(MESSAGES)
  for (let at = 0; at < rows.length; at += PER_PAGE) {
    const page = rows.slice(at, at + PER_PAGE)
    const read = await client.query<Row>(VALUES, [page.map((row) => row.stream), page.map((row) => row.key)])
    const found = new Map(read.rows.map((row) => [`${row.stream} ${row.key}`, row]))
    const batch = page.flatMap(({ stream, key }) => toAppend(found.get(`${stream} ${key}`)))
    for (const texts of await encodeTexts(batch))
      await client.query({ ...INDEX_TEXTS, values: [texts, batch.map((_, i) => i + 1)] })
  }
}

function toAppend(row: Row | undefined): readonly Pick<Append, "stream" | "changes" | "at">[] {
  if (row === undefined) return []
  const { stream, key, ord, value } = row
  const message = parseRow("messages", value)
  const text = messageText(message)
  if (text === undefined) return []
  const change = { collection: "messages", key, operation: "insert", value, ord, text } as const
  return [{ stream, changes: [change], at: message.at }]
}
