/** A reader that does not read, on real sockets (LOG-13). How much is kept for it: packages/server/src/streams. */
import { get, type IncomingMessage } from "node:http"
import { gate, scriptedModel } from "@parlor/core/testing"
import { expect, test, vi } from "vitest"
import { startParlor } from "./parlor.ts"
import { joined, type Place, type Read, readAll, readsOf, record } from "./readers.ts"

/** More than the reader's buffer and what the kernel keeps for both ends together. */
const DELTAS = 20
const LONG_TEXT = "x".repeat(900_000)
const PROMPT_MS = 2_000

test("[LOG-13] a reader that stops reading delays nobody, and when it reads on it gets everything", async () => {
  const gates = Array.from({ length: DELTAS + 1 }, gate)
  const script = gates.flatMap((pause) => [pause, { type: "text", text: LONG_TEXT } as const])
  const parlor = await startParlor(scriptedModel([script]))
  const place = { url: parlor.log(), headers: parlor.headers }
  const stalled = await connectOnly(place)
  const good = record(place)
  const { offset } = await parlor.send("Tell me everything.")
  await vi.waitFor(() => expect(good.next()).toBe(offset))
  for (const pause of gates.slice(0, DELTAS)) {
    const before = good.next()
    pause.open()
    await vi.waitFor(() => expect(good.next() > before).toBe(true), { timeout: PROMPT_MS, interval: 2 })
  }
  const whole = await readAll(place)
  const seen = joined(await readUntil(stalled, whole.next))
  expect(seen.events === whole.events).toBe(true)
  expect(joined(good.reads).events === whole.events).toBe(true)
  stalled.destroy()
  good.stop()
  await parlor.close()
})

/** Follows from the start, and reads nothing of what comes. */
function connectOnly({ url, headers }: Place): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${url}?offset=-1&live=sse`, { headers, agent: false }, resolve).once("error", reject)
  })
}

async function readUntil(response: IncomingMessage, next: string): Promise<Read[]> {
  const reads: Read[] = []
  for await (const read of readsOf(response)) {
    reads.push(read)
    if (read.next >= next) break
  }
  return reads
}
