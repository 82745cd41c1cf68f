/**
 * Posts to public addresses only (SEC-7), for outgoing webhooks and web push.
 *
 * A name is looked up once, all its addresses are checked, and a checked address is dialed: no second lookup could
 * return something else between the check and the connection. Redirects are not followed. Only the status of a
 * response is read.
 */
import { request } from "node:http"
import type { Duplex } from "node:stream"
import { isPublicAddress } from "./address.ts"
import { type Dial, dialBySocket, type Resolve, resolveByDns } from "./dial.ts"
import { type Target, targetOf } from "./target.ts"

const LIMIT_MS = 10_000
/** How many addresses of a name are tried. */
const MAX_DIALLED = 3

export type PublicPostParts = {
  /** Hosts that may be private, as `host` or `host:port`. */
  readonly allowed?: readonly string[]
  readonly resolve?: Resolve
  readonly dial?: Dial
  readonly limitMs?: number
  /** What errors call the other side. */
  readonly subject?: string
}

/** `barred`: the address is not allowed; `failed`: it could not be reached in time. */
type Posted =
  | { readonly kind: "answered"; readonly status: number }
  | { readonly kind: "barred"; readonly detail: string }
  | { readonly kind: "failed"; readonly detail: string }

export type PublicPost = {
  /** What a URL leads to, or what is wrong with it as written. */
  target(url: string): ReturnType<typeof targetOf>
  /** Never rejects. */
  post(url: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<Posted>
}

export function createPublicPost(parts: PublicPostParts = {}): PublicPost {
  const allowed = new Set((parts.allowed ?? []).map((host) => host.toLowerCase()))
  const { resolve = resolveByDns, dial = dialBySocket, limitMs = LIMIT_MS, subject = "server" } = parts
  return {
    target: (url) => targetOf(url, allowed),
    async post(url, headers, body) {
      const target = targetOf(url, allowed)
      if ("defect" in target) return { kind: "barred", detail: target.defect }
      const signal = AbortSignal.timeout(limitMs)
      try {
        const addresses = await within(signal, addressesOf(target, resolve))
        if (addresses === undefined)
          return { kind: "barred", detail: `${target.host} resolves to an address that is not public.` }
        const socket = await connected(target, addresses, dial, signal)
        return { kind: "answered", status: await send(target, socket, headers, body, signal) }
      } catch (error) {
        const detail = signal.aborted ? `No response within ${limitMs / 1_000} s.` : reasonOf(error, subject)
        return { kind: "failed", detail }
      }
    },
  }
}

/** Undefined if any of them is blocked: a mix of public and private addresses suggests an attack. */
async function addressesOf({ host, isAllowed }: Target, resolve: Resolve): Promise<readonly string[] | undefined> {
  const isAddress = /^[\d.]+$/.test(host) || host.includes(":")
  const addresses = isAddress ? [host] : await resolve(host)
  if (addresses.length === 0) throw new Error(`${host} has no address.`)
  return isAllowed || addresses.every(isPublicAddress) ? addresses.slice(0, MAX_DIALLED) : undefined
}

async function connected(
  { host, port, isSecure }: Target,
  addresses: readonly string[],
  dial: Dial,
  signal: AbortSignal,
): Promise<Duplex> {
  let failure: unknown
  for (const address of addresses) {
    try {
      return await dial({ address, port, secureFor: isSecure ? host : undefined, signal })
    } catch (error) {
      failure = error
      if (signal.aborted) break
    }
  }
  throw failure
}

function send(
  { url }: Target,
  socket: Duplex,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        method: "POST",
        path: `${url.pathname}${url.search}`,
        // With this and no agent, no other connection is made.
        createConnection: () => socket,
        signal,
        headers: {
          host: url.host,
          "content-length": body.length,
          connection: "close",
          "user-agent": "Parlor",
          ...headers,
        },
      },
      (answer) => {
        resolve(answer.statusCode ?? 0)
        answer.destroy()
        socket.destroy()
      },
    )
    sent.on("error", (error) => {
      socket.destroy()
      reject(error)
    })
    sent.end(body)
  })
}

function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

/** The system's error of a failed connection; nothing from the other side. */
function reasonOf(error: unknown, subject: string): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined
  return `The ${subject} could not be reached${code === undefined ? "" : ` (${code})`}.`
}
