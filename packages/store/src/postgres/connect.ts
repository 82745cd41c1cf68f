/**
 * Small pools, so that nobody waits behind the work of others: writes wait for each other on row locks, commits of the
 * log come one at a time and carry the turns of everybody, and short reads share connections (`pipeline/`).
 *
 * A failed connection is dropped and the next query opens a new one, so a server that comes back is used again
 * automatically. Nothing is retried here: the caller knows whether a write is safe to repeat.
 */
import type { AuditEntry } from "@parlor/core"
import { Bug, Fault, Refusal } from "@parlor/protocol"
import { type ClientConfig, DatabaseError, Pool, type PoolClient, type QueryResultRow, types } from "pg"
import { DELETING } from "../deletion-row.ts"
import { LINKED } from "../link-row.ts"
import { DELETING_STATE } from "./functions/deletion.ts"
import { LINKED_STATE } from "./functions/link.ts"
import { Pipelines } from "./pipeline/pipelines.ts"

const CONNECT_MS = 5_000
const STATEMENT_MS = 30_000
/** The server cancels a statement first; this is for a server that no longer answers. */
const QUERY_MS = 35_000
/** How long to wait for one statement, or the start of a transaction: callers get an answer within 5 s (LOG-21). */
const ANSWER_MS = 4_500
const LOCK_MS = 10_000
const IDLE_IN_TRANSACTION_MS = 15_000
const KEEPALIVE_AFTER_MS = 10_000
const INT8 = 20

/**
 * Errors of the outside (the network, the server, its limits), by their SQLSTATE classes and codes: connection, wrong password, no such database, deadlock and the like, out of resources,
 * lock not available, operator intervention (shutdown, timeout), system error, read-only, idle for too long.
 */
const OUTSIDE = ["08", "28", "3D", "40", "53", "55P03", "57", "58", "25006", "25P03"] as const

export type ConnectOptions = {
  readonly url: string
  readonly schema: string
  readonly readers: number
  /** For short reads, which share them. */
  readonly pipelines: number
  readonly writers: number
  /** How often watched streams are polled, in case a notification was lost. */
  readonly pollMs: number
}

/** A prepared statement: the server keeps its plan under `name`. */
export type Statement = { readonly name: string; readonly text: string }

export class Database {
  readonly #readers: Pool
  readonly #pipelines: Pipelines
  readonly #writers: Pool
  readonly #committer: Pool
  #closing: Promise<unknown> | undefined

