/**
 * A write side of the Durable Streams protocol that exists only in tests, so that the published suite can run.
 *
 * Events go into the same tables through the same writer, and reads are answered by the server's own code. Only what a
 * conversation does not have (content type, closure, time to live, producers) is kept here, in memory.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import { Hub, type RowChange, type Store, silentLog, Writer } from "@parlor/core"
import { formatOffset, Refusal, routes, type StreamId } from "@parlor/protocol"
import { type Answer, writeAnswer } from "../../packages/server/src/http/answer.ts"
import { problemAnswer, problemOf } from "../../packages/server/src/http/problem.ts"
import { HEAVY, Slots } from "../../packages/server/src/http/slots.ts"
import { systemClock } from "../../packages/server/src/ports.ts"
import { answerStream } from "../../packages/server/src/streams/answer.ts"
import { Followers } from "../../packages/server/src/streams/followers.ts"
import { isJson, type Source } from "../../packages/server/src/streams/source.ts"
import { decideAppend, type Known, type Producer, producerHeaders, sameType, TXID, valuesOf } from "./append.ts"

export type WriteSide = { readonly url: string; close(): Promise<void> }

export async function startWriteSide(store: Store, options: { readonly longPollMs: number }): Promise<WriteSide> {
  const side = new Streams(store, options.longPollMs)
  const server = createServer((incoming, out) => {
    answer(side, incoming, out)
      .catch((error: unknown) => failed(error))
      .then((found) => found && writeAnswer(incoming, out, found))
      .catch((error: unknown) => out.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port for the write side")
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      side.followers.close()
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
      await side.writer.close()
    },
  }
}

type TestStream = {
  readonly id: StreamId
  readonly settings: Settings
  known: Known
  head: number
  touchedAt: number
}

/** What a stream is made with and keeps. */
type Settings = { readonly ttl: string | undefined; readonly expiresAt: string | undefined }

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
}
const PREFLIGHT_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD, PUT, POST, DELETE, OPTIONS",
  "access-control-allow-headers": "*",
}
const READER = { person: "suite", key: null, expiresAt: null }

class Streams {
  readonly store: Store
  readonly writer: Writer
  readonly followers: Followers
  readonly heavy = new Slots(systemClock, { ...HEAVY, perPerson: 1_000, all: 1_000 })
  readonly reading
  readonly #hub = new Hub()
  readonly #streams = new Map<string, TestStream>()
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(store: Store, longPollMs: number) {
    this.store = store
    this.writer = new Writer({
      store,
      spool: { add: async () => {}, read: async () => [], clear: async () => {} },
      clock: systemClock,
      log: silentLog,
      publish: (stream, changes) => this.#hub.publish(stream, changes),
    })
    const runtime = { events: store.log.events.bind(store), subscribe: this.#hub.subscribe.bind(this.#hub) }
    this.reading = { runtime, clock: systemClock, longPollMs }
    this.followers = new Followers({
      reading: this.reading,
      goodKeys: async (hashes) => new Set(hashes),
      linkedAmong: async () => new Map(),
      stillShared: async (shares) => new Set(shares),
    })
  }

  find(path: string): TestStream | undefined {
    const stream = this.#streams.get(path)
    return stream && !hasExpired(stream) ? stream : undefined
  }

  async make(path: string, settings: Settings, known: Known): Promise<TestStream> {
    await this.remove(path)
    const branch = decodeURIComponent(path)
    const { id } = await this.store.log.ensure({ kind: "conversation", agent: "suite", person: "suite", branch })
    const stream = { id, settings, known: { ...known, closed: false }, head: 0, touchedAt: Date.now() }
    this.#streams.set(path, stream)
    return stream
  }

  async write(stream: TestStream, values: readonly string[], known: Known): Promise<void> {
    if (values.length > 0) {
      const append = { stream: stream.id, changes: values.map(contentChange), txid: TXID, at: Date.now() }
      const appended = await this.writer.append(append)
      if (!appended.ok) throw new Error(`the store refused an append: ${appended.why}`)
      stream.head = appended.head
    }
    stream.known = known
    stream.touchedAt = Date.now()
    // Closing adds no event to the log: whoever waits is told to look again.
    if (known.closed) this.#hub.publish(stream.id, [])
  }

  async remove(path: string): Promise<boolean> {
    const stream = this.#streams.get(path)
    if (stream === undefined) return false
    const expired = hasExpired(stream)
    this.#streams.delete(path)
    await this.store.log.remove(stream.id, {
      audit: { at: Date.now(), person: "suite", act: "removed", subject: path },
    })
    this.followers.cutStream(stream.id)
    return !expired
  }

  /** One write to a stream at a time. */
  inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(path) ?? Promise.resolve()).then(work)
    this.#turns.set(
      path,
      turn.catch(() => {}),
    )
    return turn
  }
}

async function answer(side: Streams, incoming: IncomingMessage, out: ServerResponse): Promise<Answer | undefined> {
  const url = new URL(incoming.url ?? "/", "http://suite")
  const path = url.pathname
  switch (incoming.method) {
    case "GET":
    case "HEAD":
      return read(side, url, incoming, out)
    case "PUT": {
      const body = await bodyOf(incoming)
      return side.inTurn(path, () => put(side, path, incoming.headers, body))
    }
    case "POST": {
      const body = await bodyOf(incoming)
      return side.inTurn(path, () => post(side, path, incoming.headers, body))
    }
    case "DELETE":
      return side.inTurn(path, async () => respond((await side.remove(path)) ? 204 : 404))
    case "OPTIONS":
      return respond(204, PREFLIGHT_HEADERS)
    default:
      return respond(405)
  }
}

