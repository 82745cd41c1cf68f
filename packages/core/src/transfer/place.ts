/**
 * Where an import is written until it is complete (LOG-28).
 *
 *   collecting ──fits one append──▶ one decision on the conversation
 *       │ more
 *       ▼
 *   staged: a stream of its own, at no address ──last line──▶ adopted: takes the place of the empty conversation
 *       └──refused, broken off, crash──▶ abandoned: its lease ends, and the sweeper deletes it slice by slice
 *
 * Each append is limited in lines and bytes, and the next one starts only when the last is durable, so that other
 * writes can go in between. Nobody reads a staged stream; adopting it is one small transaction.
 */
import {
  type Address,
  feedKey,
  type MessageId,
  type NewChange,
  Refusal,
  type StatusRow,
  type StreamId,
  type TxId,
} from "@parlor/protocol"
import { createConversation } from "../conversation/create.ts"
import { feedStream } from "../log/address.ts"
import { apply, feedChange } from "../log/apply.ts"
import { rowChange } from "../log/row-change.ts"
import {
  type ConversationState,
  isBusy,
  newState,
  newStatus,
  stateOf,
  stateQueries,
  statusChange,
} from "../log/state.ts"
import { claimBy, writeDecision } from "../log/write.ts"
import type { Adoption, Append, Appended, Stream } from "../ports/store.ts"
import { firstCommands } from "../slash-command/lent-commands.ts"
import { broken } from "./contents.ts"
import type { ImportAccess } from "./import-access.ts"

export type Once = NonNullable<Append["once"]>

/** The conversation before the import. */
type Target = { readonly stream: Stream | undefined; readonly state: ConversationState; readonly isEmpty: boolean }

export class ImportPlace {
  readonly #node: ImportAccess
  readonly #address: Address
  readonly #txid: TxId
  #staged: { readonly id: StreamId; head: number } | undefined
  #isAdopting = false

  constructor(node: ImportAccess, address: Address, txid: TxId) {
    this.#node = node
    this.#address = address
    this.#txid = txid
  }

  get isStaged(): boolean {
    return this.#staged !== undefined
  }

