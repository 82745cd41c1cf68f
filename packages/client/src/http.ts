import type { Method } from "@parlor/protocol"
import { errorFromResponse, ParlorError } from "./error.ts"
import { makeKey } from "./key.ts"
import { type Repeating, repeat } from "./repeat.ts"
import { defaultTiming, openLine, type Timing } from "./timing.ts"
import { canTell, type OnProgress, sendTelling } from "./upload.ts"

export type ParlorOptions = {
  /** Where the server is, such as `http://127.0.0.1:4141`. Empty in a page that the server itself serves. */
  readonly baseUrl: string
  readonly token: string
  /** Whom to act for. Needs a token with that right. */
  readonly person?: string
  readonly fetch?: typeof globalThis.fetch
  readonly timing?: Partial<Timing>
}

export type Query = { readonly [name: string]: string | number | boolean | undefined }

export type RawBody = string | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | Blob

export type RequestOptions = {
  readonly query?: Query
  readonly body?: unknown
  readonly raw?: { readonly type: string; readonly body: RawBody }
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly onProgress?: OnProgress
  /** How often it is tried; as the timing says, when not given. */
  readonly attempts?: number | undefined
  /** `if-undone`: not after a fault, because a repeat is not recognized. */
  readonly repeating?: Repeating
}

/** Requests with the token on them. Every failure is a `ParlorError`, except an abort by the caller's own signal. */
export type Http = {
  readonly timing: Timing
  readonly baseUrl: string
  readonly person: string | undefined
  /** The response, with its body unread, once it is known to be a success. */
  open(method: Method, path: string, options?: RequestOptions): Promise<Response>
  /**
   * The parsed answer, within the time limit: from the beginning, or from when the last of the body was seen to go. What
   * changes something carries an idempotency key, and is tried again with the same one after a fault (LOG-30).
   */
  ask<T>(method: Method, path: string, options?: RequestOptions): Promise<T>
}

export function makeHttp(options: ParlorOptions): Http {
  const timing = { ...defaultTiming, ...options.timing }
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, "")
  const doFetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))

  async function open(method: Method, path: string, request: RequestOptions = {}): Promise<Response> {
    const url = baseUrl + path + encodeQuery(request.query)
    const init = requestInit(options, method, request)
    const { onProgress } = request
    const isTold = onProgress !== undefined && options.fetch === undefined && canTell(init)
    const answer = isTold ? sendTelling(url, init, onProgress) : doFetch(url, init)
    const response = await answer.catch((error: unknown) => {
      throw unanswered(error, request.signal, baseUrl)
    })
    if (!response.ok) throw await errorFromResponse(response)
    return response
  }

  async function ask<T>(method: Method, path: string, request: RequestOptions = {}): Promise<T> {
    if (method === "GET") return askOnce(method, path, request)
    const keyed = withKey(request)
    const { signal, repeating = "on-fault" } = request
    const attempts = isStream(request) ? 1 : request.attempts
    return repeat(timing, { repeating, signal, attempts }, () => askOnce<T>(method, path, keyed))
  }

  async function askOnce<T>(method: Method, path: string, request: RequestOptions): Promise<T> {
    const line = openLine(timing.requestMs, request.signal)
    const { onProgress } = request
    const told: OnProgress = (share) => {
      line.heard()
      onProgress?.(share)
    }
    try {
      const telling = onProgress === undefined ? {} : { onProgress: told }
      const response = await open(method, path, { ...request, ...telling, signal: line.signal })
      if (response.status === 204) return undefined as T
      return (await response.json()) as T
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason
      if (line.signal.aborted)
        throw new ParlorError("timeout", `No answer within ${timing.requestMs / 1_000} s.`, { cause: error })
      if (error instanceof ParlorError) throw error
      if (error instanceof SyntaxError)
        throw new ParlorError("answer.unreadable", "The answer is not JSON.", { status: 200, cause: error })
      throw unanswered(error, undefined, baseUrl)
    } finally {
      line.close()
    }
  }

  return { timing, baseUrl, person: options.person, open, ask }
}

/** The same one for every try of a command. */
export function withKey(request: RequestOptions): RequestOptions {
  const { headers = {} } = request
  return "idempotency-key" in headers ? request : { ...request, headers: { ...headers, "idempotency-key": makeKey() } }
}

/** What was read once cannot be sent again. */
function isStream({ raw }: RequestOptions): boolean {
  return raw?.body instanceof ReadableStream
}

function requestInit(options: ParlorOptions, method: Method, request: RequestOptions): RequestInit {
  const headers = new Headers({ authorization: `Bearer ${options.token}`, ...request.headers })
  if (options.person !== undefined) headers.set("parlor-person", encodeURI(options.person))
  const init: RequestInit & { duplex?: "half" } = { method, headers, cache: "no-store" }
  if (request.signal) init.signal = request.signal
  if (request.raw) {
    if (request.raw.type !== "") headers.set("content-type", request.raw.type)
    init.body = request.raw.body
    if (request.raw.body instanceof ReadableStream) init.duplex = "half"
  } else if (request.body !== undefined) {
    headers.set("content-type", "application/json")
    init.body = JSON.stringify(request.body)
  }
  return init
}

function encodeQuery(query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  const text = search.toString()
  return text === "" ? "" : `?${text}`
}

function unanswered(error: unknown, signal: AbortSignal | undefined, baseUrl: string): unknown {
  if (signal?.aborted || error instanceof ParlorError) return error
  return new ParlorError("network", `${baseUrl || "The server"} cannot be reached.`, { cause: error })
}
