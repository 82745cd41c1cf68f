/**
 * The main thread's end of the search thread.
 *
 *   none ──first search──▶ serving ──close──▶ closed
 *    ▲                        │ died: every search under way rejects with `Fault`
 *    └────────────────────────┘
 */
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import type { Search, SearchHit } from "@parlor/core"
import { Fault } from "@parlor/protocol"
import { CLOSE, type Reply, type SearchCall } from "./calls.ts"
import { fromWireError } from "./faults.ts"

/** Maximum number of waiting searches. */
const WAITING = 64
const YOUNG_MB = 4

type Pending = { readonly resolve: (hits: SearchHit[]) => void; readonly reject: (error: Error) => void }

export class SearchThread implements Search {
  readonly #path: string
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | undefined
  #lastCall = 0
  #closed = false

  constructor(path: string) {
    this.#path = path
  }

  find(...[person, words, options]: Parameters<Search["find"]>): Promise<SearchHit[]> {
    if (this.#closed) return Promise.reject(new Fault("The store is closed.", { code: "server.stopping" }))
    if (this.#pending.size >= WAITING) return Promise.reject(new Fault("Too many searches at once."))
    return new Promise((resolve, reject) => {
      this.#worker ??= this.#start()
      this.#lastCall += 1
      this.#pending.set(this.#lastCall, { resolve, reject })
      this.#worker.postMessage([this.#lastCall, { person, words, options }] satisfies SearchCall)
    })
  }

  /** Earlier searches are answered first: ending a thread inside the driver would crash the process. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const worker = this.#worker
    if (worker === undefined) return
    const exit = once(worker, "exit")
    worker.postMessage(CLOSE satisfies SearchCall)
    await exit.catch(() => undefined)
  }

  /** Ends the thread as a crash would. For tests, while it is idle. */
  async crash(): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(workerUrl(), {
      workerData: { path: this.#path },
      execArgv: [],
      name: "parlor-search",
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    worker.on("message", (reply: Reply) => this.#settle(reply))
    const died = (reason: string) => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      for (const pending of this.#pending.values()) pending.reject(new Fault(`The search thread died: ${reason}`))
      this.#pending.clear()
    }
    worker.on("error", (error) => died(String(error)))
    worker.on("exit", (code) => died(`it ended with code ${code}`))
    return worker
  }

  #settle(reply: Reply): void {
    const pending = this.#pending.get(reply[0])
    if (pending === undefined) return
    this.#pending.delete(reply[0])
    if (reply[1]) pending.resolve(reply[2] as SearchHit[])
    else pending.reject(fromWireError(reply[2]))
  }
}

/** Node 20 runs no TypeScript in a worker: when run from sources, the built file is used. */
function workerUrl(): URL {
  const fromSource = import.meta.url.endsWith(".ts")
  return new URL(fromSource ? "../../../dist/sqlite/thread/search-worker.js" : "./search-worker.js", import.meta.url)
}
