/**
 * What a model sees of a conversation: everything since the newest archive, and the summary of what came before
 * (CPT-12). Read by page from the end: the cost of a turn depends on the window, not on the length of the conversation
 * or how much of it is dimmed.
 *
 * If there is more than any window fits, only the newest messages are read, without a gap, and `isWhole` is false:
 * compaction then covers the older ones before the model call (`compaction/cover.ts`).
 */
import {
  type ArchiveRow,
  type DeltaRow,
  type MessageRow,
  parseRow,
  parseRows,
  type StreamId,
  withDeltas,
} from "@parlor/protocol"
import type { CachedHistory, Said } from "../log/cache.ts"
import { readLine, type Section, sectionsOf, standingArchive } from "../log/line.ts"
import type { RowReader } from "../ports/store.ts"
import { isQuestion } from "./question.ts"
import { MAX_CHARS_PER_TOKEN, messageChars } from "./size.ts"

const PAGE = 100
/**
 * What is stored but never sent (reasoning, failed attempts) takes memory too; up to this share it does not reduce the
 * room.
 */
const UNSENT_SHARE = 1 / 8

export type History = {
  /** In conversation order, without a gap and without dimmed messages. */
  readonly messages: readonly MessageRow[]
  /** Its summary replaces everything up to its end (CPT-1). */
  readonly archive: ArchiveRow | undefined
  /** Whether these are all messages since the archive. */
  readonly isWhole: boolean
}

export type HistoryRead = History & {
  /** The last event it includes. */
  readonly head: number
  /** The same for the cache; undefined while a message is streaming. */
  readonly cacheable: CachedHistory | undefined
}

export type HistoryOptions = {
  /** The model's window in tokens. */
  readonly window: number
  /** More are never shown (CPT-9), so only these and the rest of their first turn are read. */
  readonly maxMessages?: number | undefined
}

export async function readHistory(store: RowReader, stream: StreamId, options: HistoryOptions): Promise<HistoryRead> {
  const picked = new Picked(options)
  let head = 0
  let deltas: readonly DeltaRow[] = []
  let archive: ArchiveRow | undefined
  const done = (isWhole: boolean): HistoryRead => {
    const said = picked.inOrder()
    const chars = said.reduce((sum, one) => sum + one.chars, 0)
    const cacheable = deltas.length > 0 ? undefined : { said, chars, isWhole, archive }
    return { messages: said.map(({ message }) => message), archive, isWhole, head, cacheable }
  }
  const cut = async ({ origin }: Section): Promise<HistoryRead> => {
    // A summary made in a conversation above applies to the branch too, even if none of the messages up there are read.
    if (origin !== null) archive = standingArchive((await sectionsOf(store, stream)).at(-1)?.archives ?? [])
    return done(false)
  }
  const pages = readLine(store, stream, { page: PAGE, visible: true, also: [{ collection: "deltas" }] })
  for await (const { section, rows, read } of pages) {
    if (read !== undefined) {
      head = read.stream.head
      deltas = parseRows("deltas", read.lists[0])
    }
    archive = standingArchive(section.archives)
    for (const row of rows) {
      if (archive !== undefined && (row.ord ?? 0) <= archive.toOrd) return done(true)
      if (picked.isEnough) return cut(section)
      picked.take({ message: withDeltas(parseRow("messages", row.value), deltas), chars: row.value.length })
    }
  }
  return done(true)
}

/** From the cache; the same result as reading. Undefined if more would be read than is cached. */
export function cachedHistory(cached: CachedHistory | undefined, options: HistoryOptions): History | undefined {
  if (cached === undefined) return undefined
  const picked = new Picked(options)
  for (let index = cached.said.length - 1; !picked.isEnough && index >= 0; index--) {
    const one = cached.said[index]
    if (one !== undefined) picked.take(one)
  }
  if (!picked.isEnough && !cached.isWhole) return undefined
  const said = picked.inOrder()
  const isWhole = cached.isWhole && said.length === cached.said.length
  return { messages: said.map(({ message }) => message), archive: cached.archive, isWhole }
}

/** Takes messages, newest first, until they exceed any window of that size. */
class Picked {
  readonly #newestFirst: Said[] = []
  readonly #maxMessages: number
  #room: number

  constructor({ window, maxMessages }: HistoryOptions) {
    this.#room = window * MAX_CHARS_PER_TOKEN
    this.#maxMessages = maxMessages ?? Number.POSITIVE_INFINITY
  }

  get isEnough(): boolean {
    if (this.#room <= 0) return true
    const oldest = this.#newestFirst.at(-1)?.message
    return oldest !== undefined && this.#newestFirst.length >= this.#maxMessages && isQuestion(oldest)
  }

  take(one: Said): void {
    this.#room -= Math.max(messageChars(one.message), one.chars * UNSENT_SHARE)
    this.#newestFirst.push(one)
  }

  inOrder(): Said[] {
    return [...this.#newestFirst].reverse()
  }
}
