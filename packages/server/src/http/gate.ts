/** Exact Host and Origin checks, before anything else (SEC-3). */
import type { IncomingMessage } from "node:http"
import { Refusal } from "@parlor/protocol"
import { isDiagramScript } from "./diagram-scripts.ts"

export type Gate = (incoming: IncomingMessage) => void

/** `hosts` as written in a Host header: `127.0.0.1:4141`. `origins`: other origins whose pages may call (API-17). */
export function createGate(hosts: ReadonlySet<string>, origins: ReadonlySet<string> = new Set()): Gate {
  return (incoming) => {
    const host = incoming.headers.host?.toLowerCase()
    if (host === undefined || !hosts.has(host) || hostsNamed(incoming) !== 1)
      throw new Refusal(
        "host.not-allowed",
        `This server does not accept ${host ? `the host ${host}` : "requests without a Host header"}.`,
      )
    checkTarget(incoming.url ?? "", hosts)
    const origin = incoming.headers.origin?.toLowerCase()
    if (origin === "null" && incoming.method === "GET" && isDiagramScript(incoming.url ?? "")) return
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}` && !origins.has(origin))
      throw new Refusal(
        "origin.not-allowed",
        "Requests from pages of other sites are not allowed, unless PARLOR_ALLOWED_ORIGINS names their origin.",
      )
  }
}

/** Node keeps the first of several in `headers`. */
function hostsNamed({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === "host") count++
  }
  return count
}

/** The request target may contain a host too. Non-ASCII bytes in it are ambiguous. */
function checkTarget(target: string, hosts: ReadonlySet<string>): void {
  if (!/^[\x21-\x7e]*$/.test(target))
    throw new Refusal("request.http", "The URL contains non-ASCII characters. Percent-encode them.")
  if (target.startsWith("/") || target === "*") return
  if (!URL.canParse(target) || !hosts.has(new URL(target).host))
    throw new Refusal("host.not-allowed", "This server is not a proxy.")
}

export function localHosts(host: string, port: number): ReadonlySet<string> {
  const names = isLoopback(host) ? ["127.0.0.1", "localhost", "[::1]"] : [host.includes(":") ? `[${host}]` : host]
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])))
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}
