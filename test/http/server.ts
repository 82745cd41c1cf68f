/**
 * A complete server in this process, on its own port, for tests that only use HTTP: real store, real runtime, real
 * sockets. Only the model is scripted.
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type Agent,
  type Clock,
  type Courier,
  createRuntime,
  type KeyRecord,
  type Log,
  type LogFields,
  type Model,
  type ModelRequest,
  type PushSender,
  type Runtime,
  type Settings,
  type Store,
} from "@parlor/core"
import { type Script, says, scriptedModel, testSeal } from "@parlor/core/testing"
import { openFiles } from "@parlor/files"
import {
  createCourier,
  createPushSender,
  type IssuerSettings,
  type RunningServer,
  randomIds,
  type ServerParts,
  startServer,
  systemClock,
  systemRandom,
} from "@parlor/server"
import { openPostgres, openSpool, openSqlite } from "@parlor/store"
import { freshDatabase } from "../support/postgres.ts"
import { digest, type Target } from "./client.ts"
import { dumpPostgres, dumpSqlite, type Tables } from "./dump.ts"

export type StoreKind = "SQLite" | "PostgreSQL"
export const STORES: readonly StoreKind[] = ["SQLite", "PostgreSQL"]

export type TestServer = Target & {
  readonly runtime: Runtime
  readonly store: Store
  /** Its data folder. */
  readonly folder: string
  /** The URL of its PostgreSQL database, for a second server on the same one. */
  readonly databaseUrl: string | undefined
  /** Every line logged so far, as JSON, before redaction. */
  readonly logged: readonly string[]
  /** All model requests, in order. */
  readonly requests: readonly ModelRequest[]
  /** Queues the agents' next replies; after those they reply `ANSWER`. */
  script(...scripts: readonly Script[]): void
  /** Creates a key as the HTTP API does, but with any values a test needs. Returns its secret. */
  addKey(key: Partial<KeyRecord>): Promise<string>
  refusedCallers: RunningServer["refusedCallers"]
  /** The whole content of the store, by table, one line of JSON per row. */
  dump(): Promise<Tables>
  readonly isDraining: boolean
  /** Drains as on SIGTERM: resolves when the running steps have ended, or after this time. */
  drain(ms: number): Promise<void>
  close(): Promise<void>
}

export type TestServerOptions = {
  readonly kind?: StoreKind
  readonly clock?: Clock
  /** Another server with which it shares database and token. */
  readonly beside?: Pick<TestServer, "databaseUrl" | "token">
  /** Wraps the store. */
  readonly wrap?: (store: Store) => Store
  readonly pageFolder?: string
  readonly token?: string
  /** Delivers outgoing webhooks; by default they are dropped. */
  readonly courier?: Courier
  /** Sends web push; by default nothing gets through. */
  readonly pushSender?: PushSender
  /** Additional fields of both agents. */
  readonly agent?: Partial<Agent>
  readonly issuer?: IssuerSettings
  readonly sendsPerMinute?: number
  readonly settings?: Partial<Settings>
  /** Settings of the server itself. */
  readonly edge?: Pick<
    ServerParts,
    | "connections"
    | "connectionsPerAddress"
    | "trustedProxies"
    | "forwardedHeader"
    | "allowedHosts"
    | "conversationHeader"
    | "allowedOrigins"
  >
}

/** Names do not resolve and dialing fails: no test sends packets to other machines. */
const nowhere = {
  resolve: async () => [],
  dial: async () => {
    throw new Error("tests must not open outgoing connections")
  },
}

export const ANSWER = "A small answer, said in a few words."

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "parlor-http-"))
  const opened = await openStore(options.kind ?? "SQLite", folder, options.beside?.databaseUrl)
  const store = options.wrap?.(opened.store) ?? opened.store
  const clock = options.clock ?? systemClock
  const token = options.beside?.token ?? options.token ?? randomBytes(32).toString("base64url")
  const scripts: Script[] = []
  const requests: ModelRequest[] = []
  const lines: string[] = []
  const log = collectingLog(lines)
  const spool = openSpool(join(folder, "spool.jsonl"))
  const runtime = createRuntime({
    store,
    files: openFiles({ root: join(folder, "files") }),
    courier: options.courier ?? createCourier(nowhere),
    pushSender: options.pushSender ?? createPushSender(nowhere),
    seal: testSeal,
    spool,
    clock,
    ids: randomIds(clock),
    random: systemRandom,
    log,
    agents: agents(requests, scripts, options.agent),
    ...(options.settings === undefined ? {} : { settings: options.settings }),
  })
  const pageFolder = options.pageFolder ?? join(folder, "page")
  const parts = { runtime, store, clock, log, token, pageFolder, host: "127.0.0.1", port: 0, version: "0.0.0-test" }
  const { issuer, sendsPerMinute } = options
  const server = await startServer({ ...parts, issuer, sendsPerMinute, ...options.edge })
  await runtime.start()
  return {
    port: server.port,
    token,
    runtime,
    store,
    folder,
    databaseUrl: opened.databaseUrl,
    logged: lines,
    requests,
    script: (...more) => void scripts.push(...more),
    addKey: (key) => addKey(store, key),
    refusedCallers: server.refusedCallers,
    dump: opened.dump,
    get isDraining() {
      return server.draining
    },
    drain: (ms) => {
      server.drain()
      return runtime.drain(ms)
    },
    async close() {
      await server.close()
      await runtime.close()
      await store.close()
      await opened.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openStore(
  kind: StoreKind,
  folder: string,
  sharedUrl: string | undefined,
): Promise<{ store: Store; databaseUrl?: string; dump(): Promise<Tables>; drop(): Promise<void> }> {
  if (kind === "SQLite") {
    const path = join(folder, "parlor.db")
    return { store: await openSqlite({ path }), dump: async () => dumpSqlite(path), drop: async () => {} }
  }
  const { url, drop } = sharedUrl === undefined ? await freshDatabase() : { url: sharedUrl, drop: async () => {} }
  return { store: await openPostgres({ url }), databaseUrl: url, dump: () => dumpPostgres(url), drop }
}

function agents(requests: ModelRequest[], scripts: Script[], more: Partial<Agent> = {}): readonly Agent[] {
  const model: Model = {
    name: "scripted",
    window: 100_000,
    run: (request, options) => {
      requests.push(request)
      return scriptedModel([scripts.shift() ?? says(ANSWER)]).run(request, options)
    },
  }
  return ["host", "critic"].map((name) => ({
    name,
    model,
    description: `The agent ${name}.`,
    instructions: `You are ${name}.`,
    tools: [],
    slashCommands: [],
    ...more,
  }))
}

function collectingLog(lines: string[]): Log {
  const add = (line: string, fields?: LogFields) => void lines.push(JSON.stringify({ line, ...fields }))
  return { info: add, warn: add, error: add }
}

async function addKey(store: Store, key: Partial<KeyRecord>): Promise<string> {
  const secret = `parlor_${randomBytes(32).toString("base64url")}`
  const record: KeyRecord = {
    id: `key_${randomBytes(6).toString("hex")}`,
    person: "me",
    name: "test",
    hash: digest(secret),
    scopes: ["read", "write"],
    actFor: null,
    asMaker: true,
    madeBy: null,
    createdAt: 1,
    expiresAt: null,
    revokedAt: null,
    ...key,
  }
  const audit = { at: 1, person: record.person, act: "key.made", subject: record.id }
  await store.keys.add({ ...record, revokedAt: null }, audit)
  if (record.revokedAt !== null) await store.keys.revoke(record.person, record.id, { ...audit, act: "key.revoked" })
  return secret
}