  /** Throws if the conversation cannot take an import that needs several appends. */
  async stage(): Promise<void> {
    const target = await this.#look()
    this.#checkIdle(target)
    if (!target.isEmpty) throw notEmpty(this.#address)
    const { agent, person } = this.#address
    const branch = this.#node.ids.next("imp")
    const { id } = await this.#node.store.log.ensure({ kind: "import", agent, person, branch })
    this.#staged = { id, head: 0 }
    this.#node.imports.add(id)
    await this.#append([])
  }

  /** `lines`: the line of each message among them, to report a duplicate. */
  async write(changes: readonly NewChange[], lines: ReadonlyMap<MessageId, number>): Promise<void> {
    const staged = this.#expectStaged()
    if (staged.head > 0 && lines.size > 0) {
      const queries = [...lines.keys()].map((key) => ({ collection: "messages", key }) as const)
      const known = (await this.#node.store.log.read(staged.id, queries))?.lists.flat() ?? []
      for (const { key } of known) throw repeated(key, lines.get(key as MessageId) ?? 0)
    }
    await this.#append(changes)
  }

  async keepContent(hash: string, content: Uint8Array): Promise<void> {
    await this.#node.store.blobs.keep(this.#expectStaged().id, hash, content)
  }

  /** The last step of a staged import. */
  async adopt(
    status: (before: StatusRow) => StatusRow,
    options: { readonly attachments: Adoption["attachments"]; readonly once: Once | undefined },
  ): Promise<Appended> {
    const staged = this.#expectStaged()
    const over = await this.#node.store.log.ensure({ kind: "conversation", ...this.#address })
    const target = await this.#look()
    this.#checkIdle(target)
    if (!target.isEmpty) throw notEmpty(this.#address)
    const { state } = target
    const feed = await feedStream(this.#node, this.#address.person)
    const last = [statusChange(status(state.status), "insert"), ...this.#commands()]
    const imported = { ...state.stream, id: staged.id, head: staged.head }
    const after = apply({ ...newState(imported, this.#address, state.status), lastOrd: 0 }, last)
    const append: Append = {
      stream: staged.id,
      changes: last.map(rowChange),
      txid: this.#txid,
      at: this.#node.clock.now(),
      active: false,
      feed: { stream: feed, changes: [rowChange(feedChange(after))] },
      ...(options.once === undefined ? {} : { once: options.once }),
    }
    this.#isAdopting = true
    const { attachments } = options
    const place = { id: over.id, head: state.stream.head, control: state.stream.control }
    const appended = await this.#node.store.log.adopt(staged.id, { over: place, append, attachments })
    if (appended.ok) this.#show(over.id, append, appended)
    return appended
  }

  /** The whole import in one append, for a short one. `rows` receives the existing state of the conversation. */
  async decide(
    rows: (state: ConversationState) => readonly NewChange[],
    status: (before: StatusRow) => StatusRow,
    options: { readonly isExport: boolean; readonly once: Once | undefined },
  ): Promise<Appended> {
    const { state, stream } = await this.#look()
    if (options.isExport && state.lastOrd > 0) throw notEmpty(this.#address)
    this.#checkIdle({ state })
    const { once } = options
    const txid = this.#txid
    if (stream === undefined || stream.head === 0) {
      const made = { address: this.#address, status: status(state.status), changes: rows(state), txid }
      const created = await createConversation(this.#node, { ...made, ...(once === undefined ? {} : { once }) })
      return created.appended
    }
    const feed = await feedStream(this.#node, this.#address.person)
    const changes = [...rows(state), statusChange(status(state.status))]
    return writeDecision(this.#node, state, feed, { changes }, { txid, once })
  }

  /** The earlier answer of an import under this key. */
  async known(once: Once | undefined): Promise<Extract<Appended, { why: "repeated" }> | undefined> {
    if (once === undefined) return undefined
    const stream = await this.#node.store.log.find({ kind: "conversation", ...this.#address })
    if (stream === undefined) return undefined
    const probe = { stream: stream.id, changes: [], txid: this.#txid, at: this.#node.clock.now(), expect: NEVER, once }
    const answer = await this.#node.writer.append(probe)
    return !answer.ok && answer.why === "repeated" ? answer : undefined
  }

  /** Ends the import. A staged stream is deleted by the sweep, unless it was adopted after all. */
  async close(): Promise<void> {
    const staged = this.#staged
    if (staged === undefined) return
    this.#node.imports.delete(staged.id)
    if (this.#isAdopting) return
    const release = { stream: staged.id, changes: [], txid: this.#txid, at: this.#node.clock.now() }
    await this.#node.writer.append({ ...release, lease: { kind: "release" } }).catch(() => undefined)
  }

  async #append(changes: readonly NewChange[]): Promise<void> {
    const staged = this.#expectStaged()
    const numbered = changes.map((change, index) => inForceFrom(change, staged.head + index + 1))
    const appended = await this.#node.writer.append({
      stream: staged.id,
      changes: numbered.map(rowChange),
      txid: this.#txid,
      at: this.#node.clock.now(),
      lease: claimBy(this.#node),
    })
    if (!appended.ok) throw new Refusal("conversation.contended", "The import took too long. Send it again.")
    staged.head = appended.head
  }

  async #look(): Promise<Target> {
    const stream = await this.#node.store.log.find({ kind: "conversation", ...this.#address })
    const read = stream && (await this.#node.store.log.read(stream.id, [...stateQueries, ...BRANCH_COUNT]))
    if (stream === undefined || read === undefined) {
      const nothing = {
        id: 0 as StreamId,
        key: { kind: "conversation", ...this.#address },
        ...NOTHING_WRITTEN,
      } as const
      const state = newState(nothing, this.#address, newStatus(this.#node.clock.now()))
      return { stream: undefined, state, isEmpty: true }
    }
    const state = stateOf(read)
    const [branches] = read.lists.slice(stateQueries.length)
    const isEmpty =
      state.lastOrd === 0 && state.queued === 0 && state.status.files === 0 && state.status.origin === null
    return { stream: read.stream, state, isEmpty: isEmpty && Number(branches?.[0]?.value ?? 0) === 0 }
  }

  #checkIdle({ state }: Pick<Target, "state">): void {
    if (!isBusy(state.status) && state.queued === 0) return
    const name = feedKey(this.#address)
    throw new Refusal("conversation.busy", `The conversation ${name} is busy. Wait until it is idle.`)
  }

  #commands(): readonly NewChange[] {
    const commands = firstCommands(this.#node, this.#address.agent)
    return [...commands.values()].map((row) => ({
      collection: "slashCommands",
      key: row.name,
      operation: "insert",
      row,
    }))
  }

  /** Followers of the empty conversation check it, find it gone, and reconnect to the one in its place. */
  #show(over: StreamId, append: Append, appended: Extract<Appended, { ok: true }>): void {
    const { txid, at, feed } = append
    this.#node.cache.remove(over, this.#address)
    this.#node.hub.publish(over, [])
    for (const { collection, key, operation, value } of feed?.changes ?? [])
      this.#node.hub.publish(feed?.stream ?? over, [
        { seq: appended.feedHead, collection, key, operation, value, txid, at },
      ])
  }

  #expectStaged() {
    if (this.#staged === undefined) throw new Refusal("conversation.contended", "The import was not started.")
    return this.#staged
  }
}

/** No control counter has this value: an append that expects it is never written. */
const NEVER = -1
const NOTHING_WRITTEN = { head: 0, control: 0, epoch: 0 }
const BRANCH_COUNT = [{ collection: "branches", count: true }] as const

export function repeated(id: string, number: number): Refusal {
  return broken(number, `repeats the message ${id}`, "/message/id")
}

function notEmpty(address: Address): Refusal {
  return new Refusal(
    "import.not-empty",
    `An export or a long import needs an empty conversation; ${feedKey(address)} has messages, files or branches.`,
  )
}

/** Archives and rollbacks are in force from the event that writes them; ended ones end at that event. */
function inForceFrom(change: NewChange, seq: number): NewChange {
  if (change.collection === "archives") {
    const { row } = change
    return { ...change, row: { ...row, began: seq, ended: row.ended === null ? null : seq } }
  }
  if (change.collection !== "rollbacks") return change
  const { row } = change
  return { ...change, row: { ...row, began: seq, ended: row.ended === null ? null : seq } }
}
