/** Requests and event streams over kept-alive connections, with as little work as possible on this side. */
import { Agent, type IncomingMessage, request } from "node:http"

const agent = new Agent({ keepAlive: true })

export type Asked = { readonly status: number; readonly text: string }

export function ask(method: string, url: string, body?: string, headers: Record<string, string> = {}): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
    const asking = request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      const parts: Buffer[] = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("error", reject)
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
    })
    asking.on("error", reject)
    asking.end(body)
  })
}

export type Frame = { readonly event: string; readonly data: string }

/** Resolves when the stream is open. Returns how to close it, and how many bytes came. */
export function follow(
  url: string,
  headers: Record<string, string>,
  onFrame: (frame: Frame) => void,
): Promise<{ close(): void; bytes(): number }> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent: false, headers: { ...headers, accept: "text/event-stream" } }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${url}: ${response.statusCode}`))
      resolve({ close: () => asking.destroy(), bytes: framesOf(response, onFrame) })
    })
    asking.on("error", reject)
    asking.end()
  })
}

function framesOf(response: IncomingMessage, onFrame: (frame: Frame) => void): () => number {
  let rest = ""
  let bytes = 0
  response.setEncoding("utf8")
  response.on("error", () => {})
  response.on("data", (part: string) => {
    bytes += Buffer.byteLength(part)
    rest += part
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const lines = rest.slice(0, end).split("\n")
      rest = rest.slice(end + 2)
      const field = (name: string) =>
        lines
          .find((line) => line.startsWith(name))
          ?.slice(name.length)
          .trimStart() ?? ""
      onFrame({ event: field("event:"), data: field("data:") })
    }
  })
  return () => bytes
}
