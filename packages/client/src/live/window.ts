/**
 * The rows of a conversation in a client: those of the snapshot, the older pages it loaded, and every change
 * since. Messages before the window's start are kept when a change brings them, but not shown.
 *
 * Which messages are dimmed is computed from the current rollbacks and from the ranges inherited at the fork, which
 * never change; the `dimmed` of a response is only true at the time of that response (RBK-1).
 *
 * Text of a streaming message is accumulated as it arrives, so that showing it costs nothing per delta already seen.
 */
import {
  type AskRow,
  type ChangeEvent,
  type Collection,
  type DeltaRow,
  deltaKey,
  dimmedRanges,
  emptyRows,
  endsStreaming,
  fold,
  inQueueOrder,
  isWithin,
  joined,
  type MessagePage,
  type MessageRow,
  type OrdRange,
  type QueueRow,
  queuePlace,
  type RowOf,
  type Rows,
  type Snapshot,
  STATUS_KEY,
  type StatusRow,
  withDeltas,
} from "@parlor/protocol"

export class Window {
  readonly #rows: Rows = emptyRows()
  /** Per message and part, all text so far as one delta. */
  readonly #texts = new Map<string, Map<number, DeltaRow>>()
  readonly #shown = new Map<string, MessageRow>()
  readonly #lists = new Map<Collection, readonly unknown[]>()
  /** Queued messages that left before their page was read. */
  readonly #leftQueue = new Set<string>()
  #unreadQueued: number
  #order: readonly string[] | undefined
  #older: string | null
  #fromOrd: number
  #inherited: readonly OrdRange[]
  #dimmed: readonly OrdRange[] | undefined

  constructor(snapshot: Snapshot) {
    this.#older = snapshot.older
    this.#fromOrd = startOf(snapshot.messages, snapshot.older)
    this.#inherited = snapshot.inherited
    this.#unreadQueued = Math.max(0, snapshot.queued - snapshot.queue.length)
    this.#rows.status.set(STATUS_KEY, snapshot.status)
    for (const row of snapshot.messages) this.#rows.messages.set(row.id, undimmed(row))
    for (const row of snapshot.branches) this.#rows.branches.set(row.branch, row)
    for (const row of snapshot.queue) this.#rows.queue.set(row.id, row)
    for (const row of snapshot.asks) this.#rows.asks.set(row.id, row)
    for (const row of snapshot.slashCommands) this.#rows.slashCommands.set(row.name, row)
    for (const row of snapshot.archives) this.#rows.archives.set(row.id, row)
    for (const row of snapshot.turns ?? []) this.#rows.turns.set(row.id, row)
    for (const row of snapshot.rollbacks) this.#rows.rollbacks.set(row.id, row)
    for (const row of snapshot.messages) if (!endsStreaming(row)) this.#seed(row)
  }

  get older(): string | null {
    return this.#older
  }

  get status(): StatusRow | null {
    return this.#rows.status.get(STATUS_KEY) ?? null
  }

  /** How many queued messages are not in `queue()`, because a long queue is read by page. */
  get unreadQueued(): number {
    return this.#unreadQueued
  }

  /** The place after which unread queued messages follow; null if there are none. */
  get queueEnd(): string | null {
    const last = this.queue().at(-1)
    return this.#unreadQueued === 0 || last === undefined ? null : queuePlace(last)
  }

  /** A page of the rest of the queue. Rows that a change has brought or removed already are newer than the page's. */
  addQueued(rows: readonly QueueRow[]): void {
    for (const row of rows) {
      if (this.#leftQueue.has(row.id) || this.#rows.queue.has(row.id)) continue
      this.#rows.queue.set(row.id, row)
      this.#unreadQueued = Math.max(0, this.#unreadQueued - 1)
    }
    this.#lists.delete("queue")
  }

  apply(changes: readonly ChangeEvent[]): void {
    if (this.#unreadQueued > 0) this.#noteQueue(changes)
    fold(this.#rows, changes)
    for (const change of changes) this.#note(change)
  }

  /** An older page. A row that a change has brought already is at least as new as the page's. */
  prepend(page: MessagePage): void {
    for (const row of page.messages)
      if (!this.#rows.messages.has(row.id)) this.#rows.messages.set(row.id, undimmed(row))
    this.#inherited = joined([...this.#inherited, ...page.inherited])
    this.#dimmed = undefined
    this.#older = page.older
    this.#fromOrd = Math.min(this.#fromOrd, startOf(page.messages, page.older))
    this.#order = undefined
    this.#lists.delete("messages")
  }

  /** In order. The array and each message stay the same object until they change. */
  messages(): readonly MessageRow[] {
    return this.#list("messages", () => {
      this.#order ??= this.#inOrder()
      return this.#order.flatMap((id) => this.#show(id) ?? [])
    })
  }

  /** In the order they will start (QUE-3). */
  queue(): readonly QueueRow[] {
    return this.#list("queue", () => inQueueOrder(this.#rows.queue.values()))
  }

  /** Open asks only. */
  asks(): readonly AskRow[] {
    return this.#list("asks", () => [...this.#rows.asks.values()].filter((row) => row.state === "open"))
  }

  all<C extends "slashCommands" | "archives" | "rollbacks" | "branches" | "turns" | "changes">(
    collection: C,
  ): readonly RowOf<C>[] {
    const table = this.#rows[collection] as ReadonlyMap<string, RowOf<C>>
    return this.#list(collection, () => [...table.values()])
  }

  #list<T>(collection: Collection, make: () => readonly T[]): readonly T[] {
    const known = this.#lists.get(collection)
    if (known) return known as readonly T[]
    const list = make()
    this.#lists.set(collection, list)
    return list
  }

  #inOrder(): readonly string[] {
    const rows = [...this.#rows.messages.values()].filter((row) => row.ord >= this.#fromOrd)
    return rows.sort((a, b) => a.ord - b.ord).map((row) => row.id)
  }

  #show(id: string): MessageRow | undefined {
    const known = this.#shown.get(id)
    if (known) return known
    const row = this.#rows.messages.get(id)
    if (row === undefined) return undefined
    const said = withDeltas(row, this.#texts.get(id)?.values() ?? [])
    const shown = this.#isDimmed(row) ? { ...said, dimmed: true } : said
    this.#shown.set(id, shown)
    return shown
  }

  #isDimmed({ ord }: MessageRow): boolean {
    this.#dimmed ??= joined([...this.#inherited, ...dimmedRanges(this.#rows.rollbacks.values())])
    return this.#dimmed.some((range) => isWithin(ord, range))
  }

