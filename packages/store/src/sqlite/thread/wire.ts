/**
 * Batches and their answers as flat arrays of plain values: cloning one between threads costs half as much as nested
 * objects. `pack.ts` is the other half; it stays out of the worker, which loads nothing it does not need.
 */
import type { Append, Appended, RowChange, Spending } from "@parlor/core"
import type { Collection, Millis, Operation, StreamId, TxId } from "@parlor/protocol"

export type Cell = string | number | boolean | null | undefined
export type Packed = readonly Cell[]

/** An append as the worker carries it out. */
export type Work = Append & { readonly moves: boolean; readonly feedMoves: boolean }

type Claim = Extract<Append["lease"], { readonly kind: "claim" }>

/** Optional cells of a change: deltas, the most frequent changes, have none. */
export const HAS_PLACE = 1
export const HAS_DROPS = 2
export const HAS_TEXT = 4
export const HAS_OUTLINE = 8

const ANSWER_CELLS = 5

export function unpackBatch(cells: Packed): Work[] {
  const reader = new CellReader(cells)
  const batch: Work[] = []
  while (!reader.done) batch.push(unpackAppend(reader))
  return batch
}

export function packAnswers(answers: readonly Appended[]): Packed {
  const cells: Cell[] = []
  for (const answer of answers) {
    if (answer.ok)
      cells.push(answer.skipped ? "skipped" : "ok", answer.head, answer.control, answer.epoch, answer.feedHead)
    else if (answer.why === "repeated") cells.push(answer.why, answer.hash, answer.answer, answer.seq, 0)
    else cells.push(answer.why, 0, 0, 0, 0)
  }
  return cells
}

export function unpackAnswers(cells: Packed): Appended[] {
  const answers: Appended[] = []
  for (let at = 0; at < cells.length; at += ANSWER_CELLS) answers.push(unpackAnswer(cells, at))
  return answers
}

function unpackAppend(reader: CellReader): Work {
  const stream = reader.next<StreamId>()
  const txid = reader.next<TxId>()
  const at = reader.next<number>()
  const expect = reader.next<number | undefined>()
  const epoch = reader.next<number | undefined>()
  const batch = reader.next<number | undefined>()
  const active = reader.next<boolean | undefined>()
  const leaseKind = reader.next<"claim" | "force" | "release" | undefined>()
  const owner = reader.next<string>()
  const ttlMs = reader.next<number>()
  const onceKey = reader.next<string | undefined>()
  const hash = reader.next<string>()
  const answer = reader.next<string>()
  const feedStream = reader.next<StreamId | undefined>()
  const feedCount = reader.next<number>()
  const feedMoves = reader.next<boolean>()
  const count = reader.next<number>()
  const moves = reader.next<boolean>()
  const spentCount = reader.next<number>()
  const changes = unpackChanges(reader, count)
  const feedChanges = unpackChanges(reader, feedCount)
  const spent = Array.from({ length: spentCount }, () => unpackSpending(reader))
  return {
    stream,
    changes,
    txid,
    at,
    moves,
    feedMoves,
    ...(expect === undefined ? {} : { expect }),
    ...(epoch === undefined ? {} : { epoch }),
    ...(batch === undefined ? {} : { batch }),
    ...(active === undefined ? {} : { active }),
    ...(leaseKind === undefined
      ? {}
      : { lease: leaseKind === "release" ? { kind: leaseKind } : claim(owner, ttlMs, leaseKind === "force") }),
    ...(onceKey === undefined ? {} : { once: { key: onceKey, hash, answer } }),
    ...(feedStream === undefined ? {} : { feed: { stream: feedStream, changes: feedChanges } }),
    ...(spentCount === 0 ? {} : { spent }),
  }
}

function unpackChanges(reader: CellReader, count: number): RowChange[] {
  const changes: RowChange[] = []
  for (let i = 0; i < count; i++) {
    const change: RowChange = {
      collection: reader.next<Collection>(),
      key: reader.next<string>(),
      operation: reader.next<Operation>(),
      value: reader.next<string>(),
      ord: reader.next<number | null>(),
    }
    const has = reader.next<number | undefined>()
    changes.push(has === undefined ? change : { ...change, ...unpackRest(reader, has) })
  }
  return changes
}

type Rest = Pick<RowChange, "place" | "dropsDeltasOf" | "text" | "at" | "outline">

function unpackRest(reader: CellReader, has: number): Rest {
  const place = has & HAS_PLACE ? { place: reader.next<string>() } : {}
  const drops = has & HAS_DROPS ? { ...place, dropsDeltasOf: reader.next<string>() } : place
  const found = has & HAS_TEXT ? { ...drops, text: reader.next<string | null>(), at: reader.next<Millis>() } : drops
  return has & HAS_OUTLINE ? { ...found, outline: reader.next<string>() } : found
}

/** In the order of `spendingCells`. */
function unpackSpending(reader: CellReader): Spending {
  return {
    person: reader.next<string>(),
    day: reader.next<string>(),
    source: reader.next<Spending["source"]>(),
    agent: reader.next<string>(),
    model: reader.next<string>(),
    calls: reader.next<number>(),
    inputTokens: reader.next<number>(),
    outputTokens: reader.next<number>(),
    costMicros: reader.next<number>(),
  }
}

function claim(owner: string, ttlMs: number, force: boolean): Claim {
  return { kind: "claim", owner, ttlMs, force }
}

function unpackAnswer(cells: Packed, at: number): Appended {
  const [why, a, b, c, d] = cells.slice(at, at + ANSWER_CELLS)
  if (why === "ok" || why === "skipped")
    return {
      ok: true,
      head: a as number,
      control: b as number,
      epoch: c as number,
      feedHead: d as number,
      skipped: why === "skipped",
    }
  if (why === "repeated") return { ok: false, why, hash: a as string, answer: b as string, seq: c as number }
  return { ok: false, why: why as "moved" | "fenced" | "owned" | "gone" }
}

/** Reads cells in the order they were packed; this file alone guarantees the types. */
class CellReader {
  readonly #cells: Packed
  #at = 0

  constructor(cells: Packed) {
    this.#cells = cells
  }

  get done(): boolean {
    return this.#at >= this.#cells.length
  }

  next<T extends Cell>(): T {
    return this.#cells[this.#at++] as T
  }
}
