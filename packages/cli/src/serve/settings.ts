/** Settings from the environment, validated once at start. docs/spec/http.md: Starting and authenticating. */
import { join, resolve } from "node:path"
import { isOrigin } from "@parlor/agent/load"
import type { QuotaSettings, Retention, UsageSettings } from "@parlor/core"
import { limits } from "@parlor/protocol"
import {
  type ForwardedHeader,
  type IssuerSettings,
  isLogLevel,
  isLoopback,
  type LogLevel,
  MIN_TOKEN_LENGTH,
  parseNetwork,
  type TracingSettings,
} from "@parlor/server"
import { countOf } from "./count.ts"
import { issuerOf } from "./issuer-settings.ts"
import { pushContactOf } from "./push-settings.ts"
import { SettingsError } from "./settings-error.ts"
import { tracingOf } from "./tracing-settings.ts"
import { quotaOf, retentionOf, usageOf } from "./usage-settings.ts"

export type ServeSettings = {
  readonly host: string
  readonly port: number
  readonly dataFolder: string
  readonly token: string | undefined
  readonly databaseUrl: string | undefined
  /** The key that encrypts secrets in the database, or its file (SEC-29). */
  readonly secretKeys: string | undefined
  readonly secretKeyFile: string
  readonly isSecretKeyLost: boolean
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  readonly logLevel: LogLevel
  /** Opens a database that lost its write-ahead log (LOG-19). */
  readonly acceptMissingWal: boolean
  /** How long a silent node keeps its conversations. */
  readonly leaseMs: number
  /** Free bytes on the disk of the data folder below which the server is not ready (SEC-16). */
  readonly diskReserveBytes: number
  /** How long running steps may take to finish on shutdown (TRN-17). */
  readonly drainMs: number
  /** What happens to closed sidecars (BRA-4). */
  readonly closedSidecars: "keep" | "delete"
  /** What isolates the commands of agents (SBX-1). */
  readonly sandbox: string
  /** The public URL. */
  readonly publicUrl: string | undefined
  /** Hosts that outgoing webhooks may call even if they are private. */
  readonly noticeHosts: readonly string[]
  /** Where push services reach the operator (APP-7). */
  readonly pushContact: string | undefined
  /** The issuer whose JWTs sign people in (SEC-4). */
  readonly issuer: IssuerSettings | undefined
  /** How many messages one person may send, by keys and sign-in (SEC-9). */
  readonly sendsPerMinute: number | undefined
  /** Open connections, in total and per address (SEC-13). */
  readonly connections: number | undefined
  readonly connectionsPerAddress: number | undefined
  /** Trusted proxies and the forwarding header they set (SEC-17). */
  readonly trustedProxies: readonly string[]
  readonly forwardedHeader: ForwardedHeader
  /** The request header in which OpenAI clients name their conversation (API-8). */
  readonly conversationHeader: string | undefined
  /** Processes of hosted agents that may run at a time (HST-13). */
  readonly hostedProcesses: number | undefined
  /** Model call rate and daily budget of one person (SEC-21, SEC-22). */
  /** Whether a model names conversations (ADR-13). */
  readonly titles: boolean
  readonly usage: UsageSettings
  /** Storage limits of one person (SEC-23, SEC-24). */
  readonly quota: QuotaSettings
  /** Which conversations are kept (LOG-40). */
  readonly retention: Retention
  /** Where traces go (OPS-13). */
  readonly tracing: TracingSettings | undefined
}

/** `PARLOR_DATA`. */
export function dataFolderOf(env: NodeJS.ProcessEnv): string {
  return resolve(env.PARLOR_DATA || ".parlor")
}

const SANDBOX = /^(?:bubblewrap|off|(?:docker|podman)\/[\w./:@-]{1,200})$/
const SENDS_PER_MINUTE_MOST = 1_000_000
const CONNECTIONS_MOST = 1_000_000
const HOSTED_PROCESSES_MOST = 1_000
const LEASE_MS = { usual: 10_000, least: 500, most: 600_000 } as const
const DRAIN_MS = { usual: 20_000, least: 0, most: 3_600_000 } as const

