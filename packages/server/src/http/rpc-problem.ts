/** Errors in the form of JSON-RPC, for MCP (API-46): the HTTP status stays, and `data.code` is Parlor's own code. */
import type { Problem } from "@parlor/protocol"
import type { Answer } from "./answer.ts"
import { SECURITY_HEADERS } from "./problem.ts"

const CODES: Readonly<Record<string, number>> = {
  "request.json": -32_700,
  "request.invalid": -32_600,
  "request.too-deep": -32_600,
  "request.too-many": -32_600,
  bug: -32_603,
}
/** Whatever else the server refuses. */
const REFUSED = -32_000

export function rpcProblemAnswer(problem: Problem, headers: Readonly<Record<string, string>> = {}): Answer {
  const { code, detail, pointer } = problem
  const data = { code, ...(pointer === undefined ? {} : { pointer }) }
  const error = { code: CODES[code] ?? REFUSED, message: detail, data }
  return {
    status: problem.status,
    headers: { ...SECURITY_HEADERS, ...headers, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: null, error }),
  }
}
