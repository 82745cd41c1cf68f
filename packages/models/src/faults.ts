/**
 * What a provider's failure means for the turn: may trying again help, and when (TRN-10).
 *
 * A message is built only from the status and the provider's own sentence, shortened and with anything that looks like
 * a key removed. Request bodies, headers and addresses never enter it, nor the cause.
 */
import { ModelFault } from "@parlor/core"

export type Complaint = { readonly message: string; readonly code: string | number | undefined }

export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>

const maxMessageChars = 300
const maxComplaintDepth = 5

/** Codes that say the same request will fail again, whatever status carries them. */
const permanentCodes: ReadonlySet<string | number> = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "billing_not_active",
  "context_length_exceeded",
  "invalid_api_key",
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "not_found_error",
  "model_not_found",
  "content_filter",
])

/** What undici has names of its own for. */
const plainCodes: ReadonlyMap<string | undefined, string> = new Map([
  ["UND_ERR_SOCKET", "ECONNRESET"],
  ["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"],
])

export function statusFault(
  status: number,
  options: {
    readonly complaint?: Complaint | undefined
    readonly headers?: HeaderValues | undefined
    readonly now: number
    readonly secrets?: readonly string[]
  },
): ModelFault {
  const { complaint, headers, now, secrets } = options
  const said = complaint === undefined ? "" : cleaned(complaint.message, secrets)
  const lasting = complaint?.code !== undefined && permanentCodes.has(complaint.code)
  const wait = headers === undefined ? undefined : retryAfterMs(headers, now)
  return new ModelFault(
    said === "" ? `The model provider answered ${status}.` : `The model provider answered ${status}: ${said}`,
    {
      transient: isTransient(status) && !lasting,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    },
  )
}

/** A complaint inside a stream that had begun: the request was valid, so trying again may help unless the code says no. */
export function streamFault(complaint: Complaint | undefined, secrets?: readonly string[]): ModelFault {
  const { code, message } = complaint ?? { code: undefined, message: "" }
  const status = typeof code === "number" ? code : Number(code)
  const permanent =
    (code !== undefined && permanentCodes.has(code)) || (status >= 400 && status < 600 && !isTransient(status))
  const said = cleaned(message, secrets)
  return new ModelFault(
    said === "" ? "The model provider broke the answer off." : `The model provider broke the answer off: ${said}`,
    {
      transient: !permanent,
    },
  )
}

export function connectionFault(error: unknown): ModelFault {
  const given = errorCode(error)
  const code = plainCodes.get(given) ?? given
  return new ModelFault(`The connection to the model provider failed${code === undefined ? "" : ` (${code})`}.`, {
    transient: true,
  })
}

export function brokenStreamFault(why = "the stream broke off"): ModelFault {
  return new ModelFault(`The model's answer could not be read to its end: ${why}.`, { transient: true })
}

/** Reads the error shapes in use: `{error:{message,code,type}}`, `{error:"…"}`, `{message}`, `{detail}`, or a list of one. */
export function complaintIn(value: unknown, depth = 0): Complaint | undefined {
  if (depth > maxComplaintDepth) return undefined
  if (Array.isArray(value)) return complaintIn(value[0], depth + 1)
  if (typeof value === "string") return { message: value, code: undefined }
  if (typeof value !== "object" || value === null) return undefined
  const { error, message, detail, code, type } = value as Readonly<Record<string, unknown>>
  if (error !== undefined && error !== null) return complaintIn(error, depth + 1)
  const sentence = [message, detail].find((candidate) => typeof candidate === "string") ?? ""
  const known = [code, type].find((candidate) => candidate !== undefined && permanentCodes.has(candidate as string))
  const given =
    known ?? [code, type].find((candidate) => typeof candidate === "number" || typeof candidate === "string")
  return { message: sentence as string, code: given as string | number | undefined }
}

export function retryAfterMs(headers: HeaderValues, now: number): number | undefined {
  const precise = Number(first(headers["retry-after-ms"]))
  if (precise >= 0) return precise
  const value = first(headers["retry-after"])
  if (value === undefined || value.trim() === "") return undefined
  const seconds = Number(value)
  if (seconds >= 0) return Math.ceil(seconds * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function isTransient(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
}

function cleaned(text: string, secrets: readonly string[] = []): string {
  let clean = text
  for (const secret of secrets) if (secret !== "") clean = clean.replaceAll(secret, "[key]")
  clean = clean
    .replace(/\b(?:sk|pk|rk|gsk|xai|key)[-_][\w*.-]{6,}/gi, "[key]")
    .replace(/\bAIza[\w-]{10,}/g, "[key]")
    .replace(/\bBearer\s+\S+/gi, "[key]")
    .replace(/\s+/g, " ")
    .trim()
    .toWellFormed()
  return clean.length <= maxMessageChars ? clean : `${clean.slice(0, maxMessageChars).toWellFormed()}…`
}

function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  if (typeof code === "string") return code
  return cause === undefined ? undefined : errorCode(cause)
}

function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0]
}
