/** The stores a simulation runs on. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Store, StoredRow } from "@parlor/core"
import { MemoryStore } from "@parlor/core/testing"
import { type Collection, collections, type StoredChange, type StreamId } from "@parlor/protocol"
import { openSqlite } from "@parlor/store"
import { wrapStore } from "../support/store-calls.ts"
import { drained, type SimClock } from "./sim-clock.ts"
import type { Weather } from "./weather.ts"

export type Dump = { readonly events: readonly StoredChange[]; readonly rows: readonly StoredRow[] }

export type Backing = {
  /** For a process that begins. Those before it on the same machine are gone. */
  open(): Promise<Store>
  dump(stream: StreamId): Promise<Dump | undefined>
  /** Drops what nobody needs anymore, a slice, without any grace (LOG-36). */
  trim(): Promise<void>
  /** Whether `dump` is cheap enough for every step. */
  readonly isCheap: boolean
  close(): Promise<void>
}

const NO_GRACE = { graceMs: -60_000 }

export function memoryBacking(clock: SimClock, weather: Weather): Backing {
  const memory = new MemoryStore(clock)
  return {
    isCheap: true,
    open: async () => memory.node({ bellMs: () => weather.bellMs() }),
    dump: async (stream) => memory.dump(stream),
    trim: async () => void (await memory.log.trim(NO_GRACE)),
    close: async () => {},
  }
}

/** One process at a time has the file; the next one opens it anew. */
export async function sqliteBacking(clock: SimClock): Promise<Backing> {
  const folder = await mkdtemp(join(tmpdir(), "parlor-simulation-"))
  const path = join(folder, "parlor.db")
  let real: Awaited<ReturnType<typeof openSqlite>> | undefined
  return {
    isCheap: false,
    async open() {
      await clock.settled()
      await real?.close()
      real = await openSqlite({ path })
      return oneByOne(real, clock)
    },
    async dump(stream) {
      const page = await real?.log.events(stream, 0, { count: 1_000_000, bytes: Number.MAX_SAFE_INTEGER })
      const read = await real?.log.read(
        stream,
        Object.keys(collections).map((name) => ({ collection: name as Collection })),
      )
      return page && { events: page.changes, rows: read?.lists.flat() ?? [] }
    },
    async trim() {
      await clock.settled()
      await real?.log.trim(NO_GRACE)
    },
    async close() {
      await clock.settled()
      await real?.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Carries out one thing at a time, so that what another thread does comes in the same order every time. */
function oneByOne(store: Store, clock: SimClock): Store {
  const waiting: (() => Promise<void>)[] = []
  clock.settled = async () => {
    await drained()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await next()
      await drained()
    }
  }
  return wrapStore(store, (name, call) => {
    // Its own clock is the machine's.
    if (name === "now") return async () => clock.now()
    return (...args) =>
      new Promise((resolve, reject) => {
        waiting.push(async () => {
          try {
            resolve(await call(...args))
          } catch (error) {
            reject(error)
          }
        })
      })
  })
}
