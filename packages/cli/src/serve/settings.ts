/** What the environment says, checked once at start. docs/spec/http.md: Starting and knocking. */
import { resolve } from "node:path"
import { isLoopback, MIN_TOKEN_LENGTH } from "@parlor/server"

export type ServeSettings = {
  readonly host: string
  readonly port: number
  readonly dataFolder: string
  readonly token: string | undefined
  readonly databaseUrl: string | undefined
  readonly allowedHosts: readonly string[]
  readonly logLevel: string
  /** How long a node that says nothing keeps its conversations. */
  readonly leaseMs: number
  /** What becomes of a sidecar that is closed (BRA-4). */
  readonly closedSidecars: "keep" | "delete"
  /** Where it is reached from outside. */
  readonly publicUrl: string | undefined
  /** Hosts that notices may be sent to wherever they are. */
  readonly noticeHosts: readonly string[]
}

const LEASE_MS = { usual: 10_000, least: 500, most: 600_000 } as const

export class SettingsError extends Error {}

export function readSettings(env: NodeJS.ProcessEnv): ServeSettings {
  const host = env.PARLOR_HOST || "127.0.0.1"
  const token = env.PARLOR_TOKEN || undefined
  if (token !== undefined && token.length < MIN_TOKEN_LENGTH)
    throw new SettingsError(`PARLOR_TOKEN is too short: it needs at least ${MIN_TOKEN_LENGTH} characters.`)
  if (!isLoopback(host) && token === undefined)
    throw new SettingsError(
      `PARLOR_HOST=${host} can be reached by others. Set PARLOR_TOKEN too, or listen on 127.0.0.1 (the default).`,
    )
  return {
    host,
    token,
    port: portOf(env.PARLOR_PORT),
    dataFolder: resolve(env.PARLOR_DATA || ".parlor"),
    databaseUrl: databaseOf(env.DATABASE_URL),
    allowedHosts: hostsOf(env.PARLOR_ALLOWED_HOSTS),
    logLevel: env.PARLOR_LOG || "warn",
    leaseMs: leaseOf(env.PARLOR_LEASE_MS),
    closedSidecars: sidecarsOf(env.PARLOR_CLOSED_SIDECARS),
    publicUrl: publicUrlOf(env.PARLOR_PUBLIC_URL),
    noticeHosts: hostsOf(env.PARLOR_NOTICE_HOSTS),
  }
}

function hostsOf(text = ""): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean)
}

function publicUrlOf(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, "")
  throw new SettingsError(`PARLOR_PUBLIC_URL=${text} is not an address such as https://parlor.example.com.`)
}

function portOf(text: string | undefined): number {
  if (!text) return 4141
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new SettingsError(`PARLOR_PORT=${text} is not a port.`)
}

function leaseOf(text: string | undefined): number {
  if (!text) return LEASE_MS.usual
  const ms = Number(text)
  if (Number.isInteger(ms) && ms >= LEASE_MS.least && ms <= LEASE_MS.most) return ms
  throw new SettingsError(
    `PARLOR_LEASE_MS=${text} is not a number of milliseconds from ${LEASE_MS.least} to ${LEASE_MS.most}.`,
  )
}

function sidecarsOf(text: string | undefined): "keep" | "delete" {
  if (!text || text === "keep" || text === "delete") return text === "delete" ? "delete" : "keep"
  throw new SettingsError(`PARLOR_CLOSED_SIDECARS=${text} is neither keep nor delete.`)
}

function databaseOf(url: string | undefined): string | undefined {
  if (!url) return undefined
  if (/^postgres(ql)?:\/\//.test(url)) return url
  throw new SettingsError("DATABASE_URL has to begin with postgres:// (leave it out for the embedded SQLite).")
}
