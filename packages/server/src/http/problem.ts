/** Errors on the wire: RFC 9457 problems that reveal no internals. */

import { type Log, reasonFields } from "@parlor/core"
import { Fault, type Problem, Refusal, toProblem } from "@parlor/protocol"
import type { Answer } from "./answer.ts"

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow",
}

export type ProblemAnswer = { readonly problem: Problem; readonly headers: Readonly<Record<string, string>> }

/** A store may commit a request and lose the response, so the error does not say whether it happened (LOG-22). */
const REPEAT = "The request may have succeeded. Repeat it with the same Idempotency-Key."

/** A driver's error may name hosts and users, so it only goes to the log. */
const FAULT_DETAIL: Readonly<Record<Fault["code"], string>> = {
  "store.unavailable": `The store cannot be reached. ${REPEAT}`,
  "server.stopping": `The server is stopping. ${REPEAT}`,
  "server.busy": "The server is overloaded. Nothing was changed. Try again.",
  "server.not-ready": "A readiness check failed.",
  "auth.unavailable": "The issuer of this token cannot be reached to get its keys. Try again.",
}

/** Anybody can cause these as often as they like; why a token cannot be verified is logged where the issuer is asked. */
const UNLOGGED: ReadonlySet<Fault["code"]> = new Set<Fault["code"]>(["auth.unavailable", "server.not-ready"])

const USUAL_WAIT_MS = 5_000

export function problemOf(error: unknown, log: Log, reference: string): ProblemAnswer {
  if (error instanceof Refusal)
    return { problem: toProblem(error.code, error.message, error.pointer, error.quota), headers: refusalHeaders(error) }
  if (error instanceof Fault) {
    if (!UNLOGGED.has(error.code)) log.warn("request met a fault", { reference, ...reasonFields(error) })
    // The message of a check is our own text.
    const detail = error.code === "server.not-ready" ? error.message : FAULT_DETAIL[error.code]
    return { problem: toProblem(error.code, detail), headers: retryAfter(error.retryAfterMs) }
  }
  log.error("request failed", {
    reference,
    reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
  })
  return {
    problem: toProblem("bug", `Something went wrong in Parlor. Report it with the reference ${reference}.`),
    headers: {},
  }
}

export function problemAnswer(problem: Problem, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status: problem.status,
    headers: { ...SECURITY_HEADERS, ...headers, "content-type": "application/problem+json" },
    body: JSON.stringify(problem),
  }
}

function refusalHeaders(error: Refusal): Record<string, string> {
  if (error.code.startsWith("auth.") && error.code !== "auth.forbidden") return { "www-authenticate": "Bearer" }
  if (error.retryAfterMs !== undefined) return retryAfter(error.retryAfterMs)
  return error.code === "rate.exceeded" || error.code === "queue.full" ? retryAfter(USUAL_WAIT_MS) : {}
}

/** Whole seconds, at least one: an immediate retry would only fail again. */
function retryAfter(ms: number): Record<string, string> {
  return { "retry-after": String(Math.max(1, Math.ceil(ms / 1_000))) }
}
