/**
 * Answers each request with the next response of a list, byte for byte, on a real socket, and keeps what was sent.
 *
 * The responses beside this file follow the providers' documentation and the schemas of the AI SDK's packages. They were
 * not captured from the providers' servers: ids, signatures and counts are made up.
 */
import http from "node:http"
import type { AddressInfo } from "node:net"

export type Recording = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export type Sent = {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

export type Replay = {
  readonly url: string
  readonly sent: Sent[]
  /** The responses still to be sent, in order. */
  readonly next: Recording[]
  close(): Promise<void>
}

export async function openReplay(): Promise<Replay> {
  const sent: Sent[] = []
  const next: Recording[] = []
  const server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    sent.push({
      path: request.url ?? "",
      headers: request.headers,
      body: JSON.parse(Buffer.concat(pieces).toString()) as Sent["body"],
    })
    const { status = 200, headers, body } = next.shift() ?? { status: 500, body: '{"error":"nothing recorded"}' }
    const type = status === 200 ? "text/event-stream" : "application/json"
    response.writeHead(status, { "content-type": type, ...headers })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    next,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Events as OpenAI's Responses API and Anthropic name them: by their type. */
export function named(...events: readonly object[]): string {
  const nameOf = (event: object) => (event as { readonly type?: string }).type
  return events.map((event) => `event: ${nameOf(event)}\ndata: ${JSON.stringify(event)}\n\n`).join("")
}

/** Events without names, as Chat Completions and Google send them. */
export function unnamed(...events: readonly unknown[]): string {
  return events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join("")
}