export function readSettings(env: NodeJS.ProcessEnv): ServeSettings {
  const host = env.PARLOR_HOST || "127.0.0.1"
  const token = env.PARLOR_TOKEN || undefined
  if (token !== undefined && token.length < MIN_TOKEN_LENGTH)
    throw new SettingsError(`PARLOR_TOKEN is too short: it needs at least ${MIN_TOKEN_LENGTH} characters.`)
  const issuer = issuerOf(env)
  if (!isLoopback(host) && token === undefined && issuer === undefined)
    throw new SettingsError(
      `PARLOR_HOST=${host} can be reached by others. Set PARLOR_TOKEN or PARLOR_JWT_ISSUER too, or listen on 127.0.0.1 (the default).`,
    )
  const dataFolder = dataFolderOf(env)
  if (env.PARLOR_SECRET_KEY && env.PARLOR_SECRET_KEY_FILE)
    throw new SettingsError("Set PARLOR_SECRET_KEY or PARLOR_SECRET_KEY_FILE, not both.")
  return {
    host,
    token,
    port: portOf(env.PARLOR_PORT),
    dataFolder,
    secretKeys: env.PARLOR_SECRET_KEY || undefined,
    secretKeyFile: secretKeyFile(env),
    isSecretKeyLost: env.PARLOR_SECRET_KEY_LOST === "1",
    databaseUrl: databaseOf(env.DATABASE_URL),
    allowedHosts: hostsOf(env.PARLOR_ALLOWED_HOSTS),
    allowedOrigins: originsOf(env.PARLOR_ALLOWED_ORIGINS),
    logLevel: logLevelOf(env.PARLOR_LOG),
    acceptMissingWal: env.PARLOR_OPEN_INCOMPLETE === "1",
    leaseMs: millisOf("PARLOR_LEASE_MS", env, LEASE_MS),
    diskReserveBytes: countOf("PARLOR_DISK_RESERVE", env, Number.MAX_SAFE_INTEGER) ?? limits.diskReserveBytes,
    drainMs: millisOf("PARLOR_DRAIN_MS", env, DRAIN_MS),
    closedSidecars: sidecarsOf(env.PARLOR_CLOSED_SIDECARS),
    sandbox: sandboxOf(env),
    publicUrl: publicUrlOf(env.PARLOR_PUBLIC_URL),
    noticeHosts: hostsOf(env.PARLOR_NOTICE_HOSTS),
    pushContact: pushContactOf(env.PARLOR_PUSH_CONTACT, publicUrlOf(env.PARLOR_PUBLIC_URL)),
    issuer,
    sendsPerMinute: countOf("PARLOR_SENDS_PER_MINUTE", env, SENDS_PER_MINUTE_MOST),
    connections: countOf("PARLOR_MAX_CONNECTIONS", env, CONNECTIONS_MOST),
    connectionsPerAddress: countOf("PARLOR_CONNECTIONS_PER_ADDRESS", env, CONNECTIONS_MOST),
    trustedProxies: proxiesOf(env.PARLOR_TRUSTED_PROXIES),
    forwardedHeader: headerOf(env.PARLOR_FORWARDED_HEADER),
    conversationHeader: headerNameOf(env.PARLOR_CONVERSATION_HEADER),
    hostedProcesses: countOf("PARLOR_HOSTED_PROCESSES", env, HOSTED_PROCESSES_MOST),
    titles: titlesOf(env.PARLOR_TITLES),
    usage: usageOf(env),
    quota: quotaOf(env),
    retention: retentionOf(env),
    tracing: tracingOf(env),
  }
}

export function secretKeyFile(env: NodeJS.ProcessEnv): string {
  return resolve(env.PARLOR_SECRET_KEY_FILE || join(env.PARLOR_DATA || ".parlor", "secret-key"))
}

function logLevelOf(given: string | undefined): LogLevel {
  const level = given || "warn"
  if (isLogLevel(level)) return level
  throw new SettingsError(`PARLOR_LOG=${given} is not a log level. Use error, warn or info.`)
}

function titlesOf(given: string | undefined): boolean {
  if (!given || given === "on") return true
  if (given === "off") return false
  throw new SettingsError(`PARLOR_TITLES=${given} is not valid. Use on or off.`)
}

function proxiesOf(text: string | undefined): readonly string[] {
  const proxies = hostsOf(text)
  const wrong = proxies.find((proxy) => parseNetwork(proxy) === undefined)
  if (wrong === undefined) return proxies
  throw new SettingsError(
    `PARLOR_TRUSTED_PROXIES: ${wrong} is not an address or a network. Use a comma-separated list such as 10.0.0.1, 10.0.0.0/8, fd00::/8.`,
  )
}

function headerOf(text: string | undefined): ForwardedHeader {
  const name = text?.toLowerCase() || "x-forwarded-for"
  if (name === "x-forwarded-for" || name === "forwarded") return name
  throw new SettingsError(`PARLOR_FORWARDED_HEADER=${text} is neither X-Forwarded-For nor Forwarded.`)
}

function headerNameOf(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (/^[A-Za-z0-9-]{1,64}$/.test(text)) return text
  throw new SettingsError(`PARLOR_CONVERSATION_HEADER=${text} is not the name of a header, such as X-Conversation-Id.`)
}

function hostsOf(text = ""): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean)
}

function originsOf(text: string | undefined): readonly string[] {
  const origins = hostsOf(text)
  const wrong = origins.find((origin) => !isOrigin(origin))
  if (wrong === undefined) return origins
  throw new SettingsError(
    `PARLOR_ALLOWED_ORIGINS: ${wrong} is not an origin. Use a comma-separated list such as https://app.example.com, http://localhost:5173 (no path, no wildcard).`,
  )
}

function publicUrlOf(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/(?<!\/)\/+$/, "")
  throw new SettingsError(`PARLOR_PUBLIC_URL=${text} is not a URL such as https://parlor.example.com.`)
}

function portOf(text: string | undefined): number {
  if (!text) return 4141
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new SettingsError(`PARLOR_PORT=${text} is not a valid port.`)
}

type MillisRange = { readonly usual: number; readonly least: number; readonly most: number }

function millisOf(name: string, env: NodeJS.ProcessEnv, { usual, least, most }: MillisRange): number {
  const text = env[name]
  if (!text) return usual
  const ms = Number(text)
  if (Number.isInteger(ms) && ms >= least && ms <= most) return ms
  throw new SettingsError(`${name}=${text} is not a number of milliseconds from ${least} to ${most}.`)
}

function sidecarsOf(text: string | undefined): "keep" | "delete" {
  if (!text || text === "keep" || text === "delete") return text === "delete" ? "delete" : "keep"
  throw new SettingsError(`PARLOR_CLOSED_SIDECARS=${text} is neither keep nor delete.`)
}

export function databaseOf(url: string | undefined): string | undefined {
  if (!url) return undefined
  if (/^postgres(ql)?:\/\//.test(url)) return url
  throw new SettingsError("DATABASE_URL must begin with postgres:// (unset it to use the embedded SQLite).")
}

function sandboxOf(env: NodeJS.ProcessEnv): string {
  const kind = env.PARLOR_SANDBOX || "bubblewrap"
  if (SANDBOX.test(kind)) return kind
  throw new SettingsError(
    `PARLOR_SANDBOX=${kind} is not a sandbox. Use bubblewrap, docker/<image>, podman/<image> or off.`,
  )
}
