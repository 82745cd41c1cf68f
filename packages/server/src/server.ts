/**
 * Starts listening, and stops without dropping running requests.
 *
 *   serving ──drain()──▶ draining: each response closes its connection ──close()──▶ closed
 *
 * A draining server still listens, so that no connection is refused before the load balancer has seen its readiness.
 * Streams stay open until the end, because they show the steps that still run (LOG-32).
 */
import { createServer, type Server } from "node:http"
import { type Clock, type Log, type Runtime, SharedRates, type Store } from "@parlor/core"
import { type ConfigView, limits } from "@parlor/protocol"
import { createListener } from "./app.ts"
import { createAuthenticate, isGood } from "./auth/caller.ts"
import type { IssuerSettings } from "./auth/issuer.ts"
import { createLinkHolders } from "./auth/link-holder.ts"
import { Names, underOnePerson } from "./auth/names.ts"
import { createPageSignIn } from "./auth/page-sign-in.ts"
import { RefusedCallers, type RefusedCounts } from "./auth/refused.ts"
import { createSendRate } from "./auth/send-rate.ts"
import { createReadiness, drainCheck, type ReadinessCheck } from "./health/readiness.ts"
import { Allowances } from "./http/allowance.ts"
import { createClientAddresses, type ForwardedHeader } from "./http/client-address.ts"
import { type ConnectionLimits, Connections, descriptorLimit } from "./http/connections.ts"
import { createCors } from "./http/cors.ts"
import { createGate, localHosts } from "./http/gate.ts"
import { answerMalformed } from "./http/malformed.ts"
import { OnceCommands } from "./http/once.ts"
import { HEAVY, Slots } from "./http/slots.ts"
import { CONVERSATION_HEADER } from "./openai/send-call.ts"
import { openPage } from "./page/page.ts"
import { Followers } from "./streams/followers.ts"
import { Metrics } from "./telemetry/metrics.ts"

const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 75_000
/** How often connections with an overdue request are checked. */
const CHECK_MS = 5_000
const CLOSE_GRACE_MS = 2_000
const NO_CONFIG: ConfigView = { file: null, problems: [] }

export type ServerParts = ConnectionLimits & {
  readonly runtime: Runtime
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly token: string
  readonly host: string
  /** 0 picks any free port. */
  readonly port: number
  /** Extra Host values to accept, for a server behind a proxy. */
  readonly allowedHosts?: readonly string[]
  /** Other origins whose pages may call with a token: `https://app.example.com` (API-17). */
  readonly allowedOrigins?: readonly string[]
  readonly pageFolder: string
  readonly version: string
  /** How the config was loaded. Default: there is no config file. */
  readonly config?: (() => ConfigView) | undefined
  /** The public URL, used in webhook URLs. */
  readonly publicUrl?: string | undefined
  /** The issuer whose JWTs sign people in (SEC-4). */
  readonly issuer?: IssuerSettings | undefined
  /** Sends per minute of one person, by keys and sign-in (SEC-9). */
  readonly sendsPerMinute?: number | undefined
  /** Addresses and networks of trusted proxies, and the forwarding header they set. */
  readonly trustedProxies?: readonly string[] | undefined
  readonly forwardedHeader?: ForwardedHeader | undefined
  /** The request header in which OpenAI clients name their conversation (API-8). */
  readonly conversationHeader?: string | undefined
  /** Additional checks for `/readyz` (SEC-16). */
  readonly readiness?: readonly ReadinessCheck[] | undefined
  /** What `/metrics` shows: pass those that watch the store, or turns are not counted (OPS-10). */
  readonly metrics?: Metrics | undefined
}

export type RunningServer = {
  readonly url: string
  readonly port: number
  /** Requests refused because of their credential, since it started (SEC-32). */
  refusedCallers(): RefusedCounts
  /** Whether it is draining: it still responds, but is not ready. */
  readonly draining: boolean
  drain(): void
  /** Replaces the other origins whose pages may call (API-17). */
  allowOrigins(allowed: readonly string[]): void
  /** Ends streams so that their readers reconnect elsewhere, finishes running requests, and stops listening. */
  close(): Promise<void>
}

