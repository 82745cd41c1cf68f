/**
 * Stands between Parlor and the mock of a provider, on a real socket: keeps every request as it was sent, and breaks an
 * answer on its way where a test asks for it.
 */
import http from "node:http"
import type { AddressInfo } from "node:net"

/** What happens to a response after this many of its events. */
export type Mishap = {
  readonly after: number
  readonly what: "reset" | "end" | "stall" | "garbage"
}

type Tapped = {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: unknown
  /** Resolves when the connection of this request is closed, either way. */
  readonly closed: Promise<"finished" | "broken off">
}

export type Wiretap = {
  readonly url: string
  readonly requests: Tapped[]
  /** For the next response, then for the one after it. */
  readonly mishaps: Mishap[]
  close(): Promise<void>
}

export async function openWiretap(
  upstream: string,
  refuse: (path: string, body: unknown) => readonly string[],
): Promise<Wiretap> {
  const requests: Tapped[] = []
  const mishaps: Mishap[] = []
  const server = http.createServer(async (incoming, answer) => {
    const text = await textOf(incoming)
    const body: unknown = JSON.parse(text)
    const path = incoming.url ?? ""
    const closed = new Promise<"finished" | "broken off">((resolve) => {
      answer.on("close", () => resolve(answer.writableFinished ? "finished" : "broken off"))
    })
    requests.push({ path, headers: incoming.headers, body, closed })
    const defects = refuse(path, body)
    if (defects.length > 0) {
      answer.writeHead(400, { "content-type": "application/json" })
      answer.end(JSON.stringify({ error: { message: `Invalid request: ${defects.join("; ")}` } }))
      return
    }
    const headers = { ...incoming.headers, host: new URL(upstream).host }
    const outgoing = http.request(`${upstream}${path}`, { method: "POST", headers, agent: false })
    outgoing.on("response", (response) => {
      const mishap = response.statusCode === 200 ? mishaps.shift() : undefined
      answer.writeHead(response.statusCode ?? 500, response.headers)
      if (mishap === undefined) response.pipe(answer)
      else void spoil(response, answer, mishap)
    })
    outgoing.on("error", () => answer.destroy())
    answer.on("close", () => outgoing.destroy())
    outgoing.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    mishaps,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function spoil(response: http.IncomingMessage, answer: http.ServerResponse, mishap: Mishap): Promise<void> {
  const events = (await textOf(response)).split(/(?<=\n\n|\r\n\r\n)/).slice(0, mishap.after)
  answer.write(events.join(""), () => {
    if (mishap.what === "reset") answer.destroy()
  })
  if (mishap.what === "garbage") answer.write('data: {"type":"response.output_text.delta","choices":[{"del\n\n')
  if (mishap.what === "garbage" || mishap.what === "end") answer.end()
}

async function textOf(message: http.IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of message) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
