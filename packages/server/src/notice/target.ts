/** Where something may be sent, as far as that can be told from the address as it is written (SEC-7). */
import { isPublicAddress } from "./address.ts"

export type Target = {
  readonly url: URL
  /** Without the brackets of an address. */
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
  /** Whoever runs the server said that this one is meant, wherever it is. */
  readonly isAllowed: boolean
}

/** Undefined for what is no address one could send to, with why it is not. `allowed`: `host` or `host:port`. */
export function targetOf(text: string, allowed: ReadonlySet<string>): Target | { readonly defect: string } {
  if (!URL.canParse(text)) return { defect: "That is no URL." }
  const url = new URL(text)
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { defect: "The URL begins with https:// or http://." }
  if (url.username !== "" || url.password !== "") return { defect: "The URL holds a name or a password." }
  if (url.hash !== "") return { defect: "The URL holds a fragment, which is not sent to anybody." }
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const isSecure = url.protocol === "https:"
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port)
  const isAllowed = allowed.has(url.hostname) || allowed.has(`${url.hostname}:${port}`)
  if (!isAllowed && isLocal(host)) return { defect: `${host} is not out in the world. Nothing is sent there.` }
  return { url, host, port, isSecure, isAllowed }
}

/** The parser of URLs has made one form of all the ways to write an address: decimal, octal, hexadecimal, shortened. */
function isLocal(host: string): boolean {
  if (/^[\d.]+$/.test(host) || host.includes(":")) return !isPublicAddress(host)
  const name = host.toLowerCase().replace(/\.$/, "")
  return !name.includes(".") || /\.(?:local|localhost|internal|intranet|lan|home|corp|home\.arpa)$/.test(name)
}
