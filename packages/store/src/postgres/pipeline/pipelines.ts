/**
 * Connections that carry several short reads at once.
 *
 *   opening ──connected──▶ open ──failed, or no answer in time──▶ retired: closed once its other reads are answered
 *
 * A pool lends a connection to one read at a time, so with many conversations most of a turn's time is spent waiting for
 * a connection, even if the server has nothing to do. Here a read is sent at once, over the connection with the fewest
 * unanswered ones. A server answers in the order it was asked: long reads would delay the others, and use a pool.
 */
import { Socket } from "node:net"
import { Fault } from "@parlor/protocol"
import { Client, type ClientConfig, type QueryResult, type QueryResultRow } from "pg"

export type PipelineOptions = {
  readonly settings: ClientConfig
  readonly connections: number
  readonly answerMs: number
}

type Line = {
  readonly client: Client
  readonly socket: Socket
  readonly opened: Promise<unknown>
  unanswered: number
}

export class Pipelines {
  readonly #options: PipelineOptions
  readonly #lines = new Set<Line>()
  #closed = false

  constructor(options: PipelineOptions) {
    this.#options = options
  }

  async query<R extends QueryResultRow>(query: {
    readonly name: string
    readonly text: string
    readonly values: unknown[]
  }): Promise<QueryResult<R>> {
    const line = this.#pick()
    line.unanswered += 1
    try {
      return await this.#answered(line, async () => {
        await line.opened
        return line.client.query<R>(query)
      })
    } catch (error) {
      this.#lines.delete(line)
      throw error
    } finally {
      line.unanswered -= 1
      if (line.unanswered === 0 && !this.#lines.has(line)) void line.client.end().catch(() => undefined)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const lines = [...this.#lines]
    this.#lines.clear()
    await Promise.all(lines.map(({ client, unanswered }) => (unanswered === 0 ? client.end() : undefined)))
  }

  /** An idle connection, a new one, or the one with the fewest unanswered reads. */
  #pick(): Line {
    if (this.#closed) throw new Fault("The store is closed.")
    let best: Line | undefined
    for (const line of this.#lines) if (best === undefined || line.unanswered < best.unanswered) best = line
    const isFull = this.#lines.size >= this.#options.connections
    return best !== undefined && (best.unanswered === 0 || isFull) ? best : this.#open()
  }

  #open(): Line {
    const socket = new Socket()
    const client = new Client({ ...this.#options.settings, pipeline: true, stream: () => socket })
    const line: Line = { client, socket, opened: client.connect(), unanswered: 0 }
    const drop = () => void this.#lines.delete(line)
    // Its unanswered reads fail with the same error; without a listener it would end the process.
    client.on("error", drop)
    client.on("end", drop)
    line.opened.catch(drop)
    this.#lines.add(line)
    return line
  }

  /** A server that no longer answers blocks every read of the connection: all of them fail, and it is closed. */
  async #answered<T>({ socket }: Line, work: () => Promise<T>): Promise<T> {
    const { answerMs } = this.#options
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        socket.destroy()
        reject(new Fault(`PostgreSQL did not answer within ${answerMs} ms.`))
      }, answerMs)
    })
    try {
      return await Promise.race([work(), late])
    } finally {
      clearTimeout(timer)
    }
  }
}