export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { runtime, store, clock, log, version } = parts
  const names = new Names(store, clock)
  const followers = new Followers({
    reading: { runtime, clock },
    openStreams: store.openStreams?.bind(store),
    linkedAmong: (given) => names.linkedAmong(given),
    stillShared: (shares) => runtime.stillShared(shares),
    goodKeys: async (hashes) => {
      const keys = await store.keys.findAll(hashes)
      return new Set(keys.filter((key) => isGood(key, clock.now())).map(({ hash }) => hash))
    },
  })
  runtime.onDeleted((stream) => followers.cutStream(stream))
  const metrics = parts.metrics ?? new Metrics()
  metrics.watch({
    leases: () => runtime.owned,
    streams: () => followers.size,
    isStoreDown: () => runtime.storeIsDown,
    refused: () => refused.counts,
  })
  const refused = new RefusedCallers(log)
  const rates = new SharedRates(clock, store.shareRates?.bind(store))
  const tries = rates.add("tries")
  const sends = createSendRate({ clock, rates: rates.add("sends"), perMinute: parts.sendsPerMinute })
  const once = new OnceCommands(runtime, log)
  // Loaded only if needed: most servers have no issuer.
  const signIn = parts.issuer && (await import("./auth/sign-in.ts")).createSignIn(parts.issuer, { clock, log })
  const pageSignIn = parts.issuer && createPageSignIn(parts.issuer, { clock, log })
  const addresses = createClientAddresses(parts.trustedProxies, parts.forwardedHeader)
  const origins = new Set<string>()
  const allowOrigins = (allowed: readonly string[]) => {
    origins.clear()
    for (const origin of allowed) origins.add(origin.toLowerCase())
  }
  allowOrigins(parts.allowedOrigins ?? [])
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
      config: parts.config ?? (() => NO_CONFIG),
      publicUrl: parts.publicUrl,
      pageSignIn,
      signedInKeysMs: parts.issuer?.keysMs,
      conversationHeader: (parts.conversationHeader ?? CONVERSATION_HEADER).toLowerCase(),
      isDraining,
      metrics,
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
    cors: createCors(origins),
    authenticate: underOnePerson(createAuthenticate({ token: parts.token, store, clock, signIn }), names),
    linkHolder: createLinkHolders({ store, clock, reads: rates.add("link-reads") }),
    page: openPage(parts.pageFolder, pageSignIn?.connects),
    clientAddress: addresses.clientAddress,
  })
  const connections = new Connections({ ...parts, ...addresses, descriptors: descriptorLimit() })
  // A request without a Host reaches the gate, which gives a better error.
  const server = createServer(
    { maxHeaderSize: limits.headerBytes, requireHostHeader: false, connectionsCheckingInterval: CHECK_MS },
    connections.inTurn(listener),
  )
  server.on("connection", (socket) => connections.accept(socket))
  server.on("clientError", answerMalformed)
  // An import may take long to arrive; `http/body.ts` limits the time of any other body.
  server.requestTimeout = 0
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  const port = await listen(server, parts.host, parts.port).catch((error: unknown) => {
    // Its timers would keep the process alive.
    followers.close()
    rates.close()
    throw error
  })
  // Without free descriptors a connection is not accepted; the next one may be (SEC-13).
  server.on(
    "error",
    occasionally(clock, (error) => log.warn("connection not accepted", { reason: error.message })),
  )
  gate = createGate(new Set([...localHosts(parts.host, port), ...(parts.allowedHosts ?? [])]), origins)
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
    allowOrigins,
    close: () => {
      draining = true
      return close(server, followers).finally(() => rates.close())
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

/** Throttles what may happen a thousand times a second. */
function occasionally(clock: Clock, tell: (error: Error) => void): (error: Error) => void {
  let quietUntil = 0
  return (error) => {
    if (clock.now() < quietUntil) return
    quietUntil = clock.now() + OCCASIONALLY_MS
    tell(error)
  }
}
