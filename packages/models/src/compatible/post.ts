/**
 * POSTs over kept-alive connections, by undici's callback interface.
 *
 * A connection is a client of undici's that is lent to one request, and given back when the answer has ended. Which one
 * carries a request is ours to know, so undici's own pool is not used:
 *
 * - A server may close an idle connection in the moment it is used again. undici opens another by itself only if it sees
 *   a close before it has written; a reset, or a close after that, it leaves to us. Nothing was answered then, so the
 *   request is sent once more on a fresh connection before anybody hears of it. A request that was the first on its
 *   connection is not: who closes that one does not want it.
 * - Giving up closes the connection with its client. Aborting the request alone would make undici open another
 *   connection, for nothing.
 */
import { validateHeaderValue } from "node:http"
import { urlToHttpOptions } from "node:url"
import { buildConnector, Client, type Dispatcher } from "undici"

/** Hears the answer: `head`, `data` as often as there is some, `end`; or `error` in place of what is left of these. */
export type Reader = {
  /** Headers are names and values in turns, as they were sent. */
  head(status: number, headers: readonly Buffer[]): void
  data(bytes: Buffer): void
  end(): void
  error(error: unknown): void
}

/** The body in pieces. The reader is not called before this returns, unless undici refuses the request itself. */
export type Poster = (body: readonly Buffer[], reader: Reader) => Posting

/** How long a connection may take to open, TLS included. A model that is slow to answer is no matter of ours. */
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
  return (body, reader) => new Posting(connections, { ...target, body: Buffer.concat(body) }, reader)
}

type Connection = {
  readonly client: Client
  /** Whether it has carried an answer since it was opened. */
  used: boolean
}

/** The connections to one server. What is lent is not in here; the one given back last is lent first. */
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

  /** The reader hears nothing more, and the connection is closed unless the answer has ended. */
  destroy(): void {
    if (!this.#over) this.#giveUp()
  }

  /** Gives the answer that long to end, so that its connection can be kept. */
  destroyAfter(ms: number): void {
    if (this.#over) return
    // The end is mostly among the bytes at hand, and has been read when they are done with: that takes no timer.
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

/** How a connection that the other side has closed shows. */
const closedCodes: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])

function close({ client }: Connection): void {
  client.destroy(null, () => {})
}
