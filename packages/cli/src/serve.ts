/** `parlor serve`: wires the store, the models, the agents and the server together. The only place that knows them all. */
import { join } from "node:path"
import { openHosts } from "@parlor/acp"
import {
  createRuntime,
  type Log,
  openAccounts,
  type Runtime,
  reasonFields,
  type Seal,
  type Settings,
  type Store,
} from "@parlor/core"
import { openFiles } from "@parlor/files"
import { openPins, openToolsets } from "@parlor/mcp"
import { findLocalServers, type LocalServer, openProviders, replacedUrls } from "@parlor/models"
import { openSandbox } from "@parlor/sandbox"
import {
  createCourier,
  createLog,
  createPushSender,
  diskCheck,
  guardedClock,
  Metrics,
  randomIds,
  readOrMakeToken,
  startServer,
  systemClock,
  systemRandom,
  traceTurns,
  watchSpool,
  watchStore,
} from "@parlor/server"
import { openNodeHome, openPostgres, openSeal, openSpool, openSqlite, privateFolder } from "@parlor/store"
import { pageFolder } from "@parlor/web"
import { openAgents } from "./serve/agents.ts"
import { declaring } from "./serve/declaring.ts"
import { localLines, readyLines } from "./serve/ready-lines.ts"
import { readSettings, type ServeSettings } from "./serve/settings.ts"
import { wakesByPerson } from "./serve/wakes.ts"
import type { Terminal } from "./terminal.ts"
import { version } from "./version.ts"

/** How long closing may take after the drain: running writes, the checkpoint, lingering connections. */
const CLOSE_MS = 10_000

export type Serving = {
  readonly url: string
  readonly token: string
  /** Model servers on this machine, once they were looked for (MOD-13). */
  readonly local?: Promise<readonly LocalServer[]>
  /** Gives running steps time to finish, then closes (TRN-17). */
  close(): Promise<void>
}

export type ServeOptions = {
  /** Log lines for people instead of JSON. */
  readonly isLogReadable?: boolean
  /** Called after each reload of the config, valid or not. */
  readonly loaded?: () => void
}

/** Serves until the process is told to stop. */
export async function serve(env: NodeJS.ProcessEnv, terminal: Terminal, how: ServeOptions = {}): Promise<void> {
  const serving = await startServing(env, how)
  const settings = readSettings(env)
  if (terminal.isJson) await terminal.report("", { url: serving.url, data: settings.dataFolder })
  else for (const line of readyLines(serving, settings, terminal.isInteractive)) console.log(line)
  for (const line of replacedUrls(env)) terminal.note(line)
  void serving.local?.then((servers) => {
    for (const line of localLines(servers)) terminal.note(line)
  })
  process.on("unhandledRejection", tellOfRejection)
  process.on("uncaughtException", surviveShortage)
  // A broken pipe or a full disk must not end the process (LOG-18).
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined)
  stopOnSignal(() => serving.close(), settings.drainMs + CLOSE_MS)
}

/** The first signal shuts it down gracefully, within a time limit; the second ends the process immediately. */
function stopOnSignal(close: () => Promise<void>, limitMs: number): void {
  let stopping = false
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      setTimeout(() => process.exit(1), limitMs).unref()
      close().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
}

export async function startServing(env: NodeJS.ProcessEnv, how: ServeOptions = {}): Promise<Serving> {
  const settings = readSettings(env)
  privateFolder(settings.dataFolder)
  const token = settings.token ?? readOrMakeToken(join(settings.dataFolder, "token"))
  const { isLogReadable = false, loaded } = how
  const secrets = [token, ...keysIn(env)]
  let storedKeys: () => readonly string[] = () => []
  const allSecrets = () => [...secrets, ...storedKeys()]
  const log = createLog({ level: settings.logLevel, secrets: allSecrets, isReadable: isLogReadable })
  const local = findLocalServers(env)
  const clock = guardedClock(systemClock, log)
  const hosts = openHosts({
    clock,
    log,
    version: version(),
    file: join(settings.dataFolder, "hosted.json"),
    processes: settings.hostedProcesses,
  })
  const opening = await openStore(settings)
  const { name, release, seal } = opening
  const accounts = await openAccounts(opening.store.providers, seal)
  const providers = openProviders({ env, local, accounts, changed: () => opened.refresh() })
  const { connected } = providers
  storedKeys = () => connected().flatMap(({ key }) => key ?? [])
  const agentOptions = { local, connected, loaded, harnessFor: hosts.harnessFor }
  const opened = await openAgents(process.cwd(), env, log, agentOptions).catch(async (error: unknown) => {
    await opening.store.close()
    release()
    throw error
  })
  // Only now is it certain that no other server uses this folder.
  await hosts.endLeft()
  const metrics = new Metrics()
  const tracing =
    settings.tracing &&
    traceTurns({
      ...settings.tracing,
      runtime: () => runtime,
      version: version(),
      instance: name ?? "parlor",
      clock,
      log,
    })
  const store = watchStore(opening.store, { metrics, log, onEnded: (stream, turn) => tracing?.ended(stream, turn) })
  const toolsets = openToolsets({
    // Connects to MCP servers only after this process is listening.
    servers: {},
    pins: openPins(join(settings.dataFolder, "mcp-pins.json")),
    clock,
    random: systemRandom,
    log,
    version: version(),
  })
  const runtime: Runtime = createRuntime({
    name,
    store,
    files: openFiles({ root: join(settings.dataFolder, "files") }),
    sandbox: openSandbox({ kind: settings.sandbox }),
    courier: createCourier({ allowed: settings.noticeHosts }),
    pushSender: createPushSender({ allowed: settings.noticeHosts, contact: settings.pushContact }),
    toolsets,
    seal,
    providers,
    spool: watchSpool(openSpool(join(settings.dataFolder, "spool.jsonl")), metrics),
    clock,
    ids: randomIds(clock),
    random: systemRandom,
    log,
    agents: opened.agents,
    settings: {
      ...leaseSettings(settings.leaseMs),
      closedSidecars: settings.closedSidecars,
      titles: settings.titles,
      usage: settings.usage,
      quota: settings.quota,
      retention: settings.retention,
    },
  })
  /** Closes everything that would keep the process alive. */
  const closeAll = async () => {
    opened.close()
    await Promise.all([runtime.close(), toolsets.close()])
    await tracing?.close()
    metrics.close()
    await hosts.close()
    await store.close()
    release()
  }
  const originsWith = (more: readonly string[]) => [...settings.allowedOrigins, ...more]
  const server = await startServer({
    ...settings,
    allowedOrigins: originsWith(opened.allowedOrigins),
    runtime,
    store,
    clock,
    log,
    token,
    pageFolder,
    readiness: [diskCheck(settings.dataFolder, settings.diskReserveBytes)],
    metrics,
    version: version(),
    config: () => ({ file: opened.file, problems: [...opened.problems()] }),
  }).catch(async (error: unknown) => {
    await closeAll()
    throw error
  })
  toolsets.configure(opened.mcp)
  await runtime.start()
  await sealOldSecrets(runtime, log)
  toolsets.wakeBy(wakesByPerson(runtime, store))
  const declare = declaring(runtime, log)
  await declare(opened.triggers)
  opened.follow(({ agents, mcp, triggers, allowedOrigins }) => {
    server.allowOrigins(originsWith(allowedOrigins))
    runtime.replaceAgents(agents)
    hosts.retire(agents.flatMap(({ harness }) => (harness === undefined ? [] : [harness])))
    toolsets.configure(mcp)
    void declare(triggers)
  })
  return {
    url: server.url,
    token,
    local: local.searched,
    async close() {
      server.drain()
      await runtime.drain(settings.drainMs)
      await server.close()
      await closeAll()
    },
  }
}

