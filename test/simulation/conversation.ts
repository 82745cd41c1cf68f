/** A stream as the journal tells it: its log, its rows, and for a conversation what was asked of it. */
import type { StreamKey } from "@parlor/core"
import {
  type Address,
  type AskRow,
  emptyRows,
  fold,
  type QueueRow,
  type Rows,
  STATUS_KEY,
  type StatusRow,
  type StoredChange,
  type StreamId,
  type TurnRow,
} from "@parlor/protocol"
import type { Op } from "./command.ts"
import type { Commit } from "./journal.ts"
import type { Process } from "./process.ts"

export class Tracked {
  readonly key: StreamKey
  readonly log: StoredChange[] = []
  readonly rows: Rows = emptyRows()
  /** The text each row was stored as. */
  readonly texts = new WeakMap<object, string>()
  stream: StreamId | undefined

  constructor(key: StreamKey) {
    this.key = key
  }

  take(commit: Commit): void {
    for (const { stored, event } of commit.entries) {
      this.log.push(stored)
      this.texts.set(event.value, stored.value)
      fold(this.rows, [event])
    }
  }
}

export class Conversation extends Tracked {
  readonly name: string
  readonly address: Address
  readonly feed: Tracked
  readonly ops: Op[] = []
  readonly opBy = new Map<string, Op>()
  turn: TurnRow | undefined
  openAsks = 0
  /** Who claimed it last. */
  owner: Process | undefined
  epoch = 0
  /**
   * When an owner last lost it without knowing: it was stopped from elsewhere, or claimed twice by one process. What
   * that owner has begun cannot be told from what the next one in the same process begins.
   */
  leftBehindAt = 0

  constructor(name: string, address: Address, feed: Tracked) {
    super({ kind: "conversation", ...address })
    this.name = name
    this.address = address
    this.feed = feed
  }

  override take(commit: Commit): void {
    for (const { event } of commit.entries) {
      if (event.type === "asks") {
        this.openAsks += isOpen(event.value) ? 1 : 0
        this.openAsks -= isOpen(this.rows.asks.get(event.key)) ? 1 : 0
        this.rows.asks.set(event.key, event.value)
      }
      if (event.type !== "turns") continue
      if (event.value.endedAt === null) this.turn = event.value
      else if (this.turn?.id === event.key) this.turn = undefined
      if (event.value.state === "stopped") this.leftBehindAt = commit.append.at
    }
    super.take(commit)
    if (commit.append.lease?.kind === "claim") {
      if (this.owner === commit.process) this.leftBehindAt = commit.append.at
      this.owner = commit.process
      this.epoch = commit.epoch
    }
  }

  get status(): StatusRow | undefined {
    return this.rows.status.get(STATUS_KEY)
  }

  /** In the order they start (QUE-3), said anew here and not taken from the code under test. */
  get queue(): readonly QueueRow[] {
    const rows = [...this.rows.queue.values()]
    return rows.sort((a, b) => compare(a.position, b.position) || a.queuedAt - b.queuedAt || compare(a.id, b.id))
  }

  opsOf<K extends Op["command"]["kind"]>(kind: K): (Op & { command: Extract<Op["command"], { kind: K }> })[] {
    return this.ops.filter((op) => op.command.kind === kind) as (Op & {
      command: Extract<Op["command"], { kind: K }>
    })[]
  }
}

function isOpen(ask: AskRow | undefined): boolean {
  return ask?.state === "open"
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