async function read(side: Streams, url: URL, incoming: IncomingMessage, out: ServerResponse) {
  const stream = side.find(url.pathname)
  if (stream === undefined) return respond(404)
  const method = incoming.method === "HEAD" ? "HEAD" : "GET"
  if (method === "GET") stream.touchedAt = Date.now()
  const header = (name: string) => headerOf(incoming.headers, name)
  const call = { caller: READER, query: queryOf(url), header }
  const { ttl, expiresAt } = stream.settings
  const headers = {
    ...SECURITY_HEADERS,
    ...(ttl === undefined ? {} : { "stream-ttl": ttl }),
    ...(expiresAt === undefined ? {} : { "stream-expires-at": expiresAt }),
  }
  return answerStream({ ...side.reading, followers: side.followers, heavy: side.heavy }, sourceOf(stream), call, {
    method,
    out,
    headers,
  })
}

async function put(side: Streams, path: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Answer> {
  const settings = { ttl: headerOf(headers, "stream-ttl"), expiresAt: headerOf(headers, "stream-expires-at") }
  if (!areGood(settings)) return respond(400)
  const contentType = headerOf(headers, "content-type") ?? "application/octet-stream"
  const known = { contentType, closed: closes(headers), producers: new Map<string, Producer>() }
  const found = side.find(path)
  if (found) return respond(isAlike(found, settings, known) ? 200 : 409, stateHeaders(found))
  const values = body.length === 0 ? [] : valuesOf(contentType, body)
  if (values === undefined) return respond(400)
  const stream = await side.make(path, settings, known)
  await side.write(stream, values, known)
  const location = `http://${headers.host}${path}`
  return respond(201, { ...stateHeaders(stream), "content-type": contentType, location })
}

async function post(side: Streams, path: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Answer> {
  const stream = side.find(path)
  if (stream === undefined) return respond(404)
  const producer = producerOf(headers)
  if (producer === "malformed") return respond(400)
  const seq = headerOf(headers, "stream-seq")
  const contentType = headerOf(headers, "content-type")
  const asked = { contentType, body, close: closes(headers), seq, producer }
  const decision = decideAppend(stream.known, asked, stream.head)
  if (!decision.taken) return respond(decision.status, decision.headers)
  await side.write(stream, decision.values, decision.known)
  return respond(decision.status, { ...stateHeaders(stream), ...producerHeaders(producer) })
}

function sourceOf(stream: TestStream): Source {
  const { contentType } = stream.known
  const source = { stream: stream.id, contentType, closed: () => stream.known.closed }
  return isJson({ ...source, encode: () => "" })
    ? { ...source, encode: (changes) => changes.map(({ value }) => value).join(",") }
    : { ...source, encode: (changes) => Buffer.concat(changes.map(({ value }) => Buffer.from(value, "base64"))) }
}

function contentChange(value: string): RowChange {
  return { collection: "files", key: "content", operation: "update", value, ord: null }
}

function stateHeaders(stream: TestStream): Record<string, string> {
  const offset = { "stream-next-offset": formatOffset(stream.head, TXID) }
  return stream.known.closed ? { ...offset, "stream-closed": "true" } : offset
}

function areGood({ ttl, expiresAt }: Settings): boolean {
  if (ttl !== undefined && expiresAt !== undefined) return false
  if (ttl !== undefined && !/^(0|[1-9]\d*)$/.test(ttl)) return false
  return expiresAt === undefined || !Number.isNaN(Date.parse(expiresAt))
}

function isAlike(stream: TestStream, settings: Settings, known: Known): boolean {
  return (
    sameType(stream.known.contentType, known.contentType) &&
    stream.known.closed === known.closed &&
    stream.settings.ttl === settings.ttl &&
    stream.settings.expiresAt === settings.expiresAt
  )
}

function hasExpired(stream: TestStream): boolean {
  const { ttl, expiresAt } = stream.settings
  if (ttl !== undefined) return Date.now() >= stream.touchedAt + Number(ttl) * 1_000
  return expiresAt !== undefined && Date.now() >= Date.parse(expiresAt)
}

function producerOf(headers: IncomingHttpHeaders): Producer | "malformed" | undefined {
  const [id, epoch, seq] = ["producer-id", "producer-epoch", "producer-seq"].map((name) => headerOf(headers, name))
  if (id === undefined && epoch === undefined && seq === undefined) return undefined
  if (!id || epoch === undefined || seq === undefined) return "malformed"
  const fits = [epoch, seq].every((text) => /^\d{1,15}$/.test(text))
  return fits ? { id, epoch: Number(epoch), seq: Number(seq) } : "malformed"
}

function closes(headers: IncomingHttpHeaders): boolean {
  return headerOf(headers, "stream-closed")?.toLowerCase() === "true"
}

function queryOf(url: URL) {
  const { searchParams } = url
  for (const name of searchParams.keys())
    if (searchParams.getAll(name).length > 1) throw new Refusal("offset.invalid", `"${name}" is given twice.`, name)
  const parsed = routes.followConversation.query.safeParse(Object.fromEntries(searchParams))
  if (parsed.success) return parsed.data
  throw new Refusal("offset.invalid", parsed.error.message)
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function respond(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { ...SECURITY_HEADERS, ...headers }, body: null }
}

function failed(error: unknown): Answer {
  const { problem, headers } = problemOf(error, { ...silentLog, error: console.error }, "suite")
  return problemAnswer(problem, headers)
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
