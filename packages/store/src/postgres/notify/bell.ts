/**
 * The bell: notifies the other nodes of streams that changed, and receives their notifications.
 *
 *   silent ──start──▶ connecting ──LISTEN──▶ listening
 *                         ▲                      │ broken, or no answer to a beat
 *                         └──────── resting ◀────┘            stop: silent, from any of them
 *
 * It has one connection of its own, for both directions. Notifications are separate statements after the commits they
 * are about, combined every few milliseconds: inside the appending transaction they would make all commits of the
 * server wait for each other. A notification is a hint and may be lost; `watcher.ts` makes up for it. Whenever
 * listening starts, everything counts as changed, because notifications may have been missed.
 */
import { randomBytes } from "node:crypto"
import { Socket } from "node:net"
import type { StreamId } from "@parlor/protocol"
import { Client } from "pg"
import { type ConnectOptions, clientSettings } from "../connect.ts"
import { decodeNotice, encodeNotices, encodeOffers, type Heads, NAMED_STREAMS } from "./notice.ts"
import { rest } from "./rest.ts"

/** At most one notification per this time. */
const NOTICE_GAP_MS = 8
/** A connection dropped by the network is silent; a heartbeat without an answer reveals it. */
const BEAT_MS = 3_000
const ANSWER_MS = 3_000
const FIRST_REST_MS = 100
const LONGEST_REST_MS = 5_000
const GOODBYE_MS = 500

export const BELL_NAME = "parlor bell"
const NOTIFY = { name: "notify", text: "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload" }

export type Ears = {
  heard(heads: Heads): void
  /** Streams that have work and no owner. */
  offered(streams: readonly StreamId[]): void
  /** Anything may have changed. */
  missed(): void
}

export class Bell {
  readonly #options: ConnectOptions
  readonly #ears: Ears
  readonly #node = randomBytes(9).toString("base64url")
  #stop: AbortController | undefined
  #running: Promise<void> = Promise.resolve()
  /** Set while listening. */
  #line: { readonly client: Client; broke(): void } | undefined
  #pending = new Map<StreamId, number>()
  #offers = new Set<StreamId>()
  #timer: NodeJS.Timeout | undefined
  #sending = false
  #sentAt = 0

  constructor(options: ConnectOptions, ears: Ears) {
    this.#options = options
    this.#ears = ears
  }

  start(): void {
    if (this.#stop !== undefined) return
    const stop = new AbortController()
    this.#stop = stop
    this.#running = this.#running.then(() => this.#run(stop.signal))
  }

  /** Pending notifications are still sent: often they say that this node releases its conversations. */
  async stop(): Promise<void> {
    const stop = this.#stop
    this.#stop = undefined
    clearTimeout(this.#timer)
    if (this.#hasNews) await Promise.race([this.#send(), rest(GOODBYE_MS)])
    this.#pending.clear()
    this.#offers.clear()
    stop?.abort()
    await this.#running
  }

  /** Queues a notification for the others. */
  ring(stream: StreamId, head: number): void {
    if (this.#stop === undefined) return
    // One more than the limit means that there are too many; which ones does not matter then.
    if (this.#pending.size <= NAMED_STREAMS || this.#pending.has(stream))
      this.#pending.set(stream, Math.max(head, this.#pending.get(stream) ?? 0))
    this.#schedule()
  }

  /** Sent with the next notification. Beyond the limit they are dropped: the others' sweeps find them. */
  offer(stream: StreamId): void {
    if (this.#stop === undefined) return
    if (this.#offers.size < NAMED_STREAMS) this.#offers.add(stream)
    this.#schedule()
  }

  get #hasNews(): boolean {
    return this.#pending.size > 0 || this.#offers.size > 0
  }

  async #run(stop: AbortSignal): Promise<void> {
    let restMs = FIRST_REST_MS
    while (!stop.aborted) {
      const listened = await this.#listen(stop)
      if (listened) restMs = FIRST_REST_MS
      await rest(restMs * (0.5 + Math.random() / 2), stop)
      restMs = Math.min(restMs * 2, LONGEST_REST_MS)
    }
  }

  /** Listens until the connection breaks or it is stopped. False if it never started listening. */
  async #listen(stop: AbortSignal): Promise<boolean> {
    const socket = new Socket()
    const client = makeClient(this.#options, socket)
    const broken = new AbortController()
    const broke = () => broken.abort()
    client.on("error", broke)
    client.on("end", broke)
    client.on("notification", ({ payload }) => this.#hear(payload ?? ""))
    const ended = AbortSignal.any([stop, broken.signal])
    const giveUp = () => setTimeout(() => socket.destroy(), GOODBYE_MS).unref()
    stop.addEventListener("abort", giveUp, { once: true })
    let listening = false
    try {
      await client.connect()
      await client.query(`LISTEN ${client.escapeIdentifier(this.#options.schema)}`)
      listening = true
      this.#line = { client, broke }
      this.#ears.missed()
      this.#schedule()
      for (await rest(BEAT_MS, ended); !ended.aborted; await rest(BEAT_MS, ended)) await client.query("SELECT 1")
    } catch {
      // The reason does not matter: the pools hit the same problem and report it.
    }
    this.#line = undefined
    await Promise.race([client.end().catch(() => undefined), rest(GOODBYE_MS)])
    stop.removeEventListener("abort", giveUp)
    socket.destroy()
    return listening
  }

  #hear(payload: string): void {
    const { node, heads, offers } = decodeNotice(payload)
    if (node === this.#node || this.#stop === undefined) return
    if (heads === "everything") this.#ears.missed()
    else if (offers.length > 0) this.#ears.offered(offers)
    else this.#ears.heard(heads)
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#sending || this.#line === undefined || !this.#hasNews) return
    const waitMs = this.#sentAt + NOTICE_GAP_MS - performance.now()
    this.#timer = setTimeout(() => this.#send(), Math.max(0, waitMs)).unref()
  }

  async #send(): Promise<void> {
    this.#timer = undefined
    const line = this.#line
    if (line === undefined) return
    const notices = [...encodeNotices(this.#node, this.#pending), ...encodeOffers(this.#node, this.#offers)]
    this.#pending = new Map()
    this.#offers = new Set()
    this.#sending = true
    this.#sentAt = performance.now()
    try {
      await line.client.query(NOTIFY, [this.#options.schema, notices])
    } catch {
      line.broke()
    }
    this.#sending = false
    this.#schedule()
  }
}

/**
 * The channel is named after the schema. Losing a notification in a server crash does no harm, so it need not wait for
 * the disk.
 */
function makeClient(options: ConnectOptions, socket: Socket): Client {
  return new Client({
    ...clientSettings(options, { waitsForDisk: false }),
    application_name: BELL_NAME,
    statement_timeout: ANSWER_MS,
    query_timeout: ANSWER_MS,
    stream: () => socket,
  })
}
