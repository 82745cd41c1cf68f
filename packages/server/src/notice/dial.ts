/** DNS lookup and dialing: the two places where a request leaves this machine. */
import { lookup } from "node:dns/promises"
import { connect } from "node:net"
import type { Duplex } from "node:stream"
import { connect as connectSecurely } from "node:tls"

export type Resolve = (host: string) => Promise<readonly string[]>

export type Dial = (to: {
  /** The checked address to dial: no name is looked up again. */
  readonly address: string
  readonly port: number
  /** The host name for TLS; none for a plain connection. */
  readonly secureFor: string | undefined
  readonly signal: AbortSignal
}) => Promise<Duplex>

export const resolveByDns: Resolve = async (host) => {
  const found = await lookup(host, { all: true, order: "verbatim" })
  return found.map(({ address }) => address)
}

export const dialBySocket: Dial = ({ address: host, port, secureFor, signal }) =>
  new Promise((resolve, reject) => {
    const isName = secureFor !== undefined && !/^[\d.]+$|:/.test(secureFor)
    const socket =
      secureFor === undefined
        ? connect({ host, port })
        : connectSecurely({ host, port, ...(isName ? { servername: secureFor } : {}) })
    const onAbort = () => socket.destroy(new Error("Connecting timed out."))
    signal.addEventListener("abort", onAbort, { once: true })
    const settle = (end: () => void) => () => {
      signal.removeEventListener("abort", onAbort)
      end()
    }
    socket.once(
      secureFor === undefined ? "connect" : "secureConnect",
      settle(() => resolve(socket)),
    )
    socket.once("error", (error) => settle(() => reject(error))())
    if (signal.aborted) onAbort()
  })
