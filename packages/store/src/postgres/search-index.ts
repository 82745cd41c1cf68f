/** Prepares texts for the index. Words are split here, a few texts at a time, because a batch may be an import. */
import { setImmediate } from "node:timers/promises"
import type { Append } from "@parlor/core"
import { indexedText, messageText } from "@parlor/core/search"
import type { MessageRow, StreamId } from "@parlor/protocol"
import type { PoolClient } from "pg"
import { textChanges } from "../search-texts.ts"
import type { Statement } from "./connect.ts"

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
  const message = JSON.parse(value) as MessageRow
  const text = messageText(message)
  if (text === undefined) return []
  const change = { collection: "messages", key, operation: "insert", value, ord, text } as const
  return [{ stream, changes: [change], at: message.at }]
}
