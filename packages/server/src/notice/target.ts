/** Which URLs outgoing webhooks may be sent to, judged by the URL alone (SEC-7). */
import { isPublicAddress } from "./address.ts"

export type Target = {
  readonly url: URL
  /** Without the brackets of an IPv6 address. */
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
  /** The operator allowed this host, even if it is private. */
  readonly isAllowed: boolean
}

/** The target of a URL, or what is wrong with it. `allowed`: `host` or `host:port`. */
export function targetOf(text: string, allowed: ReadonlySet<string>): Target | { readonly defect: string } {
  if (!URL.canParse(text)) return { defect: "That is not a valid URL." }
  const url = new URL(text)
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { defect: "The URL must begin with https:// or http://." }
  if (url.username !== "" || url.password !== "") return { defect: "The URL cannot contain a username or password." }
  if (url.hash !== "") return { defect: "The URL cannot contain a fragment (#…)." }
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const isSecure = url.protocol === "https:"
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port)
  const isAllowed = allowed.has(url.hostname) || allowed.has(`${url.hostname}:${port}`)
  if (!isAllowed && isLocal(host))
    return { defect: `${host} is not a public address. Use a public one, or ask the server's operator to allow it.` }
  return { url, host, port, isSecure, isAllowed }
}

/** The URL parser has normalized all spellings of an address: decimal, octal, hexadecimal, shortened. */
function isLocal(host: string): boolean {
  if (/^[\d.]+$/.test(host) || host.includes(":")) return !isPublicAddress(host)
  const name = host.toLowerCase().replace(/\.$/, "")
  return !name.includes(".") || /\.(?:local|localhost|internal|intranet|lan|home|corp|home\.arpa)$/.test(name)
}
