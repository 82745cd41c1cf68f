/**
 * POSTs over kept-alive connections, with undici's callback interface.
 *
 * A connection is an undici client that carries one request at a time and is returned when the answer has ended. We need
 * to know which connection carries a request, so undici's own pool is not used:
 *
 * - A server may close an idle connection just as it is used again. undici reconnects by itself only if it sees the close
 *   before it has written; a reset, or a later close, is left to us. Nothing was answered then, so the request is sent
 *   once more on a new connection, silently. The first request on a connection is not resent: the server refused it.
 * - Giving up destroys the client with its connection. Aborting only the request would make undici open an unused
 *   connection.
 */
import { validateHeaderValue } from "node:http"
import { urlToHttpOptions } from "node:url"
import type { Client as ClientType, Dispatcher } from "undici"
import { buildConnector, Client } from "./undici.ts"

/** Receives the answer: `head`, then `data` any number of times, then `end`; `error` replaces whatever is left. */
export type Reader = {
  /** Headers are alternating names and values, as sent. */
  head(status: number, headers: readonly Buffer[]): void
  data(bytes: Buffer): void
  end(): void
  error(error: unknown): void
}

/** The body in pieces. The reader is not called before this returns, unless undici refuses the request itself. */
export type Poster = (body: readonly Buffer[], reader: Reader) => Posting

/** How long a connection may take to open, TLS included. A slow answer has no limit here. */
const connectMs = 30_000
/** How long an idle connection is kept when the server does not say. */
const keepAliveMs = 60_000
const maxFreeConnections = 256

export function poster(endpoint: URL, headers: Readonly<Record<string, string>>): Poster {
  for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value)
  const { path, auth } = urlToHttpOptions(endpoint)
  const basic = auth ? { authorization: `Basic ${Buffer.from(auth).toString("base64")}` } : {}
  const target = {
    path: path ?? "/",
    method: "POST",
    headers: Object.entries({ ...basic, ...headers }).flat(),
  } as const
  const connections = new Connections(endpoint.origin)
  return (body, reader) => new Posting(connections, { body: Buffer.concat(body), ...target }, reader)
}

type Connection = {
  readonly client: ClientType
  /** Whether it has carried an answer since it was opened. */
  used: boolean
}

/** The idle connections to one server. The most recently returned one is used first. */
class Connections {
  readonly #origin: string
  readonly #connect = buildConnector({ timeout: connectMs })
  readonly #free: Connection[] = []

  constructor(origin: string) {
    this.#origin = origin
  }

  take(): Connection {
    return this.#free.pop() ?? this.open()
  }

  open(): Connection {
    const client = new Client(this.#origin, {
      connect: this.#connect,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keepAliveMs,
    })
    const connection: Connection = { client, used: false }
    client.on("disconnect", () => {
      connection.used = false
      const place = this.#free.indexOf(connection)
      if (place !== -1) this.#free.splice(place, 1)
    })
    return connection
  }

  giveBack(connection: Connection): void {
    connection.used = true
    if (this.#free.length < maxFreeConnections) this.#free.push(connection)
    else close(connection)
  }
}

export class Posting implements Dispatcher.DispatchHandlers {
  readonly #connections: Connections
  readonly #request: Dispatcher.DispatchOptions
  readonly #reader: Reader
  #connection: Connection
  #answered = false
  #over = false
  #closing: NodeJS.Timeout | undefined

  constructor(connections: Connections, request: Dispatcher.DispatchOptions, reader: Reader) {
    this.#connections = connections
    this.#request = request
    this.#reader = reader
    this.#connection = connections.take()
    this.#connection.client.dispatch(request, this)
  }

  /** Calls the reader no more, and closes the connection unless the answer has ended. */
  destroy(): void {
    if (!this.#over) this.#giveUp()
  }

  /** Gives the answer this long to end, so that its connection can be reused. */
  destroyAfter(ms: number): void {
    if (this.#over) return
    // The end is usually in the current bytes and is read right after this: no timer is needed then.
    queueMicrotask(() => {
      if (!this.#over) this.#closing = setTimeout(() => this.destroy(), ms).unref()
    })
  }

  onConnect(): void {}

  onResponseStarted(): void {
    this.#answered = true
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    const isInformation = status < 200
    if (!this.#over && !isInformation) this.#reader.head(status, headers)
    return true
  }

  onData(bytes: Buffer): boolean {
    if (!this.#over) this.#reader.data(bytes)
    return true
  }

  onComplete(): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#closing)
    this.#connections.giveBack(this.#connection)
    this.#reader.end()
  }

  onError(error: Error): void {
    if (this.#over) return
    if (this.#isStale(error)) {
      this.#repeat()
      return
    }
    this.#giveUp()
    this.#reader.error(error)
  }

  /** Never true twice: the connection of a repeated request is a fresh one. */
  #isStale(error: NodeJS.ErrnoException): boolean {
    return this.#connection.used && !this.#answered && closedCodes.has(error.code)
  }

  #repeat(): void {
    close(this.#connection)
    this.#connection = this.#connections.open()
    this.#connection.client.dispatch(this.#request, this)
  }

  #giveUp(): void {
    this.#over = true
    clearTimeout(this.#closing)
    close(this.#connection)
  }
}

/** Error codes of a connection that the other side has closed. */
const closedCodes: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])

function close({ client }: Connection): void {
  client.destroy(null, () => {})
}
