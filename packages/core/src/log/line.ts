/**
 * The messages of a conversation as one line: its own, preceded by those of the conversation it branched from, up to
 * the fork and as they were then, and so on (BRA-1, BRA-2).
 *
 * A branch continues the numbering of its fork, so `ord` orders the whole line. Each stream of the line contributes one
 * section. A section's rollbacks also hide messages in the sections above it, never in those below: beyond the fork the
 * same numbers are other messages.
 *
 * A section above never changes: it is read as of the event the branch was created at.
 */
import {
  type ArchiveRow,
  dimmedRanges,
  isArchiveDimmed,
  isInForce,
  isWithin,
  joined,
  limits,
  type MessageRow,
  type OrdRange,
  type Origin,
  parseRow,
  parseRows,
  Refusal,
  type RollbackRow,
  type StreamId,
  visibleFrom,
} from "@parlor/protocol"
import type { RowQuery, RowReader, RowsRead, StoredRow } from "../ports/store.ts"

const NO_END = Number.MAX_SAFE_INTEGER
/** Bytes of messages per read. A page may have fewer rows than requested; the next one follows (LOG-25). */
const STEP_BYTES = 256 * 1024

export type Section = {
  readonly stream: StreamId
  /** The number of sections below it: zero for the conversation's own. */
  readonly depth: number
  /** The last event of its log that counts; the whole log if omitted. */
  readonly asOf: number | undefined
  /** Its messages are those after `above`, up to `upTo`. */
  readonly above: number
  readonly upTo: number
  readonly origin: Origin | null
  /** All its own rollbacks, in force or not. */
  readonly rollbacks: readonly RollbackRow[]
  /** The dimmed ranges of the line, as far as it was read. */
  readonly dimmed: readonly OrdRange[]
  /** The part of it that comes from the sections above the conversation's own: it never changes. */
  readonly inherited: readonly OrdRange[]
  /** All its own archives, in force or not. */
  readonly ownArchives: readonly ArchiveRow[]
  /** Archives in force, as far as the line was read, newest first. The one that reaches furthest counts. */
  readonly archives: readonly ArchiveRow[]
}

export type LinePage = {
  readonly section: Section
  /** Newest first. */
  readonly rows: readonly StoredRow[]
  /** The results of the other queries, with the first page. */
  readonly read: RowsRead | undefined
}

/** An earlier moment of the conversation itself: its last event that counts, and its last message. */
export type LineEnd = Pick<Fork, "upTo"> & { readonly asOf: number }

export type LineOptions = {
  readonly page: number
  readonly before?: number | undefined
  /** Skips dimmed messages: the cost does not grow with their number. */
  readonly visible?: boolean
  /** Where the line ends; now if omitted. */
  readonly end?: LineEnd | undefined
  /** Read with the conversation's own first page, at the same moment. */
  readonly also?: readonly RowQuery[]
}

/** Page by page, newest first, as long as the caller asks for more. */
export async function* readLine(store: RowReader, stream: StreamId, options: LineOptions): AsyncGenerator<LinePage> {
  let before = options.before ?? NO_END
  let fork: Fork | undefined = ownEnd(stream, options.end)
  for (let also = options.also; fork !== undefined; also = undefined) {
    before = Math.min(before, fork.upTo + 1)
    const opened: OpenedSection | undefined = await openSection(store, fork, [page(options, before), ...(also ?? [])])
    if (opened === undefined) return
    const { section } = opened
    let [rows = [], ...lists] = opened.lists
    let isCut = opened.cut.includes(0)
    let read: RowsRead | undefined = also && { stream: opened.read.stream, lists, cut: shifted(opened.cut, 1) }
    for (;;) {
      yield { section, rows: options.visible ? rows.filter((row) => !isHidden(row, section)) : rows, read }
      read = undefined
      before = rows.at(-1)?.ord ?? before
      if (options.visible) before = visibleFrom(before - 1, section.dimmed) + 1
      if ((rows.length < options.page && !isCut) || before <= section.above + 1) break
      const more: RowsRead | undefined = await store.log.read(section.stream, [page(options, before)])
      rows = more?.lists[0] ?? []
      isCut = (more?.cut.length ?? 0) > 0
    }
    fork = forkOf(section)
  }
}

/** The visible messages after one number and before another, page by page, oldest first. */
export async function* readLineForward(
  store: RowReader,
  stream: StreamId,
  options: { readonly after: number; readonly before: number; readonly page: number },
): AsyncGenerator<readonly StoredRow[]> {
  const sections = await sectionsOf(store, stream)
  for (const section of [...sections].reverse()) {
    let after = Math.max(options.after, section.above)
    const end = Math.min(options.before - 1, section.upTo)
    while (after < end) {
      const query = { collection: "messages", oldest: options.page, after, bytes: STEP_BYTES } as const
      const rows = (await store.log.read(section.stream, [query]))?.lists[0] ?? []
      yield rows.filter((row) => (row.ord ?? 0) <= end && !isHidden(row, section))
      after = rows.at(-1)?.ord ?? end
    }
  }
}

export type OnLine = {
  readonly message: MessageRow
  /** From the conversation's own section to the one that has the message. */
  readonly sections: readonly Section[]
  readonly section: Section
  /** The stream that has the next message on the line: a different one where a branch forks. */
  readonly next: StreamId
  /** The conversation's own stream, as read. */
  readonly stream: RowsRead["stream"]
}

