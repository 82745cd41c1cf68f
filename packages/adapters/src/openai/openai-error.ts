/** Errors in OpenAI's form. */
import type { Problem } from "@parlor/protocol"

export type OpenaiError = {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly param: string | null
    readonly code: string
  }
}

/** Codes that OpenAI clients know; any other error keeps Parlor's code. */
const CODES: Readonly<Record<string, string>> = {
  "agent.unknown": "model_not_found",
  "auth.missing": "invalid_api_key",
  "auth.invalid": "invalid_api_key",
  "auth.expired": "invalid_api_key",
  "auth.revoked": "invalid_api_key",
  "rate.exceeded": "rate_limit_exceeded",
}

export function openaiError({ code, detail, pointer, status }: Problem): OpenaiError {
  const param = pointer === undefined || pointer === "" ? null : paramOf(pointer)
  return { error: { message: detail, type: typeOf(status), param, code: CODES[code] ?? code } }
}

/** OpenAI does not use 422: a body that does not match the schema gets 400. */
export function openaiStatus(status: number): number {
  return status === 422 ? 400 : status
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error"
  if (status === 403) return "permission_error"
  if (status === 404) return "not_found_error"
  if (status === 429) return "rate_limit_error"
  return status >= 500 || status === 424 ? "server_error" : "invalid_request_error"
}

/** `/messages/0/content` is `messages[0].content`. */
function paramOf(pointer: string): string {
  const steps = pointer.split("/").filter((step) => step !== "")
  return steps.reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path === "" ? step : `${path}.${step}`),
    "",
  )
}
