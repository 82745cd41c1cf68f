/**
 * Three server processes on one PostgreSQL. Each has a proxy in front of it, another one to the database, and its own wall
 * clock. Addresses stay the same when a process is replaced.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { freshDatabase, type PostgresServer, startPostgres } from "../support/postgres.ts"
import { checkOutput } from "./comparison.ts"
import type { FakeModel } from "./fake-model.ts"
import { type ServerProcess, spawnServer } from "./server-process.ts"
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts"
import { sleep } from "./waiting.ts"

const NAMES = ["a", "b", "c"] as const
const START_TRIES = 10
const CLOCK = pathToFileURL(join(import.meta.dirname, "skewed-clock.mjs")).href

export type ClusterNode = {
  readonly name: string
  readonly url: string
  /** Between clients and this node, and between it and the database. */
  readonly front: TcpProxy
  readonly back: TcpProxy
  readonly pid: number
  /** SIGKILL, then a new process under the same address. */
  restart(): Promise<void>
  setClock(skewMs: number): Promise<void>
  /** Sends SIGTERM. Returns the exit code or signal. */
  stop(): Promise<number | string>
}

export type Cluster = {
  readonly nodes: readonly [ClusterNode, ...ClusterNode[]]
  /** Crashes PostgreSQL and starts it again. */
  restartDatabase(): Promise<void>
  close(): Promise<void>
}

export async function startCluster(model: FakeModel, leaseMs: number): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "parlor-cluster-"))
  const postgres = await startPostgres()
  const database = new URL((await freshDatabase(postgres.url)).url)
  const started: Node[] = []
  const close = async () => {
    for (const node of started) await node.close()
    await postgres.remove()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    for (const name of NAMES) {
      const front = await startTcpProxy(0)
      const back = await startTcpProxy(Number(database.port))
      const node = new Node({ name, folder: join(folder, name), front, back, database, model, leaseMs })
      started.push(node)
      await node.start()
    }
    const [first, ...rest] = started
    if (first === undefined) throw new Error("a cluster without nodes")
    return { nodes: [first, ...rest], restartDatabase: () => restartDatabase(postgres), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function restartDatabase(postgres: PostgresServer): Promise<void> {
  await postgres.crash()
  for (let tries = 1; ; tries++) {
    try {
      return await postgres.start()
    } catch (error) {
      if (tries === START_TRIES) throw error
      await sleep(200)
    }
  }
}

type NodeOptions = {
  readonly name: string
  readonly folder: string
  readonly front: TcpProxy
  readonly back: TcpProxy
  readonly database: URL
  readonly model: FakeModel
  readonly leaseMs: number
}

class Node implements ClusterNode {
  readonly name: string
  readonly url: string
  readonly front: TcpProxy
  readonly back: TcpProxy
  readonly #options: NodeOptions
  readonly #clockFile: string
  #server: ServerProcess | undefined

  constructor(options: NodeOptions) {
    this.name = options.name
    this.url = `http://127.0.0.1:${options.front.port}`
    this.front = options.front
    this.back = options.back
    this.#options = options
    this.#clockFile = `${options.folder}-clock`
  }

  get pid(): number {
    return this.#server?.pid ?? 0
  }

  /** The process exits if the database is down at that moment; it is restarted, as a supervisor would. */
  async start(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const server = this.#spawn()
      this.#server = server
      try {
        this.front.retarget(Number(new URL(await server.ready).port))
        return
      } catch (error) {
        await server.kill()
        if (tries === START_TRIES) throw error
        await sleep(200)
      }
    }
  }

  async restart(): Promise<void> {
    await this.#server?.kill()
    this.#checkOutput()
    await this.start()
  }

  setClock(skewMs: number): Promise<void> {
    return writeFile(this.#clockFile, String(skewMs))
  }

  async stop(): Promise<number | string> {
    const how = (await this.#server?.stop()) ?? "not started"
    this.#checkOutput()
    return how
  }

  async close(): Promise<void> {
    await this.#server?.kill()
    await this.front.close()
    await this.back.close()
  }

  #checkOutput(): void {
    if (this.#server !== undefined) checkOutput(this.#server)
  }

  #spawn(): ServerProcess {
    const { folder, database, back, model, leaseMs } = this.#options
    const databaseUrl = new URL(database)
    databaseUrl.port = String(back.port)
    return spawnServer({
      dataFolder: folder,
      modelUrl: model.url,
      databaseUrl: databaseUrl.href,
      env: {
        PARLOR_LEASE_MS: String(leaseMs),
        NODE_OPTIONS: `--import=${CLOCK}`,
        SKEW_FILE: this.#clockFile,
        PARLOR_ALLOWED_HOSTS: `127.0.0.1:${this.front.port}`,
      },
    })
  }
}
