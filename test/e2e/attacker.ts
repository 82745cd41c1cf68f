/** An attacker's server on this machine: serves its own pages and records all requests. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export type Attacker = {
  readonly url: string
  /** `GET /path` of every request so far. */
  readonly visits: readonly string[]
  serve(path: string, html: string): void
  close(): Promise<void>
}

export async function startAttacker(): Promise<Attacker> {
  const visits: string[] = []
  const pages = new Map<string, string>()
  const server = createServer((request, response) => {
    const path = request.url ?? "/"
    if (path === "/favicon.ico") return void response.writeHead(204).end()
    visits.push(`${request.method} ${path}`)
    const type = path.endsWith(".js") ? "text/javascript" : "text/html"
    response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "access-control-allow-origin": "*" })
    response.end(pages.get(path) ?? "")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    visits,
    serve: (path, html) => void pages.set(path, html),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
