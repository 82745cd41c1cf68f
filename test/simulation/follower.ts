/**
 * A reader of one stream: it hears through one process what is new and reads what it missed. When that process is gone
 * it goes on elsewhere, from where it was (LOG-6).
 */
import type { Runtime } from "@parlor/core"
import { Fault, type StoredChange } from "@parlor/protocol"
import type { Tracked } from "./conversation.ts"
import type { Process } from "./process.ts"
import { isSame, mayBeDropped } from "./stream-checks.ts"

const RETRY_MS = 200
const PAGE = { count: 100, bytes: 1_000_000 }

export type Wrong = (rule: string, detail: string) => void

export class Follower {
  readonly stream: Tracked
  cursor = 0
  process: Process | undefined
  readonly #wrong: Wrong
  #runtime: Runtime | undefined
  #reading = false
  #again = false

  constructor(stream: Tracked, wrong: Wrong) {
    this.stream = stream
    this.#wrong = wrong
  }

  connect(process: Process, runtime: Runtime): void {
    const { stream } = this.stream
    if (stream === undefined) return
    this.process = process
    this.#runtime = runtime
    this.#reading = false
    runtime.subscribe(stream, (changes) => this.process === process && this.#heard(changes))
    this.#catchUp()
  }

  #heard(changes: readonly StoredChange[]): void {
    for (const change of changes) this.#compare(change)
    const fresh = changes.filter((change) => change.seq > this.cursor)
    if (changes.length === 0 || (fresh[0] !== undefined && fresh[0].seq !== this.cursor + 1)) this.#catchUp()
    else if (!this.#reading) this.cursor += fresh.length
    else this.#again = true
  }

  #catchUp(): void {
    if (this.#reading) this.#again = true
    else void this.#read()
  }

  async #read(): Promise<void> {
    const { process } = this
    const { stream } = this.stream
    if (stream === undefined || process === undefined) return
    this.#reading = true
    try {
      for (let more = true; more && process === this.process; ) {
        this.#again = false
        const page = await this.#runtime?.events(stream, this.cursor, PAGE)
        if (process !== this.process) return
        for (const change of page?.changes ?? []) {
          for (const missed of this.stream.log.slice(this.cursor, change.seq - 1))
            if (!mayBeDropped(this.stream, missed)) this.#wrong("LOG-1", `after ${this.cursor} comes ${change.seq}`)
          this.#compare(change)
          this.cursor = change.seq
        }
        more = this.#again || (page?.changes.length ?? 0) > 0
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      process.clock.after(RETRY_MS, () => this.process === process && this.#catchUp())
    }
    if (process === this.process) this.#reading = false
  }

  /** What is seen is in the log, now and as it is (LOG-3). */
  #compare(change: StoredChange): void {
    const kept = this.stream.log[change.seq - 1]
    if (kept === undefined) this.#wrong("LOG-3", `${change.seq} is seen and not in the log`)
    else if (!isSame(kept, change)) this.#wrong("LOG-3", `${change.seq} is seen as ${JSON.stringify(change)}`)
  }
}
