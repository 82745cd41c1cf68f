/** All readers that follow a stream from this process: shared frames, keep-alives, limits, and disconnecting them. */
import type { ServerResponse } from "node:http"
import type { Clock, Store } from "@parlor/core"
import { formatOffset, limits, Refusal, type StoredChange, type StreamId } from "@parlor/protocol"
import type { Caller } from "../auth/caller.ts"
import { givenName } from "../auth/names.ts"
import { CATCH_UPS, Slots } from "../http/slots.ts"
import { taken, whenClosed } from "../http/taken.ts"
import { currentCursor, nextCursor } from "./cursor.ts"
import { Follower, type FollowerParts } from "./follower.ts"
import { controlFrame, dataFrame, isText } from "./frames.ts"
import { firstState, liveOffset, type Reading, type StreamQuery, startOf } from "./read.ts"
import { type Place, SharedStreams } from "./shared-streams.ts"
import { type Source, type State, seen, startsOver } from "./source.ts"

const KEEP_ALIVE_MS = 10_000
const RECHECK_MS = 4_000

/** The reader, and until when they may read. */
export type Reader = Pick<Caller, "person" | "linkedName" | "link" | "key" | "expiresAt">

/** An open read that can be ended: an event stream, or a waiting long-poll. */
export type Open = Pick<Follower, "keepAlive" | "cut" | "end">

type Group = { readonly stream: StreamId; readonly followers: Set<Follower>; readonly unsubscribe: () => void }

/** A reader of something shared can read it as long as it is shared. */
type Sharing = { readonly share: string; readonly stream: StreamId }

