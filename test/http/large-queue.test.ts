/** A queue of very long messages: operations cost as much as with an empty queue (QUE-17). */
import type { Store } from "@parlor/core"
import { afterEach, describe, expect, test } from "vitest"
import { withMembers } from "../support/with-members.ts"
import { ask, jsonOf } from "./client.ts"
import { pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const MESSAGES = 107
const MESSAGE_BYTES = 1_000_000
const SENDS = 15
/** Generous for slow machines. Without the fix the factor was 200. */
const MOST_TIMES = 6
/** Differences below this are noise. */
const NOISE_MS = 40
/** Bytes read for one send, including the check of the queue after it. */
const MOST_CHARS_READ = 400_000
const TIMEOUT_MS = 240_000

describe.each(STORES)("a queue of %s with a hundred messages of a megabyte", (kind) => {
  let server: TestServer
  const read = { chars: 0 }

  afterEach(() => server.close())

  test("[QUE-17] a send and a bystander take as long as with an empty queue; nothing of it is read", {
    timeout: TIMEOUT_MS,
  }, async () => {
    server = await startTestServer({ kind, wrap: (store) => countingReads(store, read) })
    const [small, large, own] = ["small", "large", "own"].map((branch) => pathOf("host", branch)) as [
      string,
      string,
      string,
    ]
    for (const path of [small, large, own]) await ask(server, "PUT", path)
    const empty = await sendsBeside(small, own)
    const text = "x".repeat(MESSAGE_BYTES)
    for (let n = 0; n < MESSAGES; n++) await sendPaused(large, text)
    const full = await sendsBeside(large, own)
    console.info(`${kind}: ${JSON.stringify({ empty, full })}`)
    expect(full.sendMs).toBeLessThan(MOST_TIMES * empty.sendMs + NOISE_MS)
    expect(full.bystanderMs).toBeLessThan(MOST_TIMES * empty.bystanderMs + NOISE_MS)
    expect(full.charsRead).toBeLessThan(MOST_CHARS_READ)

    const { id, head } = await streamOf("large")
    const cleared = await ask(server, "DELETE", `${large}/queue`)
    expect(jsonOf(cleared)).toEqual({ removed: MESSAGES + SENDS })
    const page = await server.store.log.events(id, head, { count: 2_000, bytes: 10_000_000 })
    const left = (page?.changes ?? []).filter(({ collection, operation }) => `${collection} ${operation}` === LEFT)
    expect(left).toHaveLength(MESSAGES + SENDS)
    for (const { value } of left) expect(value.length).toBeLessThan(1_000)
  })

  /** Medians in ms, and the most bytes that one send read from the store. */
  async function sendsBeside(path: string, own: string) {
    let isOver = false
    const reads: number[] = []
    const reading = (async () => {
      while (!isOver) reads.push(await timed(() => ask(server, "GET", `${own}/messages?limit=1`)))
    })()
    const sends: number[] = []
    const chars: number[] = []
    for (let n = 0; n < SENDS; n++) {
      read.chars = 0
      sends.push(await timed(() => sendPaused(path, "small")))
      chars.push(read.chars)
    }
    isOver = true
    await reading
    return { sendMs: median(sends), bystanderMs: median(reads), charsRead: Math.max(...chars) }
  }

  async function sendPaused(path: string, text: string): Promise<void> {
    const { status } = await ask(server, "POST", `${path}/messages`, { body: { text, mode: "paused" } })
    expect(status).toBe(202)
  }

  function streamOf(branch: string) {
    return server.runtime.conversation({ agent: "host", person: "me", branch })
  }
})

const LEFT = "queue delete"

/** Counts the bytes of rows that are read, which determine the cost of parsing, copying and sorting. */
function countingReads(store: Store, read: { chars: number }): Store {
  return withMembers(store, {
    log: {
      read: async (stream, queries) => {
        const found = await store.log.read(stream, queries)
        for (const row of found?.lists.flat() ?? []) read.chars += row.value.length
        return found
      },
    },
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