/**
 * An unhandled rejection in an agent's code must not end everyone's conversations. Logs where it happened, not its
 * message, which may contain someone's text (SEC-8).
 */
function tellOfRejection(reason: unknown): void {
  const place = reason instanceof Error ? /^ +at (.*)$/m.exec(reason.stack ?? "")?.[1] : undefined
  const kind = reason instanceof Error ? reason.name : typeof reason
  console.error(`Unhandled rejection (${kind}) at ${place ?? "an unknown place"}`)
}

/** Running out of file descriptors is temporary. Any other uncaught exception ends the process, as it would by default (SEC-13). */
function surviveShortage(error: NodeJS.ErrnoException): void {
  if (error.code !== "EMFILE" && error.code !== "ENFILE") {
    console.error(error)
    process.exit(1)
  }
  console.error(`Too many open files and connections: ${error.message}. Raise the limit with \`ulimit -n\`.`)
}

/** Renewed three times before it expires; checked often enough that expired leases do not wait long. */
function leaseSettings(leaseMs: number): Partial<Settings> {
  return { leaseMs, renewMs: Math.round(leaseMs * 0.3), sweepMs: Math.round(leaseMs * 0.2) }
}

/** Encrypts secrets that an older version stored as plain text or that an earlier key encrypted. Failures are retried at the next start. */
async function sealOldSecrets(runtime: Runtime, log: Log): Promise<void> {
  try {
    const all = [await runtime.resealSecrets(), await runtime.resealProviders(), await runtime.resealPushKeys()]
    const resealed = all.reduce((sum, one) => sum + one.resealed, 0)
    const unreadable = all.reduce((sum, one) => sum + one.unreadable, 0)
    if (resealed > 0) log.warn("secrets encrypted with the current key", { resealed })
    if (unreadable > 0) log.error("secrets cannot be decrypted: their key is missing", { unreadable })
  } catch (error) {
    log.error("secrets could not be encrypted: will retry at the next start", reasonFields(error))
  }
}

type OpenStore = { readonly store: Store; readonly name: string | undefined; release(): void }

/** Opens the store and checks the key of its secrets: a server without the right key does not start (SEC-29). */
async function openStore(settings: ServeSettings): Promise<OpenStore & { readonly seal: Seal }> {
  const opened = await openDatabase(settings)
  const { secretKeys: keys, secretKeyFile: file, isSecretKeyLost: isLost } = settings
  try {
    return { ...opened, seal: await openSeal(opened.store, { keys, file, isLost }) }
  } catch (error) {
    await opened.store.close()
    opened.release()
    throw error
  }
}

async function openDatabase(settings: ServeSettings): Promise<OpenStore> {
  if (settings.databaseUrl === undefined) {
    const { acceptMissingWal } = settings
    const store = await openSqlite({ path: join(settings.dataFolder, "parlor.db"), acceptMissingWal })
    return { store, name: undefined, release: () => {} }
  }
  const home = openNodeHome(settings.dataFolder)
  try {
    const store = await openPostgres({ url: settings.databaseUrl, owner: home.name })
    return { store, name: home.name, release: () => home.release() }
  } catch (error) {
    home.release()
    throw error
  }
}

function keysIn(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    /KEY|TOKEN|SECRET|PASSWORD|DATABASE_URL/.test(name) && value ? [value] : [],
  )
}
