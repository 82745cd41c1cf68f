/**
 * Every way Parlor says no, in one table, and the three classes that carry it.
 *
 * - `Refusal`: understood and turned down; repeating it is useless. 4xx.
 * - `Fault`: something outside failed; later may work. 503 with retry-after; 424 where only one caller meets it.
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
  "auth.unavailable": { status: 424, title: "That token cannot be checked now" },
  "auth.forbidden": { status: 403, title: "That token may not do this" },
  "person.not-allowed": { status: 403, title: "That token may not act for this person" },
  "person.linked": { status: 409, title: "That name is another name of someone" },
  "person.unknown": { status: 404, title: "There is no such person" },
  "person.deleting": { status: 409, title: "That person is being deleted" },
  "person.confirm": { status: 422, title: "Deleting a person has to be confirmed" },
  "link.unknown": { status: 404, title: "That name is not linked" },
  "link.taken": { status: 409, title: "That name is linked to someone else" },
  "link.not-empty": { status: 409, title: "That name has things of its own" },
  "link.chained": { status: 409, title: "A linked name cannot have linked names" },
  "link.full": { status: 409, title: "There is no room for another name" },
  "agent.unknown": { status: 404, title: "There is no such agent" },
  "command.invalid": { status: 422, title: "That cannot be a slash command" },
  "context.invalid": { status: 422, title: "That cannot be given to the model" },
  "skill.unknown": { status: 404, title: "There is no such skill" },
  "conversation.unknown": { status: 404, title: "There is no such conversation" },
  "conversation.busy": { status: 409, title: "The conversation is busy" },
  "conversation.has-branches": { status: 409, title: "The conversation has branches" },
  "conversation.contended": { status: 409, title: "Too many changes at once" },
  "composer.span": { status: 422, title: "A node of the composer's input does not fit its source" },
  "attachment.unknown": { status: 404, title: "There is no such attachment" },
  "attachment.media-type": { status: 415, title: "Files of that type are not taken" },
  "attachment.mismatch": { status: 422, title: "The file is not what its type says" },
  "attachment.full": { status: 413, title: "There is no room for more attachments" },
  "message.unknown": { status: 404, title: "There is no such message" },
  "message.type-unknown": { status: 422, title: "The agent does not take messages of that type" },
  "message.too-large": { status: 413, title: "The message is too large" },
  "message.changed": { status: 409, title: "The message was changed meanwhile" },
  "message.not-queued": { status: 409, title: "The message is not waiting" },
  "position.invalid": { status: 422, title: "That is not a position in the queue" },
  "branch.taken": { status: 409, title: "There is a branch of that name" },
  "branch.unsettled": { status: 409, title: "That message is still being said" },
  "branch.too-deep": { status: 409, title: "The branch would be too far from its beginning" },
  "branch.too-many": { status: 409, title: "The conversation has too many branches" },
  "branch.not-sidecar": { status: 409, title: "The conversation is not a sidecar" },
  "branch.no-answer": { status: 409, title: "The sidecar has no answer yet" },
  "rollback.unknown": { status: 404, title: "There is no such rollback" },
  "rollback.target": { status: 422, title: "One cannot roll back to that message" },
  "rollback.dimmed": { status: 409, title: "That message is rolled back already" },
  "rollback.nothing": { status: 409, title: "There is nothing to roll back" },
  "rollback.over": { status: 409, title: "That rollback was cancelled already" },
  "rollback.not-newest": { status: 409, title: "A later rollback has to be cancelled first" },
  "rollback.too-many": { status: 409, title: "The conversation has too many rollbacks" },
  "ask.unknown": { status: 404, title: "There is no such ask" },
  "ask.closed": { status: 409, title: "The ask is closed" },
  "ask.invalid": { status: 422, title: "That does not answer the ask" },
  "queue.full": { status: 429, title: "The queue is full" },
  "turn.unknown": { status: 404, title: "There is no such turn" },
  "turn.none": { status: 409, title: "No turn is running" },
  "turn.over": { status: 409, title: "That turn has ended" },
  "quota.bytes": { status: 413, title: "There is no room for more of your data" },
  "quota.conversations": { status: 409, title: "There is no room for another conversation" },
  "idempotency.reused": { status: 422, title: "That idempotency key was used for another request" },
  "offset.invalid": { status: 400, title: "That is not an offset of this stream" },
  "offset.gone": { status: 410, title: "That offset is not in this stream's history" },
  "cursor.invalid": { status: 400, title: "That is not a cursor of this list" },
  "rate.exceeded": { status: 429, title: "Too many at once" },
  "import.invalid": { status: 422, title: "The import cannot be read" },
  "import.not-empty": { status: 409, title: "The conversation already has messages" },
  "change.unknown": { status: 404, title: "There is no such change" },
  "archive.unknown": { status: 404, title: "There is no such archive" },
  "archive.dissolved": { status: 409, title: "That compaction was undone already" },
  "compaction.nothing": { status: 409, title: "There is nothing to compact" },
  "file.path": { status: 422, title: "That cannot be the path of a file" },
  "file.unknown": { status: 404, title: "There is no such file" },
  "file.exists": { status: 409, title: "There is such a file already" },
  "file.clash": { status: 409, title: "Another file or folder stands in the way" },
  "file.changed": { status: 412, title: "The file was changed meanwhile" },
  "file.not-plain": { status: 409, title: "That is not a plain file on disk" },
  "file.not-text": { status: 422, title: "That file is not text" },
  "file.edit": { status: 422, title: "The edit does not fit the file" },
  "file.too-large": { status: 413, title: "The file is too large" },
  "workspace.full": { status: 413, title: "There is no room for more files" },
  "output.unknown": { status: 404, title: "There is no such output" },
  "key.unknown": { status: 404, title: "There is no such key" },
  "memory.unknown": { status: 404, title: "There is no such memory" },
  "memory.ambiguous": { status: 409, title: "Both scopes have a memory of that name" },
  "memory.invalid": { status: 422, title: "That cannot be a memory" },
  "memory.full": { status: 409, title: "There is no room for another memory" },
  "schedule.unknown": { status: 404, title: "There is no such schedule" },
  "schedule.invalid": { status: 422, title: "That cannot be a schedule" },
  "schedule.full": { status: 409, title: "There is no room for another schedule" },
  "schedule.waiting": { status: 409, title: "A firing of that schedule is waiting already" },
  "wakeup.invalid": { status: 422, title: "That cannot be a wakeup" },
  "wakeup.full": { status: 409, title: "There is no room for another wakeup" },
  "wakeup.unknown": { status: 404, title: "There is no such wakeup" },
  "wakeup.runaway": { status: 409, title: "The agent wakes itself too often" },
  "trigger.changed": { status: 409, title: "It was changed meanwhile" },
  "hook.unknown": { status: 404, title: "There is no such webhook" },
  "hook.signature": { status: 401, title: "The delivery is not signed as it should be" },
  "hook.paused": { status: 409, title: "The webhook is paused" },
  "hook.full": { status: 409, title: "There is no room for another webhook" },
  "mcp.changed": { status: 409, title: "The tool is not as it was looked at" },
  "notice.unknown": { status: 404, title: "There is no such notice" },
  "notice.url": { status: 422, title: "Nothing is sent to that address" },
  "notice.secret": { status: 409, title: "The secret of this notice cannot be read" },
  "notice.full": { status: 409, title: "There is no room for another notice" },
  "store.unavailable": { status: 503, title: "The store cannot be reached" },
  "server.stopping": { status: 503, title: "The server is stopping" },
  "server.busy": { status: 503, title: "The server has too much to do" },
  "server.not-ready": { status: 503, title: "The server is not ready" },
  bug: { status: 500, title: "Something is wrong in Parlor" },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof errorTable
export type FaultCode =
  | "store.unavailable"
  | "server.stopping"
  | "server.busy"
  | "server.not-ready"
  | "auth.unavailable"
export type RefusalCode = Exclude<ErrorCode, FaultCode | "bug">

/** How much of a limit is used: bytes, or conversations. */
export type Quota = { readonly used: number; readonly allowed: number }

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly pointer: string | undefined
  /** For what time alone mends. */
  readonly retryAfterMs: number | undefined
  /** For what deleting something mends. */
  readonly quota: Quota | undefined

  constructor(
    code: RefusalCode,
    detail: string,
    pointer?: string,
    options: { retryAfterMs?: number; quota?: Quota } = {},
  ) {
    super(detail)
    this.name = "Refusal"
    this.code = code
    this.pointer = pointer
    this.retryAfterMs = options.retryAfterMs
    this.quota = options.quota
  }
}

export class Fault extends Error {
  readonly code: FaultCode
  readonly retryAfterMs: number

  constructor(message: string, options: { code?: FaultCode; retryAfterMs?: number; cause?: unknown } = {}) {
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
  /** Of a quota. */
  readonly used?: number
  readonly allowed?: number
}

export function toProblem(code: ErrorCode, detail: string, pointer?: string, quota?: Quota): Problem {
  const { status, title } = errorTable[code]
  return {
    type: `urn:parlor:problem:${code}`,
    title,
    status,
    code,
    detail,
    ...(pointer === undefined ? {} : { pointer }),
    ...(quota === undefined ? {} : { used: quota.used, allowed: quota.allowed }),
  }
}
