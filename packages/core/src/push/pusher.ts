/**
 * Pushes what happened to people's devices (APP-8 to APP-10).
 *
 *   announced ──concerns somebody who is away──▶ waiting ──their turn──▶ sent to each device ──gone──▶ unsubscribed
 *                                                   └──newer in the same conversation, or too many──▶ dropped
 *
 * Only the process that wrote an event announces it, so it is pushed once. Nothing waits for a push, a push is not
 * repeated, and what waits is lost when the process ends: the page shows everything that happened. People take turns, so
 * that one with slow devices delays nobody else.
 */
import { countsAsNeeding, type Millis, parseRow } from "@parlor/protocol"
import { feedStream } from "../log/address.ts"
import type { Announced } from "../log/log-access.ts"
import { rowPlace } from "../log/row-cursor.ts"
import { reasonFields } from "../ports/log.ts"
import type { Pushed, PushKeys, PushRecord } from "../ports/pushes.ts"
import type { PushAccess, PushParts } from "./push-access.ts"
import { pushKeys } from "./push-keys.ts"
import { type News, newsOf, noteFor } from "./push-news.ts"

/** People served at a time. */
const AT_ONCE = 16
const MAX_PEOPLE = 1_000
/** Conversations of one person that wait to be told about. */
const MAX_EACH = 20
/** Conversations that are looked at for the number on the icon, the latest first. */
const MAX_COUNTED = 500
const PAGE = 100

export class Pusher {
  readonly #node: PushAccess
  readonly #parts: PushParts
  readonly #waiting = new Map<string, readonly News[]>()
  readonly #busy = new Set<string>()
  #dropped = 0
  #isStopped = false

  constructor(node: PushAccess, parts: PushParts) {
    this.#node = node
    this.#parts = parts
  }

  /** Returns at once. */
  announce(announced: Announced): void {
    const news = newsOf(announced)
    if (news === undefined || this.#isStopped) return
    const { person } = announced
    const own = this.#waiting.get(person)
    if (own === undefined && this.#waiting.size >= MAX_PEOPLE) {
      this.#dropped += 1
      return
    }
    const others = (own ?? []).filter((one) => one.agent !== news.agent || one.branch !== news.branch)
    const all = [...others, news]
    this.#dropped += Math.max(0, all.length - MAX_EACH)
    this.#waiting.set(person, all.slice(-MAX_EACH))
    this.#next()
  }

  stop(): void {
    this.#isStopped = true
    this.#waiting.clear()
  }

  #next(): void {
    for (const [person, [first, ...rest]] of this.#waiting) {
      if (this.#busy.size >= AT_ONCE) return
      if (first === undefined || this.#busy.has(person)) continue
      if (rest.length > 0) this.#waiting.set(person, rest)
      else this.#waiting.delete(person)
      this.#busy.add(person)
      void this.#push(person, first).finally(() => {
        this.#busy.delete(person)
        this.#next()
      })
    }
    if (this.#waiting.size > 0 || this.#dropped === 0) return
    this.#node.log.warn("notifications were dropped because too many waited", { dropped: this.#dropped })
    this.#dropped = 0
  }

  async #push(person: string, news: News): Promise<void> {
    const { store, log } = this.#node
    try {
      const all = await store.pushes.of(person)
      if (all.length === 0) return
      const keys = await pushKeys(this.#node, this.#parts)
      const records = await inUse(this.#node, all, keys)
      if (records.length === 0) return
      const needing = await countNeeding(this.#node, person)
      const body = (record: PushRecord) => JSON.stringify(noteFor(news, needing, record))
      const pushed = await Promise.all(
        records.map((record) => pushTo(this.#node, this.#parts, { keys, record, news, body: body(record) })),
      )
      const failed = pushed.filter(({ kind }) => kind === "failed").length
      if (failed > 0) log.warn("notifications could not be sent", { failed, devices: records.length })
    } catch (error) {
      log.warn("a notification could not be sent", reasonFields(error))
    }
  }
}

type PushTo = {
  readonly keys: PushKeys
  readonly record: PushRecord
  readonly news: Pick<News, "kind" | "agent" | "branch">
  readonly body: string
}

/** A browser that no longer receives is forgotten. */
export async function pushTo(
  { store, clock }: Pick<PushAccess, "store" | "clock">,
  { sender }: PushParts,
  { keys, record, news, body }: PushTo,
): Promise<Pushed> {
  const at: Millis = clock.now()
  const topic = sender.topicOf(`${news.agent}/${news.branch}`)
  const pushed = await sender.send({ keys, to: record, at, body, topic, urgency: urgencyOf(news) })
  if (pushed.kind === "gone") await store.pushes.remove(record.person, record.id)
  return pushed
}

function urgencyOf({ kind }: Pick<News, "kind">): "high" | "normal" {
  return kind === "asks" || kind === "test" ? "high" : "normal"
}

/** Those that can still receive. Subscriptions to another key pair, and of API keys that have ended, are deleted. */
async function inUse(
  { store, clock }: PushAccess,
  records: readonly PushRecord[],
  { publicKey }: PushKeys,
): Promise<readonly PushRecord[]> {
  const hashes = [...new Set(records.flatMap(({ keyHash }) => keyHash ?? []))]
  const found = hashes.length === 0 ? [] : await store.keys.findAll(hashes)
  const now = clock.now()
  const good = new Set(
    found
      .filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now))
      .map(({ hash }) => hash),
  )
  const isInUse = ({ serverKey, keyHash }: PushRecord) =>
    serverKey === publicKey && (keyHash === null || good.has(keyHash))
  for (const record of records) if (!isInUse(record)) await store.pushes.remove(record.person, record.id)
  return records.filter(isInUse)
}

async function countNeeding(node: PushAccess, person: string): Promise<number> {
  const feed = await feedStream(node, person)
  let needing = 0
  let place: ReturnType<typeof rowPlace> | undefined
  for (let counted = 0; counted < MAX_COUNTED; counted += PAGE) {
    const read = await node.store.log.read(feed, [{ collection: "conversations", newest: PAGE, ...place }])
    const rows = read?.lists[0] ?? []
    for (const row of rows) if (countsAsNeeding(parseRow("conversations", row.value))) needing += 1
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) break
    place = rowPlace(last)
  }
  return needing
}
