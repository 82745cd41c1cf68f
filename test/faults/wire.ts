/** Parlor's HTTP API as used by these tests. A broken connection is an unknown outcome, not an error. */
import { formatOffset, type Problem, parseOffset, type Sent } from "@parlor/protocol"
import { type RawEvent, rawEvents } from "./raw-events.ts"
import { TOKEN } from "./server-process.ts"

const REQUEST_MS = 15_000
const MAX_PAGES = 1_000
/** The maximum that a state view returns. */
export const MOST_MESSAGES = 1_000

/** `agent/branch` */
export type Conversation = string

export type Answer<T> =
  | { readonly outcome: "ok"; readonly value: T }
  | { readonly outcome: "refused"; readonly status: number; readonly code: string; readonly retryAfter: string | null }
  | { readonly outcome: "unknown"; readonly why: string }

export type SendInput = { readonly text: string; readonly key: string; readonly mode: "immediate" | "queued" }

export function pathOf(conversation: Conversation): string {
  return `/v1/conversations/${conversation}`
}

export function send(url: string, conversation: Conversation, input: SendInput): Promise<Answer<Sent>> {
  return ask<Sent>(`${url}${pathOf(conversation)}/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": input.key },
    body: JSON.stringify({ text: input.text, mode: input.mode }),
  })
}

export function stop(
  url: string,
  conversation: Conversation,
  turn: string,
  onQueue: "hold" | "drain",
): Promise<Answer<{ turn: string; state: string }>> {
  return ask(`${url}${pathOf(conversation)}/stop`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ turn, onQueue }),
  })
}

export function make(url: string, conversation: Conversation): Promise<Answer<unknown>> {
  return ask(`${url}${pathOf(conversation)}`, { method: "PUT" })
}

/** All events after number `after`. */
export async function readLog(url: string, conversation: Conversation, after: number): Promise<RawEvent[]> {
  const events: RawEvent[] = []
  let offset = after === 0 ? "-1" : formatOffset(after)
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await get(`${url}${pathOf(conversation)}/events?offset=${offset}`)
    events.push(...rawEvents(await response.text()))
    offset = response.headers.get("stream-next-offset") ?? offset
    if (response.headers.get("stream-up-to-date") === "true") return events
  }
  throw new Error(`the log of ${conversation} has no end`)
}

/** The current rows, and the number of the last event in them. */
export async function readState(
  url: string,
  conversation: Conversation,
): Promise<{ readonly head: number; readonly rows: readonly RawEvent[] }> {
  const response = await get(`${url}${pathOf(conversation)}/events?view=state&offset=-1&messages=${MOST_MESSAGES}`)
  const head = Number(parseOffset(response.headers.get("stream-next-offset") ?? ""))
  return { head, rows: rawEvents(await response.text()) }
}

export async function get(url: string): Promise<Response> {
  const response = await fetch(url, { headers: credential(), signal: AbortSignal.timeout(REQUEST_MS) })
  if (response.status !== 200) throw new Error(`GET ${url} gave ${response.status}: ${await response.text()}`)
  return response
}

export function credential(): Record<string, string> {
  return { authorization: `Bearer ${TOKEN}` }
}

export async function ask<T>(url: string, init: RequestInit): Promise<Answer<T>> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { ...credential(), ...(init.headers as Record<string, string> | undefined) },
      signal: AbortSignal.timeout(REQUEST_MS),
    })
    const body = response.status === 204 ? undefined : ((await response.json()) as unknown)
    if (response.ok) return { outcome: "ok", value: body as T }
    const { code } = body as Problem
    return { outcome: "refused", status: response.status, code, retryAfter: response.headers.get("retry-after") }
  } catch (error) {
    return { outcome: "unknown", why: String(error) }
  }
}
