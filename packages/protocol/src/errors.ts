/**
 * Every error Parlor returns, in one table, and the three classes that carry them.
 *
 * - `Refusal`: the request was understood and refused; repeating it does not help. 4xx.
 * - `Fault`: something outside of Parlor failed; a retry may work. 503 with retry-after; 424 when it affects one caller only.
 * - `Bug`: a bug in Parlor. 500 with a reference.
 *
 * On the wire an error is an RFC 9457 problem.
 */
export const errorTable = {
  "request.json": { status: 400, title: "The request body is not valid JSON" },
  "request.invalid": { status: 422, title: "The request does not match its schema" },
  "request.too-large": { status: 413, title: "The request is too large" },
  "request.too-deep": { status: 422, title: "The request is nested too deeply" },
  "request.too-many": { status: 422, title: "The request contains too many values" },
  "request.media-type": { status: 415, title: "Unsupported media type" },
  "request.encoding": { status: 415, title: "Compressed request bodies are not supported" },
  "request.http": { status: 400, title: "The request is not well-formed HTTP" },
  "request.headers-too-large": { status: 431, title: "The request headers are too large" },
  "request.timeout": { status: 408, title: "The request took too long to arrive" },
  "text.malformed": { status: 422, title: "The text contains characters that cannot be stored" },
  "route.unknown": { status: 404, title: "No such route" },
  "method.not-allowed": { status: 405, title: "Method not allowed" },
  "host.not-allowed": { status: 421, title: "This server does not accept that host name" },
  "origin.not-allowed": { status: 403, title: "Requests from that origin are not allowed" },
  "auth.missing": { status: 401, title: "A token is required" },
  "auth.invalid": { status: 401, title: "That token is not valid" },
  "auth.expired": { status: 401, title: "That token has expired" },
  "auth.revoked": { status: 401, title: "That token was revoked" },
  "auth.unavailable": { status: 424, title: "That token cannot be verified right now" },
  "auth.forbidden": { status: 403, title: "That token is not allowed to do this" },
  "person.not-allowed": { status: 403, title: "That token is not allowed to act for this person" },
  "person.linked": { status: 409, title: "That name is linked to a person" },
  "person.unknown": { status: 404, title: "No such person" },
  "person.deleting": { status: 409, title: "That person is being deleted" },
  "person.confirm": { status: 422, title: "Deleting a person must be confirmed" },
  "link.unknown": { status: 404, title: "That name is not linked" },
  "link.taken": { status: 409, title: "That name is linked to someone else" },
  "link.not-empty": { status: 409, title: "That name already has data of its own" },
  "link.chained": { status: 409, title: "A linked name cannot have linked names" },
  "grant.unknown": { status: 404, title: "No such permission" },
  "grant.full": { status: 409, title: "This person always allows too many tools" },
  "share.unknown": { status: 404, title: "Nothing is shared here" },
  "share.expired": { status: 410, title: "The link has expired" },
  "share.revoked": { status: 410, title: "The link was turned off" },
  "share.full": { status: 409, title: "You share too many conversations" },
  "share.empty": { status: 409, title: "There is nothing to share yet" },
  "share.taken": { status: 409, title: "That person can already see the conversation" },
  "share.viewer": { status: 422, title: "The conversation cannot be shared with that person" },
  "preferences.changed": { status: 409, title: "The settings were changed on another device" },
  "push.unknown": { status: 404, title: "No such subscription" },
  "push.endpoint": { status: 422, title: "That browser cannot be notified" },
  "feedback.target": { status: 409, title: "This message cannot be rated" },
  "link.full": { status: 409, title: "This person has too many linked names" },
  "agent.unknown": { status: 404, title: "No such agent" },
  "agent.hosted": { status: 409, title: "A hosted agent cannot do that" },
  "model.not-offered": { status: 422, title: "The agent does not offer that model" },
  "mode.not-offered": { status: 422, title: "The agent does not offer that mode" },
  "model.not-ready": { status: 409, title: "That model is not set up" },
  "provider.unknown": { status: 404, title: "That model provider is not connected" },
  "provider.key": { status: 422, title: "The provider rejected the API key" },
  "provider.quota": { status: 409, title: "The account with the provider has no credit left" },
  "provider.model": { status: 422, title: "The provider does not have that model" },
  "provider.unreachable": { status: 424, title: "The provider cannot be reached" },
  "provider.failed": { status: 424, title: "The provider did not answer as expected" },
  "settings.not-allowed": { status: 403, title: "The agent does not allow changing that setting" },
  "command.invalid": { status: 422, title: "That is not a valid slash command" },
  "context.invalid": { status: 422, title: "That is not valid context for the model" },
  "skill.unknown": { status: 404, title: "No such skill" },
  "conversation.unknown": { status: 404, title: "No such conversation" },
  "conversation.busy": { status: 409, title: "The conversation is busy" },
  "conversation.has-branches": { status: 409, title: "The conversation has branches" },
  "conversation.contended": { status: 409, title: "Too many concurrent changes" },
  "composer.span": { status: 422, title: "A node of the composer input does not match its source" },
  "attachment.unknown": { status: 404, title: "No such attachment" },
  "attachment.media-type": { status: 415, title: "Unsupported file type" },
  "attachment.mismatch": { status: 422, title: "The file's content does not match its type" },
  "attachment.full": { status: 413, title: "Attachment storage is full" },
  "message.unknown": { status: 404, title: "No such message" },
  "message.type-unknown": { status: 422, title: "The agent does not accept messages of that type" },
  "message.too-large": { status: 413, title: "The message is too large" },
  "message.changed": { status: 409, title: "The message has changed since you read it" },
  "message.not-queued": { status: 409, title: "The message is not queued" },
  "position.invalid": { status: 422, title: "That is not a valid queue position" },
  "branch.taken": { status: 409, title: "That branch name is already taken" },
  "branch.unsettled": { status: 409, title: "That message is still streaming" },
  "branch.too-deep": { status: 409, title: "The branch would be nested too deeply" },
  "branch.too-many": { status: 409, title: "The conversation has too many branches" },
  "branch.not-sidecar": { status: 409, title: "The conversation is not a sidecar" },
  "branch.no-answer": { status: 409, title: "The sidecar has no answer yet" },
  "rollback.unknown": { status: 404, title: "No such rollback" },
  "rollback.target": { status: 422, title: "You cannot roll back to that message" },
  "rollback.dimmed": { status: 409, title: "That message is already rolled back" },
  "rollback.nothing": { status: 409, title: "There is nothing to roll back" },
  "rollback.over": { status: 409, title: "That rollback was already canceled" },
  "rollback.not-newest": { status: 409, title: "A later rollback must be canceled first" },
  "rollback.too-many": { status: 409, title: "The conversation has too many rollbacks" },
  "ask.unknown": { status: 404, title: "No such ask" },
  "ask.none": { status: 409, title: "No ask is open" },
  "ask.several": { status: 409, title: "Several asks are open" },
  "ask.closed": { status: 409, title: "The ask is already closed" },
  "ask.invalid": { status: 422, title: "That is not a valid answer to the ask" },
  "queue.full": { status: 429, title: "The queue is full" },
  "turn.unknown": { status: 404, title: "No such turn" },
  "turn.none": { status: 409, title: "No turn is running" },
  "turn.failed": { status: 424, title: "The turn failed" },
  "turn.over": { status: 409, title: "That turn has already ended" },
  "quota.bytes": { status: 413, title: "Your storage is full" },
  "quota.conversations": { status: 409, title: "You have too many conversations" },
  "quota.files": { status: 409, title: "You have too many files" },
  "idempotency.reused": { status: 422, title: "That idempotency key was already used for a different request" },
  "offset.invalid": { status: 400, title: "That is not a valid offset of this stream" },
  "offset.gone": { status: 410, title: "That offset is no longer in this stream's history" },
  "cursor.invalid": { status: 400, title: "That is not a valid cursor of this list" },
  "rate.exceeded": { status: 429, title: "Too many requests" },
  "import.invalid": { status: 422, title: "The import cannot be read" },
  "import.not-empty": { status: 409, title: "The conversation already has messages" },
  "change.unknown": { status: 404, title: "No such change" },
  "archive.unknown": { status: 404, title: "No such archive" },
  "archive.dissolved": { status: 409, title: "That compaction was already undone" },
  "compaction.nothing": { status: 409, title: "There is nothing to compact" },
  "file.path": { status: 422, title: "That is not a valid file path" },
  "file.unknown": { status: 404, title: "No such file" },
  "file.exists": { status: 409, title: "That file already exists" },
  "file.clash": { status: 409, title: "Another file or folder has that path" },
  "file.changed": { status: 412, title: "The file has changed since you read it" },
  "file.not-plain": { status: 409, title: "That is not a regular file on disk" },
  "file.not-text": { status: 422, title: "That file is not a text file" },
  "file.edit": { status: 422, title: "The edit does not match the file" },
  "file.too-large": { status: 413, title: "The file is too large" },
  "workspace.full": { status: 413, title: "The workspace is full" },
  "output.unknown": { status: 404, title: "No such output" },
  "key.unknown": { status: 404, title: "No such key" },
  "memory.unknown": { status: 404, title: "No such memory" },
  "memory.ambiguous": { status: 409, title: "Both scopes have a memory of that name" },
  "memory.invalid": { status: 422, title: "That is not a valid memory" },
  "memory.full": { status: 409, title: "There are too many memories" },
  "schedule.unknown": { status: 404, title: "No such schedule" },
  "schedule.invalid": { status: 422, title: "That is not a valid schedule" },
  "schedule.full": { status: 409, title: "There are too many schedules" },
  "schedule.waiting": { status: 409, title: "A firing of that schedule is already queued" },
  "wakeup.invalid": { status: 422, title: "That is not a valid wakeup" },
  "wakeup.full": { status: 409, title: "There are too many wakeups" },
  "wakeup.unknown": { status: 404, title: "No such wakeup" },
  "agent.self": { status: 409, title: "An agent cannot send to its own conversation" },
  "agent.too-deep": { status: 409, title: "Too many agents sent messages because of each other" },
  "agent.too-many": { status: 409, title: "The turn sent too many messages to other agents" },
  "wakeup.runaway": { status: 409, title: "The agent wakes itself too often" },
  "trigger.changed": { status: 409, title: "The trigger has changed since you read it" },
  "trigger.declared": { status: 409, title: "That trigger is declared in the config" },
  "hook.unknown": { status: 404, title: "No such webhook" },
  "hook.signature": { status: 401, title: "The delivery's signature is not valid" },
  "hook.paused": { status: 409, title: "The webhook is paused" },
  "hook.full": { status: 409, title: "There are too many webhooks" },
  "mcp.changed": { status: 409, title: "The tool has changed since you reviewed it" },
  "notice.unknown": { status: 404, title: "No such outgoing webhook" },
  "notice.url": { status: 422, title: "That URL is not allowed" },
  "notice.secret": { status: 409, title: "This outgoing webhook's secret cannot be read" },
  "notice.full": { status: 409, title: "There are too many outgoing webhooks" },
  "store.unavailable": { status: 503, title: "The store cannot be reached" },
  "server.stopping": { status: 503, title: "The server is stopping" },
  "server.busy": { status: 503, title: "The server is overloaded" },
  "server.not-ready": { status: 503, title: "The server is not ready" },
  bug: { status: 500, title: "Internal error" },
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
  /** When a retry may succeed. */
  readonly retryAfterMs: number | undefined
  /** Set when deleting something would help. */
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
  /** Set when a quota is exceeded. */
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