/** The message with that id and its position on the line; undefined if it is not on it. */
export async function findOnLine(
  store: RowReader,
  stream: StreamId,
  id: string,
  end?: LineEnd,
): Promise<OnLine | undefined> {
  const below: Section[] = []
  let own: RowsRead["stream"] | undefined
  for (let fork: Fork | undefined = ownEnd(stream, end); fork !== undefined; ) {
    const opened: OpenedSection | undefined = await openSection(store, fork, [{ collection: "messages", key: id }])
    if (opened === undefined) return undefined
    const { section, read } = opened
    own ??= read.stream
    const row = opened.lists[0]?.[0]
    const message = row && parseRow("messages", row.value)
    if (message !== undefined && message.ord > section.above && message.ord <= section.upTo) {
      const sections = [...below, section]
      const next = sections.findLast(({ upTo }) => upTo > message.ord)?.stream ?? stream
      return { message, sections, section, next, stream: own }
    }
    below.push(section)
    fork = forkOf(section)
  }
  return undefined
}

/** All sections of the line, the conversation's own first. */
export async function sectionsOf(store: RowReader, stream: StreamId): Promise<readonly Section[]> {
  const sections: Section[] = []
  for (let fork: Fork | undefined = ownEnd(stream); fork !== undefined; ) {
    const opened: OpenedSection | undefined = await openSection(store, fork, [])
    if (opened === undefined) break
    sections.push(opened.section)
    fork = forkOf(opened.section)
  }
  return sections
}

export function isOnLineDimmed(ord: number, section: Pick<Section, "dimmed">): boolean {
  return section.dimmed.some((range) => isWithin(ord, range))
}

/**
 * The archive whose summary replaces everything up to its end. Of two that reach equally far, the one made last: the
 * order of the list says which, because `began` counts the events of one log only.
 */
export function standingArchive(archives: Section["archives"]): ArchiveRow | undefined {
  let farthest: ArchiveRow | undefined
  for (const archive of archives) if (farthest === undefined || archive.toOrd > farthest.toOrd) farthest = archive
  return farthest
}

/** Where reading of a section starts from below: its end, and what the sections below hide and archive. */
type Fork = Pick<Section, "stream" | "depth" | "asOf" | "upTo" | "dimmed" | "inherited" | "archives">

type OpenedSection = {
  readonly section: Section
  readonly read: RowsRead
  /** The results of the requested queries, and which of them were cut. */
  readonly lists: readonly (readonly StoredRow[])[]
  readonly cut: readonly number[]
}

function ownEnd(stream: StreamId, end?: LineEnd): Fork {
  return { stream, asOf: undefined, upTo: NO_END, ...end, dimmed: [], inherited: [], archives: [], depth: 0 }
}

const SECTION_QUERIES = [
  { collection: "status" },
  { collection: "rollbacks" },
  { collection: "archives" },
] as const satisfies readonly RowQuery[]

/** Undefined if a conversation above was deleted: the line begins below it. */
async function openSection(
  store: RowReader,
  fork: Fork,
  queries: readonly RowQuery[],
): Promise<OpenedSection | undefined> {
  const read = await store.log.read(fork.stream, [...SECTION_QUERIES, ...queries])
  if (read === undefined && fork.depth === 0) throw new Refusal("conversation.unknown", "The conversation was deleted.")
  if (read === undefined) return undefined
  const [status, rollbackRows, archiveRows, ...lists] = read.lists
  const rollbacks = parseRows("rollbacks", rollbackRows)
  const { stream, asOf, upTo, depth } = fork
  const origin = parseRows("status", status)[0]?.origin ?? null
  const own = dimmedRanges(rollbacks, asOf).map((range) => clipped(range, upTo))
  const dimmed = joined([...fork.dimmed, ...own])
  const inherited = depth === 0 ? [] : joined([...fork.inherited, ...own])
  const ownArchives = parseRows("archives", archiveRows).sort((a, b) => b.began - a.began)
  const archives = ownArchives.filter((archive) => isInForce(archive, asOf) && !isArchiveDimmed(archive, dimmed, upTo))
  const section = {
    stream,
    asOf,
    upTo,
    depth,
    origin,
    rollbacks,
    dimmed,
    inherited,
    above: Math.min(origin?.ord ?? 0, upTo),
    ownArchives,
    archives: [...fork.archives, ...archives],
  }
  return { section, read, lists, cut: shifted(read.cut, SECTION_QUERIES.length) }
}

/** Indexes after removing the first `by` lists. */
function shifted(cut: readonly number[], by: number): readonly number[] {
  return cut.flatMap((index) => (index < by ? [] : [index - by]))
}

function forkOf(section: Section): Fork | undefined {
  const { origin, above, depth } = section
  if (origin === null || above === 0 || depth >= limits.branchDepth) return undefined
  return { ...section, stream: origin.stream, asOf: origin.seq, upTo: above, depth: depth + 1 }
}

function clipped({ toOrd, fromOrd }: OrdRange, upTo: number): OrdRange {
  return { toOrd, fromOrd: Math.min(fromOrd, upTo) }
}

function page(options: LineOptions, before: number): RowQuery {
  return { collection: "messages", newest: options.page, bytes: STEP_BYTES, ...(before === NO_END ? {} : { before }) }
}

function isHidden(row: StoredRow, section: Section): boolean {
  return isOnLineDimmed(row.ord ?? 0, section)
}
