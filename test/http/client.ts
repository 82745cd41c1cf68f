/** A client that can send requests that no well-behaved client would. */
import { createHash } from "node:crypto"
import { Agent, type IncomingHttpHeaders, request } from "node:http"
import { connect } from "node:net"
import { type ErrorCode, errorTable, problem, toProblem } from "@parlor/protocol"
import { expect } from "vitest"
import { z } from "zod"

/** A server and the token to use there. */
export type Target = { readonly port: number; readonly token: string }

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }

export type Ask = {
  /** Overrides the server's own; null sends none. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** A string or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 })

export function ask(target: Target, method: string, path: string, options: Ask = {}): Promise<Answer> {
  const { headers, bytes } = prepared(target, options)
  return new Promise((resolve, reject) => {
    const asked = request({ agent, method, path, headers, host: "127.0.0.1", port: target.port }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
      incoming.on("error", reject)
      incoming.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8")
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text })
      })
    })
    asked.on("error", reject)
    asked.end(bytes)
  })
}

/** Sends a request and parses the response with its schema; fails the test unless the status is 2xx. */
export async function read<S extends z.ZodType>(
  target: Target,
  schema: S,
  method: string,
  path: string,
  options: Ask = {},
): Promise<z.output<S>> {
  const answer = await ask(target, method, path, options)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return schema.parse(JSON.parse(answer.text))
}

export function jsonOf(answer: Answer): unknown {
  return JSON.parse(answer.text)
}

export type Expected = { readonly status: number; readonly code: string; readonly pointer?: string }

/** The status must match the error table. */
export function expected(code: ErrorCode, pointer?: string): Expected {
  return { code, status: errorTable[code].status, ...(pointer === undefined ? {} : { pointer }) }
}

const rpcProblem = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.null(),
  error: z.strictObject({ code: z.number().int(), message: z.string().min(1), data: z.unknown() }),
})

/**
 * Expects a problem with this status, this code and, if given, this pointer: as RFC 9457, as plain text (API-4), in
 * OpenAI's format (API-14), as a run error (API-39) or as JSON-RPC (API-46).
 */
export function expectProblem(answer: Answer, expected: Expected, about = ""): z.output<typeof problem> {
  const isRunError = answer.text.startsWith('{"type":"RUN_ERROR"')
  if (
    !isRunError &&
    answer.headers["parlor-code"] !== undefined &&
    answer.headers["content-type"] === "application/json"
  )
    return expectOpenaiError(answer, expected, about)
  expect(answer.status, `${about} ${answer.text.slice(0, 300)}`).toBe(expected.status)
  if (answer.headers["content-type"] === "text/plain; charset=utf-8") {
    expect(answer.headers["parlor-code"], about).toBe(expected.code)
    if (expected.pointer !== undefined) expect(answer.headers["parlor-pointer"], about).toBe(expected.pointer)
    return problem.parse(toProblem(expected.code as ErrorCode, answer.text, expected.pointer))
  }
  if (isRunError) {
    const { message, code } = jsonOf(answer) as { readonly message: string; readonly code: string }
    expect(code, about).toBe(expected.code)
    return problem.parse(toProblem(expected.code as ErrorCode, message, expected.pointer))
  }
  if (answer.headers["content-type"] === "application/json") {
    const { code, pointer } = expected
    const { error } = rpcProblem.parse(jsonOf(answer))
    expect(error.data, about).toEqual({ code, ...(pointer === undefined ? {} : { pointer }) })
    return problem.parse(toProblem(code as ErrorCode, error.message, pointer))
  }
  expect(answer.headers["content-type"], about).toBe("application/problem+json")
  const parsed = problem.strict().parse(jsonOf(answer))
  expect(parsed, about).toMatchObject({
    ...expected,
    type: `urn:parlor:problem:${expected.code}`,
  })
  expect(parsed.title).not.toBe("")
  expect(parsed.detail).not.toBe("")
  return parsed
}

