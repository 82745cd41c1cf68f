/** Requests that the HTTP parser rejects: answered as a problem like everything else (SEC-5). */
import type { ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { type ErrorCode, type Problem, toProblem } from "@parlor/protocol"

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "request.headers-too-large",
  ERR_HTTP_REQUEST_TIMEOUT: "request.timeout",
}
const DETAILS: Readonly<Partial<Record<ErrorCode, string>>> = {
  "request.headers-too-large": "Send fewer or shorter headers.",
  "request.timeout": "The request took too long to arrive.",
}

/** For the server's `clientError`: there is no response to write to, only the socket. */
export function answerMalformed(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET" || isAnswering(socket)) {
    socket.destroy(error)
    return
  }
  const code = CODES[error.code ?? ""] ?? "request.http"
  socket.end(socketProblem(toProblem(code, DETAILS[code] ?? "The request cannot be read.")))
}

/** A complete response as text, after which the connection closes. */
export function socketProblem(problem: Problem, headers: Readonly<Record<string, string>> = {}): string {
  const body = JSON.stringify(problem)
  const all = {
    "content-type": "application/problem+json",
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
    connection: "close",
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join("")}\r\n${body}`
}

/** Our bytes must not be mixed into a response in progress. Node keeps it on the socket under this name. */
function isAnswering(socket: Duplex & { readonly _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent ?? false
}
