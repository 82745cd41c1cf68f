/**
 * Delivers outgoing webhooks, signed as Standard Webhooks, to public addresses only (SEC-7).
 *
 * A name is looked up once, all its addresses are checked, and a checked address is dialed: no second lookup could
 * return something else between the check and the connection. Redirects are not followed. Only the status of a
 * response is read.
 */
import { request } from "node:http"
import type { Duplex } from "node:stream"
import type { Courier, Delivery, Parcel } from "@parlor/core"
import { signed } from "../hook/secret.ts"
import { isPublicAddress } from "./address.ts"
import { type Dial, dialBySocket, type Resolve, resolveByDns } from "./dial.ts"
import { type Target, targetOf } from "./target.ts"

const LIMIT_MS = 10_000
/** How many addresses of a name are tried. */
const MAX_DIALLED = 3
const GONE = 410

export type CourierParts = {
  /** Hosts that may be private, as `host` or `host:port`. */
  readonly allowed?: readonly string[]
  readonly resolve?: Resolve
  readonly dial?: Dial
  readonly limitMs?: number
}

export function createCourier(parts: CourierParts = {}): Courier {
  const allowed = new Set((parts.allowed ?? []).map((host) => host.toLowerCase()))
  const { resolve = resolveByDns, dial = dialBySocket, limitMs = LIMIT_MS } = parts
  return {
    defect: (url) => {
      const target = targetOf(url, allowed)
      return "defect" in target ? target.defect : undefined
    },
    async take(parcel) {
      const target = targetOf(parcel.url, allowed)
      if ("defect" in target) return barred(target.defect)
      const signal = AbortSignal.timeout(limitMs)
      try {
        const addresses = await within(signal, addressesOf(target, resolve))
        if (addresses === undefined) return barred(`${target.host} resolves to an address that is not public.`)
        const socket = await connected(target, addresses, dial, signal)
        return judged(await post(target, socket, parcel, signal))
      } catch (error) {
        const detail = signal.aborted ? `No response within ${limitMs / 1_000} s.` : reasonOf(error)
        return { ok: false, never: false, code: "notice.unreachable", detail }
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

function post({ url }: Target, socket: Duplex, parcel: Parcel, signal: AbortSignal): Promise<number> {
  const body = Buffer.from(parcel.body)
  const seconds = String(Math.floor(parcel.at / 1_000))
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
          "content-type": "application/json",
          "content-length": body.length,
          connection: "close",
          "user-agent": "Parlor",
          "webhook-id": parcel.id,
          "webhook-timestamp": seconds,
          "webhook-signature": `v1,${signed(parcel.secret, parcel.id, seconds, body).toString("base64")}`,
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

function judged(status: number): Delivery {
  if (status >= 200 && status < 300) return { ok: true }
  if (status === GONE)
    return { ok: false, never: true, code: "notice.gone", detail: "The server responded 410: the address is gone." }
  const isRedirect = status >= 300 && status < 400
  const detail = isRedirect
    ? `The server responded ${status}. Redirects are not followed.`
    : `The server responded ${status}.`
  return { ok: false, never: false, code: "notice.answer", detail }
}

function barred(detail: string): Delivery {
  return { ok: false, never: true, code: "notice.url", detail }
}

function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

/** The system's error of a failed connection; nothing from the other side. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined
  return `The server could not be reached${code === undefined ? "" : ` (${code})`}.`
}