export type FollowersParts = {
  /** Counts streams of other servers too; undefined if there are none. */
  readonly openStreams?: Store["openStreams"] | undefined
  readonly reading: Reading
  /** The hashes whose key may still read: checked every few seconds, for keys revoked on other nodes (SEC-4). */
  readonly goodKeys: (hashes: readonly string[]) => Promise<ReadonlySet<string>>
  /** Those of these shares that may still be read: checked the same way, and when their conversation says so (SHR-6). */
  readonly stillShared: (shares: readonly string[]) => Promise<ReadonlySet<string>>
  /** The current links of these names: checked the same way, for names linked or unlinked on other nodes (ADR-4). */
  readonly linkedAmong: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

export class Followers {
  readonly #parts: FollowersParts
  readonly #groups = new Map<string, Group>()
  readonly #readers = new Map<Open, Reader>()
  readonly #sharing = new Map<Open, Sharing>()
  /** Open streams per counter. */
  readonly #taken = new Map<string, number>()
  readonly #catchUps: Slots
  readonly #shared: SharedStreams | undefined
  readonly #cancelTimers: (() => void)[] = []
  #closed = false

  constructor(parts: FollowersParts) {
    this.#parts = parts
    this.#catchUps = new Slots(parts.reading.clock, CATCH_UPS)
    this.#shared = parts.openStreams && new SharedStreams(parts.reading.clock, this.#taken, parts.openStreams)
    this.#every(KEEP_ALIVE_MS, async () => this.#keepAlive())
    this.#every(RECHECK_MS, () => this.#recheck())
  }

  /** Responds with an event stream that continues until the reader leaves. */
  async follow(
    source: Source,
    query: StreamQuery,
    out: ServerResponse,
    reader: Reader,
    headers: Record<string, string>,
  ): Promise<void> {
    const offset = liveOffset(query)
    let follower: Follower | undefined
    const open: Open = {
      keepAlive: () => follower?.keepAlive(),
      cut: () => {
        gone()
        out.destroy()
      },
      end: () => (follower === undefined ? out.destroy() : follower.end()),
    }
    const leave = this.#enter(open, reader)
    if (source.lens !== undefined) this.#sharing.set(open, { share: source.lens.share, stream: source.stream })
    const gone = () => {
      leave()
      this.#sharing.delete(open)
      if (follower !== undefined) this.#remove(source, follower)
    }
    // Registered first: a reader may leave while its position is looked up.
    whenClosed(out, gone)
    try {
      await this.#admit(reader)
      const state = await firstState(source, query)
      const from = state
        ? { seq: state.head, offset: state.offset }
        : await startOf(this.#parts.reading, source, offset)
      if (out.destroyed) return
      const cursor = () => nextCursor(this.#clock.now(), query.cursor)
      const enter = () => this.#catchUps.enter(reader, out)
      follower = new Follower({ reading: this.#parts.reading, source, out, from, cursor, enter })
      out.writeHead(200, {
        ...headers,
        "content-type": "text/event-stream",
        "cache-control": "no-cache, no-store",
        ...(isText(source) ? {} : { "stream-sse-data-encoding": "base64" }),
      })
      out.flushHeaders()
      if (state) await writeState(source, state, { out, enter, cursor })
      if (out.destroyed) return
      this.#add(source, follower)
      follower.catchUp()
    } catch (error) {
      gone()
      // A started stream can no longer be refused.
      if (out.headersSent) out.destroy()
      else throw error
    }
  }

  /** Counts a long-poll as an open stream of its reader for as long as `work` takes. */
  async during<T>(poll: Open, reader: Reader, work: () => Promise<T>): Promise<T> {
    const leave = this.#enter(
      {
        ...poll,
        cut: () => {
          leave()
          poll.cut()
        },
      },
      reader,
    )
    try {
      await this.#admit(reader)
      return await work()
    } finally {
      leave()
    }
  }

  cutKey(id: string): void {
    for (const [open, reader] of this.#readers) if (reader.key?.id === id) open.cut()
  }

  /** Disconnects readers under that name: it belongs to another person now. */
  cutName(name: string): void {
    for (const [open, reader] of this.#readers) if (givenName(reader) === name) open.cut()
  }

  /** Disconnects everything they have open, under any of their names. */
  cutPerson(person: string): void {
    for (const [open, reader] of this.#readers) if (reader.person === person) open.cut()
  }

  /** Nobody may read this share any longer. */
  cutShare(share: string): void {
    for (const [open, sharing] of this.#sharing) if (sharing.share === share) open.cut()
  }

  cutStream(stream: StreamId): void {
    for (const group of this.#groups.values())
      if (group.stream === stream) for (const follower of group.followers) follower.end()
  }

  get size(): number {
    return this.#readers.size
  }

  close(): void {
    this.#closed = true
    for (const cancel of this.#cancelTimers) cancel()
    this.#shared?.close()
    for (const open of this.#readers.keys()) open.end()
  }

  get #clock(): Clock {
    return this.#parts.reading.clock
  }

  /** Takes a slot, or refuses. Returns its release function. */
  #enter(open: Open, reader: Reader): () => void {
    const places = placesOf(reader)
    for (const { whose, most } of places) if ((this.#taken.get(whose) ?? 0) >= most) throw tooManyStreams(most)
    for (const { whose } of places) this.#taken.set(whose, (this.#taken.get(whose) ?? 0) + 1)
    this.#readers.set(open, reader)
    return () => {
      if (!this.#readers.delete(open)) return
      for (const { whose } of places) {
        const left = (this.#taken.get(whose) ?? 1) - 1
        if (left > 0) this.#taken.set(whose, left)
        else this.#taken.delete(whose)
      }
    }
  }

  /** Refuses if all servers together have no room for the slot that was taken here. */
  async #admit(reader: Reader): Promise<void> {
    const refused = await this.#shared?.refused(placesOf(reader))
    if (refused !== undefined) throw tooManyStreams(refused.most)
  }

  #add(source: Source, follower: Follower): void {
    const group = this.#groups.get(groupOf(source)) ?? this.#open(source)
    group.followers.add(follower)
  }

  #open(source: Source): Group {
    const followers = new Set<Follower>()
    const unsubscribe = this.#parts.reading.runtime.subscribe(
      source.stream,
      (changes) => this.#publish(source, followers, changes),
      { isPerson: source.lens === undefined },
    )
    const group = { stream: source.stream, followers, unsubscribe }
    this.#groups.set(groupOf(source), group)
    return group
  }

  #publish(source: Source, followers: ReadonlySet<Follower>, changes: readonly StoredChange[]): void {
    // Another server tells only that something changed.
    const mayHaveEnded = changes.length === 0 || changes.some(({ collection }) => collection === "status")
    if (source.lens !== undefined && mayHaveEnded) void this.#recheckShares(source.stream).catch(() => {})
    const first = changes[0]?.seq
    const last = changes.at(-1)
    if (first === undefined || last === undefined) {
      for (const follower of followers) follower.wake()
      return
    }
    if (startsOver(source, changes)) {
      for (const follower of followers) follower.end()
      return
    }
    const offset = formatOffset(last.seq, last.txid)
    const shown = seen(source, changes)
    const isNamed = shown.length > 0
    const cursor = currentCursor(this.#clock.now())
    const control = controlFrame({ offset, cursor, upToDate: true, closed: false, isNamed })
    const frame = Buffer.from((isNamed ? dataFrame(source, shown, offset) : "") + control)
    for (const follower of followers) follower.take(frame, first, { seq: last.seq, offset })
  }

  #remove(source: Source, follower: Follower): void {
    const group = this.#groups.get(groupOf(source))
    group?.followers.delete(follower)
    if (group === undefined || group.followers.size > 0) return
    group.unsubscribe()
    this.#groups.delete(groupOf(source))
  }

  #keepAlive(): void {
    for (const open of this.#readers.keys()) open.keepAlive()
  }

  async #recheck(): Promise<void> {
    const now = this.#clock.now()
    const keys = new Map<string, string>()
    for (const [open, reader] of this.#readers) {
      if (reader.expiresAt !== null && reader.expiresAt <= now) open.cut()
      else if (reader.key !== null) keys.set(reader.key.id, reader.key.hash)
    }
    const good = keys.size === 0 ? new Set() : await this.#parts.goodKeys([...keys.values()])
    for (const [id, hash] of keys) if (!good.has(hash)) this.cutKey(id)
    await this.#recheckShares()
    const readers = [...this.#readers]
    const linked = await this.#parts.linkedAmong([...new Set(readers.map(([, reader]) => givenName(reader)))])
    for (const [open, reader] of readers) {
      const given = givenName(reader)
      if ((linked.get(given) ?? given) !== reader.person) open.cut()
    }
  }

  /** Of one stream, or of all. */
  async #recheckShares(stream?: StreamId): Promise<void> {
    const open = [...this.#sharing.values()].filter((one) => stream === undefined || one.stream === stream)
    const shares = [...new Set(open.map(({ share }) => share))]
    if (shares.length === 0) return
    const still = await this.#parts.stillShared(shares)
    for (const share of shares) if (!still.has(share)) this.cutShare(share)
  }

  #every(ms: number, work: () => Promise<void>): void {
    const slot = this.#cancelTimers.push(() => {}) - 1
    const again = () => {
      if (this.#closed) return
      this.#cancelTimers[slot] = this.#clock.after(
        ms,
        () =>
          void work()
            .catch(() => {})
            .finally(again),
      )
    }
    again()
  }
}

/** Readers who see the same of a stream share frames. */
function groupOf({ stream, variant = "", lens }: Source): string {
  return lens === undefined ? `${stream}${variant}` : `${stream} ${lens.name}`
}

/** Streams of keys are counted separately, so that they never use up the person's own (SEC-14). */
function placesOf({ person, key, link }: Reader): readonly Place[] {
  if (link !== undefined) return [{ whose: person, most: limits.streamsPerLink }]
  if (key === null) return [{ whose: person, most: limits.streamsPerPerson }]
  return [
    { whose: `${person} by keys`, most: limits.streamsPerPerson },
    { whose: `${person} by ${key.id}`, most: limits.streamsPerKey },
  ]
}

function tooManyStreams(most: number): Refusal {
  return new Refusal("rate.exceeded", `Too many open streams. The maximum is ${most}. Close some.`)
}

/**
 * Piece by piece, as the reader reads them. The control frame after the last one says where the log continues; only it
 * has an id, because a reader that is cut off before it starts over.
 */
async function writeState(
  source: Source,
  state: State,
  { out, enter, cursor }: Pick<FollowerParts, "out" | "enter" | "cursor">,
): Promise<void> {
  const leave = await enter()
  try {
    for await (const changes of state.pieces) {
      if (out.destroyed) return
      out.write(dataFrame(source, changes))
      await taken(out)
    }
    out.write(controlFrame({ offset: state.offset, cursor: cursor(), upToDate: false, closed: false }))
  } finally {
    leave()
  }
}