  /** Messages that are dimmed as before stay the same objects. */
  #noteRollback(): void {
    this.#dimmed = undefined
    this.#lists.delete("messages")
    for (const [id, { dimmed }] of this.#shown) {
      const row = this.#rows.messages.get(id)
      if (row === undefined || this.#isDimmed(row) !== dimmed) this.#shown.delete(id)
    }
  }

  #noteQueue(changes: readonly ChangeEvent[]): void {
    const arrived = new Set<string>()
    for (const { type, key, headers } of changes) {
      if (type !== "queue") continue
      if (headers.operation === "insert") arrived.add(key)
      if (arrived.has(key) || this.#rows.queue.has(key) || this.#leftQueue.has(key)) continue
      // An unread message was changed, and the change brings it; or it left.
      this.#unreadQueued = Math.max(0, this.#unreadQueued - 1)
      arrived.add(key)
      if (headers.operation === "delete") this.#leftQueue.add(key)
    }
  }

  #note(change: ChangeEvent): void {
    this.#lists.delete(change.type)
    if (change.type === "deltas") {
      this.#noteDelta(change.value, change.headers.operation === "insert")
      this.#lists.delete("messages")
      this.#shown.delete(change.value.message)
    }
    if (change.type === "rollbacks") this.#noteRollback()
    if (change.type === "messages") {
      this.#order = undefined
      this.#shown.delete(change.key)
      if (change.headers.operation === "delete" || endsStreaming(change.value)) this.#texts.delete(change.key)
    }
  }

  #noteDelta(delta: DeltaRow, isInsert: boolean): void {
    const parts = this.#texts.get(delta.message) ?? new Map<number, DeltaRow>()
    this.#texts.set(delta.message, parts)
    const sofar = parts.get(delta.part)
    if (isInsert && sofar === undefined) parts.set(delta.part, delta)
    else if (isInsert && sofar !== undefined && delta.n > sofar.n)
      parts.set(delta.part, { ...delta, text: sofar.text + delta.text })
    else this.#rejoin(parts, delta)
  }

  /** A delta was replaced or removed, which is rare: the part's text is joined again. */
  #rejoin(parts: Map<number, DeltaRow>, { message, part }: DeltaRow): void {
    const deltas = [...this.#rows.deltas.values()].filter((row) => row.message === message && row.part === part)
    const last = deltas.sort((a, b) => a.n - b.n).at(-1)
    if (last === undefined) parts.delete(part)
    else parts.set(part, { ...last, text: deltas.map((row) => row.text).join("") })
  }

  /** The snapshot's text of a streaming message is the text of its deltas so far (LOG-8); later deltas continue it. */
  #seed(row: MessageRow): void {
    row.parts.forEach((part, index) => {
      if (part.type !== "text" && part.type !== "reasoning") return
      const delta: DeltaRow = { message: row.id, part: index, kind: part.type, n: -1, text: part.text }
      this.#rows.deltas.set(deltaKey(delta), delta)
      this.#noteDelta(delta, true)
    })
  }
}

function undimmed(row: MessageRow): MessageRow {
  return row.dimmed ? { ...row, dimmed: false } : row
}

function startOf(messages: readonly MessageRow[], older: string | null): number {
  if (older === null) return Number.NEGATIVE_INFINITY
  return messages.reduce((least, row) => Math.min(least, row.ord), Number.POSITIVE_INFINITY)
}