function expectOpenaiError(answer: Answer, expected: Expected, about: string): z.output<typeof problem> {
  expect(answer.status, about).toBe(expected.status === 422 ? 400 : expected.status)
  expect(answer.headers["parlor-code"], about).toBe(expected.code)
  const { error } = jsonOf(answer) as { readonly error: Readonly<Record<string, unknown>> }
  expect(Object.keys(error).sort(), about).toEqual(["code", "message", "param", "type"])
  expect(error.message, about).not.toBe("")
  return problem.parse(toProblem(expected.code as ErrorCode, String(error.message)))
}

export type Following = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Everything received so far. */
  text(): string
  /** Resolves when `isEnough` accepts what was received so far; rejects if the stream ends before. */
  until(isEnough: (text: string) => boolean): Promise<string>
  readonly ended: Promise<void>
  leave(): void
}

/** An event stream on its own connection. */
export function follow(target: Target, path: string, options: Ask = {}): Promise<Following> {
  const { headers } = prepared(target, options)
  return new Promise((resolve, reject) => {
    const asked = request({ agent: false, path, headers, host: "127.0.0.1", port: target.port }, (incoming) => {
      let text = ""
      const waiting = new Set<() => void>()
      const wake = () => {
        for (const look of [...waiting]) look()
      }
      incoming.setEncoding("utf8")
      incoming.on("data", (chunk: string) => {
        text += chunk
        wake()
      })
      const ended = new Promise<void>((done) => incoming.once("close", done))
      void ended.then(wake)
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        ended,
        text: () => text,
        leave: () => void asked.destroy(),
        until: (isEnough) =>
          new Promise((found, lost) => {
            const look = () => {
              if (isEnough(text)) found(text)
              else if (incoming.closed) lost(new Error(`the stream ended at: ${text.slice(-300)}`))
              else return
              waiting.delete(look)
            }
            waiting.add(look)
            look()
          }),
      })
      incoming.on("error", () => {})
    })
    asked.on("error", reject)
    asked.end()
  })
}

export type RawOptions = {
  /** Ends the sending side after the bytes. */
  readonly halfClose?: boolean
}

/** How long to wait for more data after a complete response. */
const QUIET_MS = 300
/** How long to wait before that, generous for slow machines. */
const PATIENCE_MS = 15_000

/** Sends raw bytes and returns everything received until the server closes or is silent after a complete response. */
export function raw(
  target: Target,
  bytes: string | Buffer | readonly (string | Buffer)[],
  options: RawOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(target.port, "127.0.0.1", () => {
      for (const piece of [bytes].flat()) socket.write(piece)
      if (options.halfClose) socket.end()
    })
    const done = () => {
      socket.destroy()
      resolve(parseRaw(Buffer.concat(chunks).toString("utf8")))
    }
    socket.setTimeout(PATIENCE_MS, done)
    socket.on("data", (chunk) => {
      chunks.push(chunk)
      if (isWhole(Buffer.concat(chunks).toString("utf8"))) socket.setTimeout(QUIET_MS)
    })
    socket.on("end", done)
    socket.on("error", (error) => (chunks.length > 0 ? done() : reject(error)))
  })
}

export function digest(secret: string | Uint8Array): string {
  return createHash("sha256").update(secret).digest("hex")
}

function prepared(
  target: Target,
  options: Ask,
): { headers: Record<string, string>; bytes: string | Buffer | undefined } {
  const token = options.token === undefined ? target.token : options.token
  const { body } = options
  const bytes = body === undefined || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const headers: Record<string, string> = {
    host: `127.0.0.1:${target.port}`,
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(bytes === undefined ? {} : { "content-type": "application/json" }),
    ...options.headers,
  }
  if (bytes !== undefined && headers["transfer-encoding"] === undefined)
    headers["content-length"] ??= String(Buffer.byteLength(bytes))
  return { headers, bytes }
}

function isWhole(received: string): boolean {
  if (!received.includes("\r\n\r\n")) return false
  const { headers, text } = parseRaw(received)
  return Buffer.byteLength(text) >= Number(headers["content-length"] ?? 0)
}

function parseRaw(text: string): Answer {
  const end = text.indexOf("\r\n\r\n")
  const [first = "", ...lines] = text.slice(0, end === -1 ? text.length : end).split("\r\n")
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(":")
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  return { status: Number(first.split(" ")[1] ?? 0), headers, text: end === -1 ? "" : text.slice(end + 4) }
}
