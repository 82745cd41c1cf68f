/** Exact Host and Origin checks, before anything else is looked at (SEC-3). */
import type { IncomingMessage } from "node:http"
import { Refusal } from "@parlor/protocol"

export type Gate = (incoming: IncomingMessage) => void

/** `hosts` as they stand in a Host header: `127.0.0.1:4141`. */
export function createGate(hosts: ReadonlySet<string>): Gate {
  return (incoming) => {
    const host = incoming.headers.host?.toLowerCase()
    if (host === undefined || !hosts.has(host) || hostsNamed(incoming) !== 1)
      throw new Refusal("host.not-allowed", `This server does not answer to ${host || "a request without a host"}.`)
    checkTarget(incoming.url ?? "", hosts)
    const origin = incoming.headers.origin
    if (origin !== undefined && origin.toLowerCase() !== `http://${host}` && origin.toLowerCase() !== `https://${host}`)
      throw new Refusal("origin.not-allowed", "Requests from other sites' pages are not taken.")
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

/** The target of a request may name a host too. Bytes outside ASCII in it have no one meaning. */
function checkTarget(target: string, hosts: ReadonlySet<string>): void {
  if (!/^[\x21-\x7e]*$/.test(target))
    throw new Refusal("request.http", "Percent-encode what is not ASCII in the address.")
  if (target.startsWith("/") || target === "*") return
  if (!URL.canParse(target) || !hosts.has(new URL(target).host))
    throw new Refusal("host.not-allowed", "This server does not pass requests on to others.")
}

export function localHosts(host: string, port: number): ReadonlySet<string> {
  const names = isLoopback(host) ? ["127.0.0.1", "localhost", "[::1]"] : [host.includes(":") ? `[${host}]` : host]
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])))
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}
