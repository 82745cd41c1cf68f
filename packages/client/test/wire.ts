/** A server on a real socket that implements the protocol of docs/spec/http.md, with the faults that a test asks for. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type ChangeEvent, formatOffset, parseOffset } from "@parlor/protocol"
import { Parlor, type ParlorOptions } from "../src/index.ts"

type Call = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}
export type Answer = (call: Call, response: ServerResponse) => void | Promise<void>

export type Wire = {
  readonly calls: Call[]
  readonly parlor: Parlor
  readonly baseUrl: string
  client(options?: Partial<ParlorOptions>): Parlor
  close(): Promise<void>
}

/** The same proportions as in production, but faster. */
export const quick = { backoffMs: 1, backoffMaxMs: 8, silenceMs: 2_000, requestMs: 2_000 } as const

export async function startWire(answer: Answer): Promise<Wire> {
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://wire")
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += chunk
    const call = {
      method: request.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
    }
    calls.push(call)
    await answer(call, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = (options: Partial<ParlorOptions> = {}): Parlor =>
    new Parlor({ baseUrl, token: "secret", timing: quick, ...options })
  return {
    calls,
    baseUrl,
    parlor: client(),
    client,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function json(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value))
}

export function problem(response: ServerResponse, status: number, code: string, headers = {}): void {
  const value = { type: `urn:parlor:problem:${code}`, title: code, status, code, detail: `Said no: ${code}.` }
  response.writeHead(status, { "content-type": "application/problem+json", ...headers }).end(JSON.stringify(value))
}

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.flushHeaders()
}

export function data(changes: readonly ChangeEvent[]): string {
  return `event: data\n${JSON.stringify(changes, null, 1)
    .split("\n")
    .map((line) => `data: ${line}\n`)
    .join("")}\n`
}

export function control(seq: number, upToDate = true): string {
  return `event: control\ndata: ${JSON.stringify({ streamNextOffset: formatOffset(seq), streamCursor: "7", upToDate })}\n\n`
}

/** The log from the requested offset on, in batches of `size`, each followed by its control event. */
export function pageOf(log: readonly ChangeEvent[], query: URLSearchParams, size = 3): string {
  const from = seqOf(query)
  let text = ": hello\n\n"
  for (let at = from; at < log.length; at += size) {
    const batch = log.slice(at, at + size)
    text += data(batch) + control(at + batch.length, at + batch.length === log.length)
  }
  return from >= log.length ? text + control(log.length) : text
}

export function seqOf(query: URLSearchParams): number {
  const seq = parseOffset(query.get("offset") ?? "-1")
  return typeof seq === "number" ? seq : 0
}

export async function until(isTrue: () => boolean, watch?: (listener: () => void) => () => void): Promise<void> {
  if (isTrue()) return
  if (watch)
    await new Promise<void>((resolve) => {
      const leave = watch(() => {
        if (!isTrue()) return
        leave()
        resolve()
      })
    })
  else while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1))
}
