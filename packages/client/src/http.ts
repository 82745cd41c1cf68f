import { type Method, type SdkRouteName, sdkEndpointOf } from "@parlor/protocol"
import { errorFromResponse, ParlorError } from "./error.ts"
import { makeKey } from "./key.ts"
import { pathTo } from "./path.ts"
import { repeat } from "./repeat.ts"
import type { Answered, AnyRequest, Query, RequestArgs } from "./request.ts"
import type { StreamSlots } from "./slots.ts"
import { defaultTiming, openLine, type Timing } from "./timing.ts"
import { type Token, Tokens } from "./token.ts"
import { canTell, type OnProgress, sendTelling } from "./upload.ts"

export type ParlorOptions = {
  /** The server's address, such as `http://127.0.0.1:4141`. Empty in a page served by the server itself. */
  readonly baseUrl: string
  /** A function is asked again when the server rejects its token (API-50). */
  readonly token: Token
  /** The person to act for. The token must permit it. */
  readonly person?: string
  readonly fetch?: typeof globalThis.fetch
  readonly timing?: Partial<Timing>
  /** Limits how many streams stay open, for pages that share their connections with other windows. */
  readonly slots?: StreamSlots | undefined
}

/** Sends requests by route name. Every failure is a `ParlorError`, except an abort by the caller's own signal. */
export type Http = {
  readonly timing: Timing
  readonly baseUrl: string
  readonly person: string | undefined
  readonly slots: StreamSlots | undefined
  /** Returns a successful response with its body unread. */
  open<N extends SdkRouteName>(name: N, ...request: RequestArgs<N>): Promise<Response>
  /**
   * The parsed response. The time limit starts with the request, or with the end of an upload whose progress is known.
   * A command carries an idempotency key, and is retried with the same key after a fault (LOG-30).
   */
  ask<N extends SdkRouteName>(name: N, ...request: RequestArgs<N>): Answered<N>
}

export function makeHttp(options: ParlorOptions): Http {
  const timing = { ...defaultTiming, ...options.timing }
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, "")
  const doFetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))

  const tokens = new Tokens(options.token)

  async function open(name: SdkRouteName, request: AnyRequest = {}): Promise<Response> {
    const { signal } = request
    const asked = tokens.get(signal)
    const token = typeof asked === "string" ? asked : await asked
    const response = await exchange(name, request, token)
    if (response.status !== 401 || !tokens.canRenew) return accepted(response)
    tokens.drop(token)
    if (isStream(request)) return accepted(response)
    void response.body?.cancel().catch(() => {})
    return accepted(await exchange(name, request, await tokens.get(signal)))
  }

  /** One request with one response, whatever its status. */
  async function exchange(name: SdkRouteName, request: AnyRequest, token: string): Promise<Response> {
    const { method, path } = sdkEndpointOf(name)
    const url = baseUrl + pathTo(path, request.params) + encodeQuery(request.query)
    const init = requestInit(token, options.person, method, request)
    const { onProgress } = request
    const isTold = onProgress !== undefined && options.fetch === undefined && canTell(init)
    const answer = isTold ? sendTelling(url, init, onProgress) : doFetch(url, init)
    return answer.catch((error: unknown) => {
      throw unanswered(error, request.signal, baseUrl)
    })
  }

  async function ask(name: SdkRouteName, request: AnyRequest = {}): Promise<unknown> {
    if (sdkEndpointOf(name).method === "GET") return askOnce(name, request)
    const keyed = withKey(request)
    const { signal, repeating = "on-fault" } = request
    const attempts = isStream(request) ? 1 : request.attempts
    return repeat(timing, { repeating, signal, attempts }, () => askOnce(name, keyed))
  }

  async function askOnce(name: SdkRouteName, request: AnyRequest): Promise<unknown> {
    const line = openLine(timing.requestMs, request.signal)
    const { onProgress } = request
    const told: OnProgress = (share) => {
      line.heard()
      onProgress?.(share)
    }
    try {
      const telling = onProgress === undefined ? {} : { onProgress: told }
      const response = await open(name, { ...request, ...telling, signal: line.signal })
      if (response.status === 204) return undefined
      return await response.json()
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason
      if (line.signal.aborted)
        throw new ParlorError("timeout", `No response within ${timing.requestMs / 1_000} s.`, { cause: error })
      if (error instanceof ParlorError) throw error
      if (error instanceof SyntaxError)
        throw new ParlorError("answer.unreadable", "The response is not valid JSON.", { status: 200, cause: error })
      throw unanswered(error, undefined, baseUrl)
    } finally {
      line.close()
    }
  }

  // From here on, requests are untyped.
  const { person, slots } = options
  return { timing, baseUrl, person, slots, open: open as Http["open"], ask: ask as Http["ask"] }
}

/** One key for all attempts of a command. */
export function withKey<R extends AnyRequest>(request: R): R {
  const { headers = {} } = request
  return "idempotency-key" in headers ? request : { ...request, headers: { ...headers, "idempotency-key": makeKey() } }
}

/** A stream can be read only once, so it cannot be sent again. */
function isStream({ raw }: AnyRequest): boolean {
  return raw?.body instanceof ReadableStream
}

async function accepted(response: Response): Promise<Response> {
  if (!response.ok) throw await errorFromResponse(response)
  return response
}

function requestInit(token: string, person: string | undefined, method: Method, request: AnyRequest): RequestInit {
  const headers = new Headers({ authorization: `Bearer ${token}`, ...request.headers })
  if (person !== undefined) headers.set("parlor-person", encodeURI(person))
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
