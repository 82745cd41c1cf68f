import type { ErrorCode, Problem } from "@parlor/protocol"

/**
 * Codes of the client itself: there was no complete response, or it did not come from Parlor; the token function failed;
 * or a message was canceled, or its live view closed, before there was a response.
 */
export type LocalCode =
  | "network"
  | "connection.lost"
  | "timeout"
  | "answer.unreadable"
  | "token.unavailable"
  | "send.cancelled"
  | "closed"

/**
 * Every failure of a request. `code` is from Parlor's error table if the server responded with a problem
 * (RFC 9457); `status` is 0 if there was no response.
 */
export class ParlorError extends Error {
  readonly code: ErrorCode | LocalCode
  readonly status: number
  readonly detail: string
  readonly pointer: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    code: ErrorCode | LocalCode,
    detail: string,
    options: { status?: number; pointer?: string; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(detail, options.cause === undefined ? {} : { cause: options.cause })
    this.name = "ParlorError"
    this.code = code
    this.status = options.status ?? 0
    this.detail = detail
    this.pointer = options.pointer
    this.retryAfterMs = options.retryAfterMs
  }

  /** Whether the same request may succeed later. */
  get passing(): boolean {
    if (LASTING_CODES.has(this.code)) return false
    return this.status === 0 || PASSING_STATUS.has(this.status) || PASSING_CODES.has(this.code)
  }
}

export async function errorFromResponse(response: Response): Promise<ParlorError> {
  const text = await response.text().catch(() => "")
  const problem = parseProblem(text)
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"))
  const options = { status: response.status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  if (problem === undefined)
    return new ParlorError("answer.unreadable", `The server responded ${response.status}.`, options)
  return new ParlorError(problem.code as ErrorCode, problem.detail, {
    ...options,
    ...(problem.pointer === undefined ? {} : { pointer: problem.pointer }),
  })
}

/** From any sender: a proxy's 429 is treated like Parlor's. */
const PASSING_STATUS: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504])
const PASSING_CODES: ReadonlySet<string> = new Set(["rate.exceeded", "auth.unavailable", "conversation.contended"])
/** Waiting does not help: a turn must end, or somebody must free space. */
const LASTING_CODES: ReadonlySet<string> = new Set(["queue.full", "closed", "send.cancelled"])

function parseProblem(text: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== "object" || value === null) return undefined
    const { code, detail, title } = value as Partial<Problem>
    if (typeof code !== "string") return undefined
    return { ...(value as Problem), detail: detail ?? title ?? code }
  } catch {
    return undefined
  }
}

/** Seconds or a date; HTTP allows both. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}
