/**
 * Limits connections, in total and per address, and handles one request at a time on each (SEC-13).
 *
 *   accepted ──too many, per address or in total──▶ the longest idle one is closed; if none is idle: refused, 503
 *      ▼
 *    idle ──request──▶ busy ──answered──▶ idle
 *
 * Pipelined requests wait for the one before them. Their response has no socket until then, so a disconnect would go
 * unnoticed: that is why no handler sees such a request before its turn.
 */
import { readFileSync } from "node:fs"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { limits, toProblem } from "@parlor/protocol"
import { networkOf } from "./client-address.ts"
import { socketProblem } from "./malformed.ts"

/** File descriptors reserved for the database, models, webhooks and files. */
const RESERVED_DESCRIPTORS = 256

export type ConnectionLimits = {
  /** Total connections. */
  readonly connections?: number | undefined
  readonly connectionsPerAddress?: number | undefined
}

type Waiting = { readonly incoming: IncomingMessage; readonly out: ServerResponse }

export type ConnectionsParts = ConnectionLimits & {
  /** Whether many people share this address. */
  readonly isProxy: (address: string | undefined) => boolean
  readonly clientAddress: (incoming: IncomingMessage) => string
  /** The process's open-file limit. */
  readonly descriptors?: number | undefined
}

/** Per address. */
type Holder = { taken: number; readonly idle: Set<Socket> }

export class Connections {
  readonly #parts: ConnectionsParts
  readonly #most: number
  readonly #mostPerAddress: number
  readonly #holders = new Map<string, Holder>()
  /** In the order in which they became idle, here and for each address. */
  readonly #idle = new Set<Socket>()
  readonly #holderOf = new WeakMap<Socket, Holder>()
  readonly #waiting = new WeakMap<Socket, Waiting[]>()
  #size = 0

  constructor(parts: ConnectionsParts) {
    this.#parts = parts
    const descriptors = parts.descriptors ?? Number.POSITIVE_INFINITY
    const room = Math.max(descriptors - RESERVED_DESCRIPTORS, Math.floor(descriptors / 2))
    this.#most = Math.min(parts.connections ?? limits.connections, room)
    // Even if the limit is low, one address never gets all of them.
    const half = Math.max(1, Math.floor(this.#most / 2))
    this.#mostPerAddress = parts.connectionsPerAddress ?? Math.min(limits.connectionsPerAddress, half)
  }

  get size(): number {
    return this.#size
  }

  accept(socket: Socket): void {
    const address = networkOf(socket.remoteAddress)
    const holder = this.#parts.isProxy(socket.remoteAddress) ? undefined : this.#holder(address)
    const hasRoom =
      (holder === undefined || holder.taken < this.#mostPerAddress || this.#closeLongest(holder.idle)) &&
      (this.#size < this.#most || this.#closeLongest(this.#idle))
    if (!hasRoom) {
      refuse(socket)
      return
    }
    this.#size++
    if (holder !== undefined) {
      holder.taken++
      this.#holderOf.set(socket, holder)
    }
    this.#setIdle(socket, true)
    socket.once("close", () => {
      this.#size--
      this.#setIdle(socket, false)
      if (holder !== undefined) this.#leave(address, holder)
    })
  }

  /** Passes requests to `listener` one at a time per connection, when their response has its socket. */
  inTurn(listener: RequestListener): RequestListener {
    const begin = ({ incoming, out }: Waiting): void => {
      const { socket } = incoming
      if (socket.destroyed) return
      this.#setIdle(socket, false)
      const leave = this.#enterByProxy(incoming)
      out.once("close", () => {
        leave?.()
        const next = this.#waiting.get(socket)?.shift()
        if (next !== undefined) return begin(next)
        this.#waiting.delete(socket)
        if (!socket.destroyed) this.#setIdle(socket, true)
      })
      if (leave === undefined) refuse(socket)
      else listener(incoming, out)
    }
    return (incoming, out) => {
      const { socket } = incoming
      const waiting = this.#waiting.get(socket)
      if (waiting === undefined) {
        this.#waiting.set(socket, [])
        begin({ incoming, out })
      } else if (waiting.length < limits.pipelinedRequests) waiting.push({ incoming, out })
      else socket.destroy()
    }
  }

  /** Behind a proxy the connection is the proxy's, so requests are counted per address instead. Undefined if there are too many. */
  #enterByProxy(incoming: IncomingMessage): (() => void) | undefined {
    if (!this.#parts.isProxy(incoming.socket.remoteAddress)) return () => {}
    const address = this.#parts.clientAddress(incoming)
    const holder = this.#holder(address)
    if (holder.taken >= this.#mostPerAddress) return undefined
    holder.taken++
    return () => this.#leave(address, holder)
  }

  #holder(address: string): Holder {
    const known = this.#holders.get(address)
    if (known !== undefined) return known
    const holder = { taken: 0, idle: new Set<Socket>() }
    this.#holders.set(address, holder)
    return holder
  }

  #leave(address: string, holder: Holder): void {
    holder.taken--
    if (holder.taken === 0) this.#holders.delete(address)
  }

  #setIdle(socket: Socket, isIdle: boolean): void {
    for (const idle of [this.#idle, this.#holderOf.get(socket)?.idle]) isIdle ? idle?.add(socket) : idle?.delete(socket)
  }

  /** False if none is idle. A connection counts until it has closed, within this turn of the event loop. */
  #closeLongest(idle: ReadonlySet<Socket>): boolean {
    const [longest] = idle
    if (longest === undefined) return false
    this.#setIdle(longest, false)
    longest.destroy()
    return true
  }
}

/** This process's open-file limit. Undefined if the system does not report it. */
export function descriptorLimit(): number | undefined {
  return limitInProc() ?? limitInReport()
}

/** Linux only. Reading it takes no time, while Node needs 15 ms for its report. */
function limitInProc(): number | undefined {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}

function limitInReport(): number | undefined {
  const report: unknown = process.report?.getReport()
  const limit = (report as { userLimits?: { open_files?: { soft?: unknown } } }).userLimits?.open_files?.soft
  return typeof limit === "number" ? limit : undefined
}

/** The request was not read, so there is no response object. Most clients receive this before the connection closes. */
function refuse(socket: Socket): void {
  socket.on("error", () => {})
  socket.end(socketProblem(toProblem("server.busy", BUSY_DETAIL), { "retry-after": "5" }), () => socket.destroy())
}

const BUSY_DETAIL = "Too many open connections, in total or from your address. Close some, or try again later."
