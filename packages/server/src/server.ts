/**
 * Starts listening, and stops without dropping what is under way.
 *
 *   serving ──drain()──▶ draining: answers all, each on a connection that closes after it ──close()──▶ closed
 *
 * A draining server still listens, so that nobody meets a closed door before whoever sends requests here has looked at
 * its readiness. Streams stay open until the end, because that is where the steps that still run are read (LOG-32).
 */
import { createServer, type Server } from "node:http"
import { type Clock, type Log, Rates, type Runtime, type Store } from "@parlor/core"
import { limits } from "@parlor/protocol"
import { createListener } from "./app.ts"
import { createAuthenticate, isGood } from "./auth/caller.ts"
import type { IssuerSettings } from "./auth/issuer.ts"
import { Names, underOnePerson } from "./auth/names.ts"
import { RefusedCallers, type RefusedCounts } from "./auth/refused.ts"
import { createSendRate } from "./auth/send-rate.ts"
import { createReadiness, drainCheck, type ReadinessCheck } from "./health/readiness.ts"
import { Allowances } from "./http/allowance.ts"
import { createClientAddresses, type ForwardedHeader } from "./http/client-address.ts"
import { type ConnectionLimits, Connections, descriptorLimit } from "./http/connections.ts"
import { createGate, localHosts } from "./http/gate.ts"
import { answerMalformed } from "./http/malformed.ts"
import { OnceCommands } from "./http/once.ts"
import { HEAVY, Slots } from "./http/slots.ts"
import { openPage } from "./page/page.ts"
import { Followers } from "./streams/followers.ts"

const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 75_000
/** How often connections that said too little in time are looked for. */
const CHECK_MS = 5_000
const CLOSE_GRACE_MS = 2_000

export type ServerParts = ConnectionLimits & {
  readonly runtime: Runtime
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly token: string
  readonly host: string
  /** 0 takes any free one. */
  readonly port: number
  /** Host names it answers to besides its own, for a server behind a proxy. */
  readonly allowedHosts?: readonly string[]
  readonly pageFolder: string
  readonly version: string
  /** Where it is reached from outside: for the addresses of webhooks. */
  readonly publicUrl?: string | undefined
  /** Whose JWTs sign people in (SEC-4). */
  readonly issuer?: IssuerSettings | undefined
  /** Of one person, by keys and sign-in (SEC-9). */
  readonly sendsPerMinute?: number | undefined
  /** Addresses and networks of proxies whose word on where a request comes from is taken, and the header they say it in. */
  readonly trustedProxies?: readonly string[] | undefined
  readonly forwardedHeader?: ForwardedHeader | undefined
  /** What has to hold besides the store for `/readyz` to say yes (SEC-16). */
  readonly readiness?: readonly ReadinessCheck[] | undefined
}

export type RunningServer = {
  readonly url: string
  readonly port: number
  /** Requests refused for who they come from, since it started (SEC-32). */
  refusedCallers(): RefusedCounts
  /** Whether it is about to stop: it still answers, and is not ready for more. */
  readonly draining: boolean
  drain(): void
  /** Ends streams so that their readers reconnect elsewhere, answers what is under way, and stops listening. */
  close(): Promise<void>
}

export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { runtime, store, clock, log, version } = parts
  const names = new Names(store, clock)
  const followers = new Followers({
    reading: { runtime, clock },
    linkedAmong: (given) => names.linkedAmong(given),
    goodKeys: async (hashes) => {
      const keys = await store.findKeys(hashes)
      return new Set(keys.filter((key) => isGood(key, clock.now())).map(({ hash }) => hash))
    },
  })
  const refused = new RefusedCallers(log)
  const tries = new Rates()
  const sends = createSendRate({ clock, perMinute: parts.sendsPerMinute })
  const once = new OnceCommands(runtime, log)
  // Most servers sign nobody in, and do without what it takes.
  const signIn = parts.issuer && (await import("./auth/sign-in.ts")).createSignIn(parts.issuer, { clock, log })
  const addresses = createClientAddresses(parts.trustedProxies, parts.forwardedHeader)
  let gate = createGate(new Set())
  let draining = false
  const isDraining = () => draining
  const listener = createListener({
    services: {
      runtime,
      store,
      clock,
      log,
      followers,
      names,
      refused,
      sends,
      tries,
      once,
      version,
      publicUrl: parts.publicUrl,
      isDraining,
      heavy: new Slots(clock, HEAVY),
      strangers: new Allowances({ all: limits.strangersBytes, each: limits.hookUnreadBytes }),
      readiness: createReadiness({
        runtime,
        store,
        clock,
        checks: [drainCheck(isDraining), ...(parts.readiness ?? [])],
      }),
    },
    gate: (incoming) => gate(incoming),
    authenticate: underOnePerson(createAuthenticate({ token: parts.token, store, clock, signIn }), names),
    page: await openPage(parts.pageFolder),
    clientAddress: addresses.clientAddress,
  })
  const connections = new Connections({ ...parts, ...addresses, descriptors: descriptorLimit() })
  // A request without a Host gets as far as the gate, which says what is wrong with it.
  const server = createServer(
    { maxHeaderSize: limits.headerBytes, requireHostHeader: false, connectionsCheckingInterval: CHECK_MS },
    connections.inTurn(listener),
  )
  server.on("connection", (socket) => connections.accept(socket))
  server.on("clientError", answerMalformed)
  // An import arrives for as long as it is written; `http/body.ts` bounds how long any other body takes.
  server.requestTimeout = 0
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  const port = await listen(server, parts.host, parts.port).catch((error: unknown) => {
    // Its timers would keep the process from ending.
    followers.close()
    throw error
  })
  // Out of descriptors, a connection is not accepted; the next one may be (SEC-13).
  server.on(
    "error",
    occasionally(clock, (error) => log.warn("connection not accepted", { reason: error.message })),
  )
  gate = createGate(new Set([...localHosts(parts.host, port), ...(parts.allowedHosts ?? [])]))
  const shown = parts.host.includes(":") ? `[${parts.host}]` : parts.host
  return {
    port,
    url: `http://${shown}:${port}`,
    refusedCallers: () => refused.counts,
    get draining() {
      return draining
    },
    drain: () => {
      draining = true
    },
    close: () => {
      draining = true
      return close(server, followers)
    },
  }
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, () => {
      server.off("error", reject)
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : port)
    })
  })
}

async function close(server: Server, followers: Followers): Promise<void> {
  followers.close()
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
  await closed
  clearTimeout(timer)
}

const OCCASIONALLY_MS = 10_000

/** What may come a thousand times a second is told once in a while. */
function occasionally(clock: Clock, tell: (error: Error) => void): (error: Error) => void {
  let quietUntil = 0
  return (error) => {
    if (clock.now() < quietUntil) return
    quietUntil = clock.now() + OCCASIONALLY_MS
    tell(error)
  }
}
