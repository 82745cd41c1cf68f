/**
 * What a model is to see of a conversation: the newest messages that fit its window, and the summary that stands for what
 * came before them. Read by page from the end: the cost of a turn follows the window, never the length of the
 * conversation, nor how much of it is dimmed.
 */
import { type ArchiveRow, type DeltaRow, type MessageRow, type StreamId, withDeltas } from "@parlor/protocol"
import { readLine, type Section, sectionsOf, standingArchive } from "../branch/line.ts"
import type { CachedHistory, Said } from "../conversation/cache.ts"
import type { Store } from "../ports/store.ts"
import { isQuestion } from "./question.ts"

const PAGE = 100
/** A cautious guess; the provider's own count rules once compaction looks at it. */
const BYTES_PER_TOKEN = 3
const RESERVE_TOKENS = 20_000

export type History = {
  /** In the order of the conversation, and nothing that is dimmed. */
  readonly messages: readonly MessageRow[]
  /** Its summary stands for everything at or before its end (CPT-1). */
  readonly archive: ArchiveRow | undefined
}

export type HistoryRead = History & {
  /** Up to which event it was read. */
  readonly head: number
  /** The same, for the cache; undefined where it has a gap or something is still streaming. */
  readonly cacheable: CachedHistory | undefined
}

/**
 * The newest message of the person is there in any case: without it a long turn that is taken up again would have
 * nothing to answer (TRN-8).
 */
export async function readHistory(
  store: Pick<Store, "read">,
  stream: StreamId,
  windowTokens: number,
): Promise<HistoryRead> {
  const picked = new Picked(windowTokens)
  let head = 0
  let deltas: readonly DeltaRow[] = []
  let archive: ArchiveRow | undefined
  const done = (charsBefore: number | null): HistoryRead => {
    const said = picked.inOrder()
    const chars = said.reduce((sum, one) => sum + one.chars, 0)
    const cacheable = picked.hasGap || deltas.length > 0 ? undefined : { said, chars, charsBefore, archive }
    return { messages: said.map(({ message }) => message), archive, head, cacheable }
  }
  const cut = async ({ origin }: Section, charsBefore: number): Promise<HistoryRead> => {
    // A summary made in a conversation above is the branch's too, also when none of the messages up there fit.
    if (origin !== null) archive = standingArchive((await sectionsOf(store, stream)).at(-1)?.archives ?? [])
    return done(charsBefore)
  }
  const pages = readLine(store, stream, { page: PAGE, visible: true, also: [{ collection: "deltas" }] })
  for await (const { section, rows, read } of pages) {
    if (read !== undefined) {
      head = read.stream.head
      deltas = (read.lists[0] ?? []).map((row) => JSON.parse(row.value) as DeltaRow)
    }
    archive = standingArchive(section.archives)
    for (const row of rows) {
      if (archive !== undefined && (row.ord ?? 0) <= archive.toOrd) return done(null)
      const message = () => withDeltas(JSON.parse(row.value) as MessageRow, deltas)
      if (!picked.take(row.value.length, message)) return cut(section, row.value.length)
    }
    if (picked.isEnoughBefore(0)) return cut(section, 0)
  }
  return done(null)
}

/** From the cache, the same as would be read. Undefined when more would be read than is cached. */
export function cachedHistory(cached: CachedHistory | undefined, windowTokens: number): History | undefined {
  if (cached === undefined) return undefined
  const picked = new Picked(windowTokens)
  let isMore = true
  for (let index = cached.said.length - 1; isMore && index >= 0; index--) {
    const one = cached.said[index]
    if (one !== undefined) isMore = picked.take(one.chars, () => one.message)
  }
  const { charsBefore } = cached
  if (isMore && charsBefore !== null && !picked.isEnoughBefore(charsBefore)) return undefined
  return { messages: picked.inOrder().map(({ message }) => message), archive: cached.archive }
}

/** Takes messages, the newest first, as long as they fit; and of those before them the first that asks something. */
class Picked {
  readonly #newestFirst: Said[] = []
  #room: number
  #isAnswering = false
  hasGap = false

  constructor(windowTokens: number) {
    this.#room = roomIn(windowTokens)
  }

  /** Whether there is no need of a message of that length, nor of any before it. */
  isEnoughBefore(chars: number): boolean {
    return this.#room <= chars && this.#isAnswering
  }

  /** False when it is enough already. */
  take(chars: number, load: () => MessageRow): boolean {
    if (this.isEnoughBefore(chars)) return false
    this.#room -= chars
    const isFull = this.#room <= 0 && this.#newestFirst.length > 0
    const message = load()
    if (isFull && !isQuestion(message)) this.hasGap = true
    else this.#newestFirst.push({ message, chars })
    this.#isAnswering ||= isQuestion(message)
    return true
  }

  inOrder(): Said[] {
    return [...this.#newestFirst].reverse()
  }
}

function roomIn(windowTokens: number): number {
  return Math.max(windowTokens - RESERVE_TOKENS, windowTokens / 2) * BYTES_PER_TOKEN
}
