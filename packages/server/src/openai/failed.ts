/** Errors in OpenAI's form (API-14). */
import { openaiError, openaiStatus } from "@parlor/adapters"
import { Refusal } from "@parlor/protocol"
import type { Answer } from "../http/answer.ts"
import { problemOf, SECURITY_HEADERS } from "../http/problem.ts"
import type { Services } from "../services.ts"

/** OpenAI's clients repeat 409, 429 and 5xx unless told otherwise; repeating a refusal is useless. */
export function failedInOpenai(services: Services, error: unknown): Answer {
  const { problem, headers } = problemOf(error, services.log, services.runtime.txid())
  const repeats = error instanceof Refusal && headers["retry-after"] === undefined ? { "x-should-retry": "false" } : {}
  return {
    status: openaiStatus(problem.status),
    headers: {
      ...SECURITY_HEADERS,
      ...headers,
      ...repeats,
      "content-type": "application/json",
      "parlor-code": problem.code,
    },
    body: JSON.stringify(openaiError(problem)),
  }
}
