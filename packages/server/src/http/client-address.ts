/**
 * The client address of a request, for all limits by address (SEC-17).
 *
 * Anybody can write a forwarding header. What a trusted proxy added to it is at its end, so it is read from there, and
 * the first address that is not a trusted proxy's is the client's.
 */
import type { IncomingMessage } from "node:http"
import { BlockList, isIP } from "node:net"

/** Far more chained proxies than any deployment has. */
const MAX_HOPS = 32

export type ForwardedHeader = "x-forwarded-for" | "forwarded"

export type ClientAddresses = {
  isProxy(address: string | undefined): boolean
  /** A name for the network: see `networkOf`. */
  clientAddress(incoming: Pick<IncomingMessage, "headers" | "socket">): string
}

export function createClientAddresses(
  proxies: readonly string[] = [],
  header: ForwardedHeader = "x-forwarded-for",
): ClientAddresses {
  const trusted = new BlockList()
  for (const proxy of proxies) {
    const { address, prefix, family } = parseNetwork(proxy) ?? unusable(proxy)
    trusted.addSubnet(address, prefix, family)
  }
  const isProxy = (given: string | undefined) => {
    const address = plain(given ?? "")
    const version = isIP(address)
    return proxies.length > 0 && version !== 0 && trusted.check(address, version === 4 ? "ipv4" : "ipv6")
  }
  return {
    isProxy,
    clientAddress({ headers, socket }) {
      let address = plain(socket.remoteAddress ?? "")
      if (!isProxy(address)) return networkOf(address)
      const value = headers[header]
      for (const hop of hopsOf(Array.isArray(value) ? value.join(",") : (value ?? ""), header)) {
        if (isIP(hop) === 0) break
        address = hop
        if (!isProxy(hop)) break
      }
      return networkOf(address)
    },
  }
}

/** An address with or without a prefix length: `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. Undefined if it is neither. */
export function parseNetwork(
  text: string,
): { readonly address: string; readonly prefix: number; readonly family: "ipv4" | "ipv6" } | undefined {
  const [address = "", length, ...rest] = text.split("/")
  const version = isIP(address)
  const longest = version === 4 ? 32 : 128
  const prefix = length === undefined ? longest : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  if (version === 0 || rest.length > 0 || !(prefix <= longest)) return undefined
  return { address, prefix, family: version === 4 ? "ipv4" : "ipv6" }
}

/** An IPv4 address, or the /64 of an IPv6 one: one client usually has the whole /64. */
export function networkOf(given = ""): string {
  const address = plain(given)
  if (!address.includes(":")) return address
  const [head = "", tail] = address.toLowerCase().split("::")
  const groups = head === "" ? [] : head.split(":")
  const after = tail ? tail.split(":").length : 0
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after)
  const all = [...groups, ...Array<string>(zeros).fill("0"), ...(tail ? tail.split(":") : [])]
  return `${all.slice(0, 4).join(":")}::`
}

/** Without a zone, and IPv4 as IPv4. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address.replace(/%.*$/s, "")
}

/** From the direct peer back to the client. */
function hopsOf(value: string, header: ForwardedHeader): readonly string[] {
  const hops = value.split(",").slice(-MAX_HOPS).reverse()
  return hops.map((hop) => withoutPort(header === "forwarded" ? forOf(hop) : hop.trim()))
}

/** RFC 7239: `for="[2001:db8::1]:4711";proto=https`. */
function forOf(element: string): string {
  for (const pair of element.split(";")) {
    const mark = pair.indexOf("=")
    if (pair.slice(0, mark).trim().toLowerCase() === "for")
      return pair
        .slice(mark + 1)
        .trim()
        .replace(/^"|"$/g, "")
  }
  return ""
}

function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(hop)?.[1]
  if (bracketed !== undefined) return plain(bracketed)
  return plain(/^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? hop)
}

function unusable(proxy: string): never {
  throw new Error(`${JSON.stringify(proxy)} is not an address or a network such as 10.0.0.0/8.`)
}
