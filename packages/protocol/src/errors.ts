/**
 * Every way Parlor says no, in one table, and the three classes that carry it.
 *
 * - `Refusal`: understood and turned down; repeating it is useless. 4xx.
 * - `Fault`: something outside failed; later may work. 503 with retry-after.
 * - `Bug`: ours. 500 with a reference.
 *
 * On the wire an error is an RFC 9457 problem.
 */
export const errorTable = {
  "request.json": { status: 400, title: "The body is not JSON" },
  "request.invalid": { status: 422, title: "The request does not fit its description" },
  "request.too-large": { status: 413, title: "The request is too large" },
  "request.too-deep": { status: 422, title: "The request is nested too deeply" },
  "request.too-many": { status: 422, title: "The request holds too many values" },
  "request.media-type": { status: 415, title: "The body has the wrong media type" },
  "request.encoding": { status: 415, title: "Compressed bodies are not taken" },
  "request.http": { status: 400, title: "The request is not well-formed HTTP" },
  "request.headers-too-large": { status: 431, title: "The request's headers are too large" },
  "request.timeout": { status: 408, title: "The request took too long to arrive" },
  "text.malformed": { status: 422, title: "The text cannot be stored as it is" },
  "route.unknown": { status: 404, title: "There is nothing here" },
  "method.not-allowed": { status: 405, title: "This cannot be done here" },
  "host.not-allowed": { status: 421, title: "This server does not answer to that host name" },
  "origin.not-allowed": { status: 403, title: "Requests from that page are not taken" },
  "auth.missing": { status: 401, title: "A token is needed" },
  "auth.invalid": { status: 401, title: "That token is not known" },
  "auth.expired": { status: 401, title: "That token has expired" },
  "auth.revoked": { status: 401, title: "That token was revoked" },
  "auth.forbidden": { status: 403, title: "That token may not do this" },
  "person.not-allowed": { status: 403, title: "That token may not act for this person" },
  "agent.unknown": { status: 404, title: "There is no such agent" },
  "conversation.unknown": { status: 404, title: "There is no such conversation" },
  "conversation.busy": { status: 409, title: "The conversation is busy" },
  "conversation.contended": { status: 409, title: "Too many changes at once" },
  "message.unknown": { status: 404, title: "There is no such message" },
  "message.type-unknown": { status: 422, title: "The agent does not take messages of that type" },
  "message.too-large": { status: 413, title: "The message is too large" },
  "message.changed": { status: 409, title: "The message was changed meanwhile" },
  "message.not-queued": { status: 409, title: "The message is not waiting" },
  "position.invalid": { status: 422, title: "That is not a position in the queue" },
  "ask.unknown": { status: 404, title: "There is no such ask" },
  "ask.closed": { status: 409, title: "The ask is closed" },
  "ask.invalid": { status: 422, title: "That does not answer the ask" },
  "queue.full": { status: 429, title: "The queue is full" },
  "turn.none": { status: 409, title: "No turn is running" },
  "turn.over": { status: 409, title: "That turn has ended" },
  "idempotency.reused": { status: 422, title: "That idempotency key was used for another request" },
  "offset.invalid": { status: 400, title: "That is not an offset of this stream" },
  "cursor.invalid": { status: 400, title: "That is not a cursor of this list" },
  "rate.exceeded": { status: 429, title: "Too many at once" },
  "import.invalid": { status: 422, title: "The import cannot be read" },
  "import.not-empty": { status: 409, title: "The conversation already has messages" },
  "key.unknown": { status: 404, title: "There is no such key" },
  "store.unavailable": { status: 503, title: "The store cannot be reached" },
  "server.stopping": { status: 503, title: "The server is stopping" },
  bug: { status: 500, title: "Something is wrong in Parlor" },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof errorTable
export type RefusalCode = Exclude<ErrorCode, "store.unavailable" | "server.stopping" | "bug">

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly pointer: string | undefined

  constructor(code: RefusalCode, detail: string, pointer?: string) {
    super(detail)
    this.name = "Refusal"
    this.code = code
    this.pointer = pointer
  }
}

export class Fault extends Error {
  readonly code: "store.unavailable" | "server.stopping"
  readonly retryAfterMs: number

  constructor(message: string, options: { code?: Fault["code"]; retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = "Fault"
    this.code = options.code ?? "store.unavailable"
    this.retryAfterMs = options.retryAfterMs ?? 1_000
  }
}

export class Bug extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = "Bug"
  }
}

export function unreachable(value: never): never {
  throw new Bug(`unreachable: ${JSON.stringify(value)}`)
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message)
}

export type Problem = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly pointer?: string
}

export function toProblem(code: ErrorCode, detail: string, pointer?: string): Problem {
  const { status, title } = errorTable[code]
  return {
    type: `urn:parlor:problem:${code}`,
    title,
    status,
    code,
    detail,
    ...(pointer === undefined ? {} : { pointer }),
  }
}