  constructor(options: ConnectOptions) {
    this.#readers = makePool(options, options.readers)
    this.#pipelines = new Pipelines({
      settings: clientSettings(options),
      connections: options.pipelines,
      answerMs: ANSWER_MS,
    })
    this.#writers = makePool(options, options.writers)
    this.#committer = makePool(options, 1)
  }

  /** For reads of a few rows by their key, which never take long. */
  async lookUp<R extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<R[]> {
    const { rows } = await guarded(() => this.#pipelines.query<R>({ values, ...statement }))
    return rows
  }

  read<R extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<R[]> {
    return query<R>(this.#readers, statement, values)
  }

  write<R extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<R[]> {
    return query<R>(this.#writers, statement, values)
  }

  /** A write of the log. The writer of a process makes one at a time. */
  commit<R extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<R[]> {
    return query<R>(this.#committer, statement, values)
  }

  /** Runs `work` in a transaction. Anything it throws rolls back. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return guarded(async () => {
      const client = await begun(this.#writers)
      try {
        const result = await work(client)
        await client.query("COMMIT")
        client.release()
        return result
      } catch (error) {
        // Closing the connection rolls back, even if the connection itself failed.
        client.release(true)
        throw error
      }
    })
  }

  async close(): Promise<void> {
    this.#closing ??= Promise.all([
      this.#readers.end(),
      this.#pipelines.close(),
      this.#writers.end(),
      this.#committer.end(),
    ])
    await this.#closing
  }
}

async function query<R extends QueryResultRow>(pool: Pool, statement: Statement, values: unknown[]): Promise<R[]> {
  const result = await guarded(() =>
    answered(pool, (client) => client.query<R>({ values, ...statement }), { releases: true }),
  )
  return result.rows
}

function begun(pool: Pool): Promise<PoolClient> {
  return answered(pool, async (client) => {
    await client.query("BEGIN")
    return client
  })
}

/**
 * Runs `work` on a connection, and gives up when no answer comes: a server that is unreachable must not block anyone.
 * The connection is then closed, because its answer may come late; whether the work was done is unknown.
 */
async function answered<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  { releases = false } = {},
): Promise<T> {
  let client: PoolClient | undefined
  let isLate = false
  let timer: NodeJS.Timeout | undefined
  const release = (broken: boolean) => {
    client?.release(broken)
    client = undefined
  }
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true
      release(true)
      reject(new Fault(`PostgreSQL did not answer within ${ANSWER_MS} ms.`))
    }, ANSWER_MS)
  })
  const run = async (): Promise<T> => {
    client = await pool.connect()
    if (isLate) {
      release(true)
      throw new Fault("PostgreSQL answered too late.")
    }
    try {
      const result = await work(client)
      if (releases) release(false)
      return result
    } catch (error) {
      release(true)
      throw error
    }
  }
  try {
    return await Promise.race([run(), late])
  } finally {
    clearTimeout(timer)
  }
}

function makePool(options: ConnectOptions, max: number): Pool {
  const pool = new Pool({ ...clientSettings(options), max })
  // A connection that breaks while in use fails its query as well; without a listener it would end the process.
  pool.on("connect", (client) => client.on("error", () => {}))
  // An idle connection that breaks is dropped by the pool; the next query hits the same problem and reports it.
  pool.on("error", () => undefined)
  return pool
}

export function clientSettings(options: ConnectOptions, { waitsForDisk = true } = {}): ClientConfig {
  const disk = waitsForDisk ? "" : " -c synchronous_commit=off"
  return {
    connectionString: options.url,
    application_name: "parlor",
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: QUERY_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
    // A union of small queries is read in written order only without parallel workers.
    options: `-c search_path=${options.schema} -c max_parallel_workers_per_gather=0 -c jit=off${disk}`,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format)) },
  }
}

/** Thrown on purpose inside a transaction to roll it back; the caller receives it unchanged. */
export class Undone extends Error {}

/** Runs `work`; a driver error becomes `Fault` or `Bug`. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toKnownError(error)
  }
}

function toKnownError(error: unknown): Error {
  if (error instanceof Fault || error instanceof Bug || error instanceof Undone) return error
  if (error instanceof DatabaseError && error.code === LINKED_STATE)
    return new Refusal(LINKED, "That name was just linked to another person. Try again.")
  if (error instanceof DatabaseError && error.code === DELETING_STATE)
    return new Refusal(DELETING, "This person is being deleted. Try again in a minute.")
  const message = error instanceof Error ? error.message || error.name : String(error)
  if (error instanceof DatabaseError && !OUTSIDE.some((prefix) => error.code?.startsWith(prefix)))
    return new Bug(`PostgreSQL: ${message} (${error.code ?? "no code"})`, { cause: error })
  if (error instanceof TypeError || error instanceof RangeError) return new Bug(message, { cause: error })
  return new Fault(`PostgreSQL: ${message}`, { cause: error })
}

const INSERT_AUDIT: Statement = {
  name: "insert-audit",
  text: "INSERT INTO audit (at, person, act, subject) VALUES ($1, $2, $3, $4)",
}

/** Within the transaction of what it is about. */
export async function addAudit(client: PoolClient, { at, person, act, subject }: AuditEntry): Promise<void> {
  await client.query({ ...INSERT_AUDIT, values: [at, person, act, subject] })
}
