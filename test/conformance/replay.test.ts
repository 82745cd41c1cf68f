/**
 * Replay (LOG-6): a reader that comes late, leaves, comes back and changes transports gets the bytes that a reader got
 * who was connected all along.
 */
import type { Model } from "@parlor/core"
import { emptyUsage, formatOffset, parseOffset, START_OFFSET } from "@parlor/protocol"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { type RunningParlor, startParlor } from "./parlor.ts"
import { catchUp, follow, joined, longPoll, type Place, type Read, readAll, record } from "./readers.ts"

const RUNS = 25
const WORDS = 15
/** Longer than half a page, so that catching up takes several. */
const LONG_TEXT = "lorem ipsum ".repeat(50_000)

/** One visit of a reader. By events it leaves after so many reads. */
type Visit =
  | { readonly by: "catch-up" }
  | { readonly by: "long-poll" }
  | { readonly by: "events"; readonly reads: number }

const visit: fc.Arbitrary<Visit> = fc.oneof(
  fc.constant({ by: "catch-up" } as const),
  fc.constant({ by: "long-poll" } as const),
  fc.record({ by: fc.constant("events" as const), reads: fc.integer({ min: 1, max: 6 }) }),
)

/** Says some words, one per turn of the event loop, so that readers come and go while it speaks. */
const chatty: Model = {
  name: "chatty",
  window: 1_000,
  run: async (_request, { signal, onEvent }) => {
    for (let n = 0; n < WORDS && !signal.aborted; n++) {
      onEvent({ type: "text", text: `word-${n} “ü” \u2028 ` })
      await new Promise((resolve) => setImmediate(resolve))
    }
    onEvent({ type: "finish", reason: "stop", usage: emptyUsage })
  },
}

let parlor: RunningParlor
let live: ReturnType<typeof record>

beforeAll(async () => {
  parlor = await startParlor(chatty)
  live = record(place())
  for (let n = 0; n < 3; n++) {
    await parlor.send(LONG_TEXT)
    await parlor.idle()
  }
})

afterAll(async () => {
  live.stop()
  await parlor.close()
})

test("[LOG-6] replay from any offset, with any cuts and any mix of transports, gives the live bytes", async () => {
  const anywhere = fc.oneof(fc.constant(0), fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true }))
  const cases = fc.record({
    from: anywhere,
    visits: fc.array(visit, { maxLength: 8 }),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ from, visits }) => {
      const { next: head } = await readAll(place(), "now")
      const offset = from === 0 ? START_OFFSET : formatOffset(Math.round(from * Number(parseOffset(head))))
      await parlor.send("speak")
      const over = new AbortController()
      const idle = parlor.idle().then(() => over.abort())
      const reads: Read[] = []
      for (const visit of visits) reads.push(...(await pay(visit, reads.at(-1)?.next ?? offset, over.signal)))
      await idle
      reads.push(await readAll(place(), reads.at(-1)?.next ?? offset))
      const replayed = joined(reads)
      await vi.waitFor(() => expect(live.next()).toBe(replayed.next), { interval: 5 })
      expect(replayed.events === liveAfter(offset)).toBe(true)
    }),
    { numRuns: RUNS },
  )
})

test("[LOG-6] a page cut by its size goes on where it was cut", async () => {
  const first = await catchUp(place(), START_OFFSET)
  expect(first.upToDate).toBe(false)
  const rest = await readAll(place(), first.next)
  expect(joined([first, rest]).events === liveAfter(START_OFFSET)).toBe(true)
})

test("[LOG-6] another process gives the same bytes", async () => {
  const before = await readAll(place())
  live.stop()
  await parlor.restart()
  const after = await readAll(place())
  expect(after.events === before.events).toBe(true)
  expect(liveAfter(START_OFFSET) === before.events).toBe(true)
})

function place(): Place {
  return { url: parlor.log(), headers: parlor.headers }
}

/** A live visit at the tail waits for what the agent says next, at most until it has finished. */
async function pay(visit: Visit, offset: string, signal: AbortSignal): Promise<Read[]> {
  const reads: Read[] = []
  try {
    if (visit.by === "catch-up") reads.push(await catchUp(place(), offset))
    else if (visit.by === "long-poll") reads.push(await longPoll(place(), offset, signal))
    else await followFor(visit.reads, reads, offset, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return reads
}

async function followFor(count: number, reads: Read[], offset: string, signal: AbortSignal): Promise<void> {
  const leave = new AbortController()
  for await (const read of follow(place(), offset, AbortSignal.any([signal, leave.signal]))) {
    reads.push(read)
    if (reads.length === count) break
  }
  leave.abort()
}

/** The bytes the reader that was connected all along got after an offset. */
function liveAfter(offset: string): string {
  const whole = joined(live.reads).events
  if (offset === START_OFFSET || offset === formatOffset(0)) return whole
  // An event's offset is the last thing in it.
  const end = new RegExp(`"offset":"${offset}(?:_\\w{7})?"}}`).exec(whole)
  expect(end?.index).toBeGreaterThan(0)
  return whole.slice((end?.index ?? 0) + (end?.[0].length ?? 0) + 1)
}
