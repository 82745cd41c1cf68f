/** Reads what a provider says in an error, whichever format it uses. Pure. */
import { type Complaint, faultKind } from "./fault-kind.ts"

const maxComplaintDepth = 5
const maxDetails = 20

/** Codes of requests that would fail again, whatever the status. */
export const permanentCodes: ReadonlySet<string | number> = new Set([
  "context_length_exceeded",
  "invalid_api_key",
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "not_found_error",
  "model_not_found",
  "content_filter",
])

/** Reads the common error formats: `{error:{message,code,type,status}}`, `{error:"…"}`, `{message}`, `{detail}`, or a list of one. */
export function complaintIn(value: unknown, depth = 0): Complaint | undefined {
  if (depth > maxComplaintDepth) return undefined
  if (Array.isArray(value)) return complaintIn(value[0], depth + 1)
  if (typeof value === "string") return { message: value, code: undefined, violations: [], retryMs: undefined }
  if (typeof value !== "object" || value === null) return undefined
  const { error, message, detail, code, type, status, details } = value as Readonly<Record<string, unknown>>
  if (error !== undefined && error !== null) return complaintIn(error, depth + 1)
  const said = [message, detail].find((candidate) => typeof candidate === "string") ?? ""
  const given = [code, type, status].filter((one) => typeof one === "number" || typeof one === "string")
  const telling = namedKind(given) ?? given.find((one) => permanentCodes.has(one) || one === "RESOURCE_EXHAUSTED")
  return { message: said as string, code: telling ?? given[0], ...googleDetails(details) }
}

function namedKind(codes: readonly (string | number)[]): string | number | undefined {
  const nothing = { message: "", violations: [], retryMs: undefined }
  return codes.find((code) => faultKind(undefined, { ...nothing, code }) !== undefined)
}

/** `google.rpc.QuotaFailure` and `google.rpc.RetryInfo`. */
function googleDetails(details: unknown): Pick<Complaint, "violations" | "retryMs"> {
  const list = Array.isArray(details) ? details.slice(0, maxDetails) : []
  const violations = list.flatMap((one) => {
    const found = (one as { readonly violations?: unknown } | null)?.violations
    return Array.isArray(found) ? found.slice(0, maxDetails) : []
  })
  const delay = list
    .map((one) => (one as { readonly retryDelay?: unknown } | null)?.retryDelay)
    .find((one) => typeof one === "string")
  const seconds = Number(/^(\d+(?:\.\d+)?)s$/.exec(String(delay))?.[1])
  return {
    violations: violations.map((one: { readonly quotaId?: unknown; readonly quotaValue?: unknown } | null) => ({
      id: String(one?.quotaId ?? ""),
      value: String(one?.quotaValue ?? ""),
    })),
    retryMs: Number.isNaN(seconds) ? undefined : Math.ceil(seconds * 1000),
  }
}
