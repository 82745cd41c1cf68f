/**
 * What a provider's failure means for the turn: whether a retry may help, and when (TRN-10), or what a person has to do
 * (MOD-14).
 *
 * A message consists only of the status, the provider's own sentence, shortened and with anything that looks like a key
 * removed, and our advice. Request bodies, headers and addresses are never part of it, nor of its cause.
 */
import { type FaultKind, ModelFault } from "@parlor/core"
import type { Account } from "./account.ts"
import { permanentCodes } from "./complaint.ts"
import { type Complaint, faultKind } from "./fault-kind.ts"

export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>

const maxMessageChars = 300

/** Common names of codes that only undici uses. */
const plainCodes: ReadonlyMap<string | undefined, string> = new Map([
  ["UND_ERR_SOCKET", "ECONNRESET"],
  ["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"],
])

type FaultOptions = {
  readonly complaint?: Complaint | undefined
  readonly headers?: HeaderValues | undefined
  readonly now: number
  readonly secrets?: readonly string[] | undefined
  readonly account?: Account | undefined
}

export function statusFault(status: number, options: FaultOptions): ModelFault {
  const { complaint, headers, now, secrets, account } = options
  const kind = faultKind(status, complaint)
  const isPermanent = kind !== undefined || (complaint?.code !== undefined && permanentCodes.has(complaint.code))
  const wait = (headers === undefined ? undefined : retryAfterMs(headers, now)) ?? complaint?.retryMs
  return new ModelFault(sentence(`The model provider answered ${status}`, { complaint, secrets, kind, account }), {
    transient: isTransient(status) && !isPermanent,
    kind,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  })
}

/** A complaint inside a stream: the request was valid, so a retry may help unless the code says otherwise. */
export function streamFault(
  complaint: Complaint | undefined,
  options: Pick<FaultOptions, "secrets" | "account"> = {},
): ModelFault {
  const code = complaint?.code
  const status = typeof code === "number" ? code : Number(code)
  const kind = faultKind(Number.isNaN(status) ? undefined : status, complaint)
  const isPermanent =
    kind !== undefined ||
    (code !== undefined && permanentCodes.has(code)) ||
    (status >= 400 && status < 600 && !isTransient(status))
  return new ModelFault(sentence("The model provider broke off its answer", { ...options, complaint, kind }), {
    transient: !isPermanent,
    kind,
  })
}

type Told = Pick<FaultOptions, "complaint" | "secrets" | "account"> & { readonly kind: FaultKind | undefined }

function sentence(what: string, { complaint, secrets, account, kind }: Told): string {
  const said = complaint === undefined ? "" : cleaned(complaint.message, secrets)
  return [said === "" ? `${what}.` : `${what}: ${said}`, ...advice(kind, account)].join(" ")
}

/** What a person has to do, because a retry does not help. */
function advice(kind: FaultKind | undefined, account: Account | undefined): readonly string[] {
  if (kind === undefined) return []
  const name = account?.name ?? "the provider"
  if (kind === "key") return [account === undefined ? "Check its API key." : `Check ${account.key}.`]
  const place = account?.billing === undefined ? "" : ` (${account.billing})`
  return [`The quota or balance of the account with ${name} is used up: add to it${place}, or choose another model.`]
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
