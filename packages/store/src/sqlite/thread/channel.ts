/**
 * The main thread's end of the writer thread.
 *
 *   starting ──ready──▶ serving ──close──▶ closed
 *      ▲                   │ died
 *      └── next call ── stopped: every pending call rejects with `Fault`, since nobody knows whether it was carried out
 *
 * Calls are answered in the order they were made.
 */
import { Worker } from "node:worker_threads"
import { Fault } from "@parlor/protocol"
import { type Call, CLOSE, READY, type Reply, type WireError, type WorkerSettings } from "./calls.ts"
import { fromWireError } from "./faults.ts"
import type { WriteParts } from "./write-parts.ts"

/** The writer keeps nothing: a small young generation is enough, and the process stays small. */
const YOUNG_MB = 4

/** The number of a call without an answer. */
const NOBODY = -1

type Pending = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }

export class Channel {
  readonly #settings: WorkerSettings
  readonly #pending = new Map<number, Pending>()
  /** Made while no thread was ready; sent, in order, once one is. */
  #waiting: Call[] = []
  #worker: Worker | undefined
  #starting: Promise<void> | undefined
  #lastCall = READY
  #closed = false
  #doom = new Int32Array(new SharedArrayBuffer(4))

  private constructor(settings: WorkerSettings) {
    this.#settings = settings
  }

  static async open(settings: WorkerSettings): Promise<Channel> {
    const channel = new Channel(settings)
    await channel.#start(settings)
    return channel
  }

  /** Calls a method of one part. `part.ts` knows the types of its arguments and its result. */
  call(part: keyof WriteParts | typeof CLOSE, method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Fault("The store is closed.", { code: "server.stopping" }))
    return new Promise((resolve, reject) => {
      this.#lastCall += 1
      this.#pending.set(this.#lastCall, { resolve, reject })
      const message: Call = [this.#lastCall, part, method, args]
      if (this.#worker !== undefined) return this.#worker.postMessage(message)
      this.#waiting.push(message)
      this.#start({ ...this.#settings, voidLeases: false }).catch((error: Error) => this.#rejectAll(error))
    })
  }

  /** Earlier calls are carried out first. */
  async close(): Promise<void> {
    if (this.#closed) return
    await this.#starting?.catch(() => undefined)
    const worker = this.#worker
    const closing = worker && this.call(CLOSE, "", [])
    this.#closed = true
    await closing?.catch(() => undefined)
    await worker?.terminate()
  }

  /**
   * Ends the thread as a crash would, between two calls. For tests. `terminate` in the middle of a driver call could
   * crash the whole process.
   */
  async crash(): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    const ended = new Promise((resolve) => worker.once("exit", resolve))
    Atomics.store(this.#doom, 0, 1)
    worker.postMessage([NOBODY, "log", "renew", ["", [], 0]] satisfies Call)
    await ended
  }

  #start(settings: WorkerSettings): Promise<void> {
    this.#starting ??= this.#spawn(settings).finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  #spawn(settings: WorkerSettings): Promise<void> {
    this.#doom = new Int32Array(new SharedArrayBuffer(4))
    return new Promise((resolve, reject) => {
      const worker = new Worker(workerUrl(), {
        workerData: { ...settings, doom: this.#doom },
        execArgv: [],
        name: "parlor-writer",
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      })
      worker.on("message", (reply: Reply) => {
        if (reply[0] !== READY) return this.#settle(reply)
        if (!reply[1]) return reject(startError(reply[2]))
        this.#worker = worker
        for (const message of this.#waiting.splice(0)) worker.postMessage(message)
        resolve()
      })
      const died = (reason: string) => {
        reject(new Fault(`The writer thread did not start: ${reason}`))
        if (this.#worker !== worker) return
        this.#worker = undefined
        this.#rejectAll(new Fault(`The writer thread died: ${reason}`))
      }
      worker.on("error", (error) => died(String(error)))
      worker.on("exit", (code) => died(`it ended with code ${code}`))
    })
  }

  #settle(reply: Reply): void {
    const pending = this.#pending.get(reply[0])
    if (pending === undefined) return
    this.#pending.delete(reply[0])
    if (reply[1]) pending.resolve(reply[2])
    else pending.reject(fromWireError(reply[2]))
  }

  #rejectAll(error: Error): void {
    this.#waiting = []
    for (const pending of this.#pending.values()) pending.reject(error)
    this.#pending.clear()
  }
}

/** An unknown schema or a setting without effect: a retry would not help. */
function startError(error: WireError): Error {
  return error.outside ? fromWireError(error) : new Error(error.message)
}

/** Node 20 runs no TypeScript in a worker: when run from sources, the built file is used. */
function workerUrl(): URL {
  const fromSource = import.meta.url.endsWith(".ts")
  return new URL(fromSource ? "../../../dist/sqlite/thread/worker.js" : "./worker.js", import.meta.url)
}
