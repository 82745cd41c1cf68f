/** The rows of one collection in memory; sort orders are maintained while that is cheap. */
import type { Collection } from "@parlor/protocol"
import type { RowChange, RowQuery, StoredRow } from "../ports/store.ts"

type Entry = {
  readonly key: string
  readonly ord: number | null
  readonly place: string | undefined
  row: StoredRow
  outline: string | undefined
}
type Order = { readonly has: (entry: Entry) => boolean; readonly compare: (a: Entry, b: Entry) => number }

const byKey: Order = { has: () => true, compare: (a, b) => compareText(a.key, b.key) }
const byOrd: Order = {
  has: (entry) => entry.ord !== null,
  compare: (a, b) => (a.ord ?? 0) - (b.ord ?? 0) || compareText(a.key, b.key),
}
const byPlace: Order = {
  has: (entry) => entry.place !== undefined,
  compare: (a, b) => compareText(a.place ?? "", b.place ?? "") || compareText(a.key, b.key),
}

export class MemoryRows {
  readonly #collection: Collection
  readonly #entries = new Map<string, Entry>()
  readonly #sorted = new Map<Order, Entry[]>()

  constructor(collection: Collection) {
    this.#collection = collection
  }

  put({ collection, key, ord, place, value, outline }: RowChange): void {
    const row = { collection, key, ord, value }
    const known = this.#entries.get(key)
    if (known !== undefined && known.ord === ord && known.place === place) {
      known.row = row
      known.outline = outline
      return
    }
    const entry = { key, ord, place, row, outline }
    this.#entries.set(key, entry)
    if (known !== undefined) this.#sorted.clear()
    else for (const [order, list] of this.#sorted) this.#extend(order, list, entry)
  }

  get size(): number {
    return this.#entries.size
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  delete(key: string): void {
    if (this.#entries.delete(key)) this.#sorted.clear()
  }

  all(): StoredRow[] {
    return rowsOf(this.#in(byKey))
  }

  list(query: RowQuery): StoredRow[] {
    if (query.count && query.key === undefined) return [countRow(this.#collection, this.#entries.size)]
    const entries = this.#entriesOf(query)
    return query.outlines ? entries.map(outlined) : rowsOf(entries)
  }

  #entriesOf(query: RowQuery): readonly Entry[] {
    const { key, first, last, newest, before, oldest, after, afterKey } = query
    if (key !== undefined) return [this.#entries.get(key)].filter((entry) => entry !== undefined)
    if (first !== undefined) return this.#in(byPlace).slice(0, first)
    if (last !== undefined) return ending(this.#in(byPlace), last)
    if (oldest !== undefined) return this.#above(after ?? Number.NEGATIVE_INFINITY, oldest)
    if (newest !== undefined || before !== undefined) return this.#below(query)
    const all = this.#in(byKey)
    return afterKey === undefined ? all : all.filter((entry) => compareText(entry.key, afterKey) > 0)
  }

  #above(after: number, limit: number): readonly Entry[] {
    const entries = this.#in(byOrd)
    const start = lowerBound(entries, (entry) => (entry.ord ?? 0) <= after)
    return entries.slice(start, start + limit)
  }

  #below({ newest = Number.POSITIVE_INFINITY, before, beforeKey = "" }: RowQuery): readonly Entry[] {
    const entries = this.#in(byOrd)
    if (before === undefined) return ending(entries, newest)
    const isBelow = ({ ord, key }: Entry) => (ord ?? 0) < before || (ord === before && compareText(key, beforeKey) < 0)
    return ending(entries.slice(0, lowerBound(entries, isBelow)), newest)
  }

  #in(order: Order): readonly Entry[] {
    const known = this.#sorted.get(order)
    if (known !== undefined) return known
    const entries = [...this.#entries.values()].filter(order.has).sort(order.compare)
    this.#sorted.set(order, entries)
    return entries
  }

  #extend(order: Order, list: Entry[], entry: Entry): void {
    if (!order.has(entry)) return
    const last = list.at(-1)
    if (last === undefined || order.compare(last, entry) < 0) list.push(entry)
    else this.#sorted.delete(order)
  }
}

/** Rows up to the byte limit, at least one. Deltas are not limited. */
export function withinBytes(rows: readonly StoredRow[], bytes: number | undefined): readonly StoredRow[] {
  if (bytes === undefined) return rows
  let sum = 0
  const end = rows.findIndex((row, index) => {
    sum += utf8Length(row.value)
    return index > 0 && sum > bytes && row.collection !== "deltas"
  })
  return end < 0 ? rows : rows.slice(0, end)
}

export function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    // Each half of a surrogate pair counts for two of its four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return bytes
}

export function countRow(collection: Collection, count: number): StoredRow {
  return { collection, key: "count", ord: null, value: String(count) }
}

/** Compares text like the stores do: by UTF-8 bytes, that is by code point and not by UTF-16 unit. */
export function compareText(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  for (let i = 0; i < end; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** Surrogates sort above all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** The number of leading entries that are below. */
function lowerBound(entries: readonly Entry[], isBelow: (entry: Entry) => boolean): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const entry = entries[middle]
    if (entry !== undefined && isBelow(entry)) low = middle + 1
    else high = middle
  }
  return low
}

/** The last `count` entries, last one first. */
function ending(entries: readonly Entry[], count: number): Entry[] {
  return entries.slice(Math.max(0, entries.length - count)).reverse()
}

function outlined({ row, outline }: Entry): StoredRow {
  return outline === undefined ? row : { ...row, value: outline }
}

function rowsOf(entries: readonly Entry[]): StoredRow[] {
  return entries.map((entry) => entry.row)
}
