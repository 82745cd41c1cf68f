/**
 * A very long queue drains at a constant rate: the cost of a turn does not grow with the number of turns before it.
 *
 * 500 messages, 10,000 with PARLOR_LONG=1. The model gets only a few messages, because this is about the queue.
 */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createRuntime, type Runtime, silentLog } from "@parlor/core"
import { MemorySpool, says, scriptedModel } from "@parlor/core/testing"
import type { StreamId } from "@parlor/protocol"
import { randomIds, systemClock, systemRandom } from "@parlor/server"
import { openSqlite } from "@parlor/store"
import { expect, test } from "vitest"
import { rounds } from "../support/rounds.ts"
import { within } from "./waiting.ts"

const MESSAGES = rounds({ usual: 500, long: 10_000 })
/** How many of the first and of the last turns are compared. */
const SHARE = MESSAGES / 10
/** Generous, because a busy machine is several times slower. The growth per message is checked separately. */
const LEAST_TURNS_PER_S = 15
/** Between the quickest tenth of the first half and of the second: other work on the machine does not slow every tenth. */
const MOST_GROWTH = 1.6
const MAX_MESSAGES = 10
const TIMEOUT_MS = 60_000 + MESSAGES * 30
/** The owner of the machine, whose own messages are not slowed (SEC-21). */
const address = { agent: "crab", person: "me", branch: "main" } as const

test(`[QUE-14, QUE-15] ${MESSAGES} queued messages drain at ${LEAST_TURNS_PER_S} turns/s or better, the last as fast as the first`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "parlor-long-queue-"))
  const store = await openSqlite({ path: join(folder, "parlor.db") })
  const model = scriptedModel([], { fallback: says("Done.") })
  const runtime = createRuntime({
    store,
    spool: new MemorySpool(),
    clock: systemClock,
    ids: randomIds(systemClock),
    random: systemRandom,
    log: silentLog,
    agents: [
      {
        name: "crab",
        description: "",
        instructions: "Be brief.",
        model,
        maxMessages: MAX_MESSAGES,
        tools: [],
        slashCommands: [],
      },
    ],
    settings: { queueLimit: MESSAGES, drainDelayMs: 0 },
  })
  try {
    await runtime.start()
    const sent = await enqueue(runtime)
    const stream = (await runtime.conversation(address)).id
    const { ends, started } = await drained(runtime, stream)
    expect(started).toEqual(sent)
    expectPace(ends)
    expect((await runtime.snapshot(address, { messages: 1 })).queue).toEqual([])
  } finally {
    await runtime.close()
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
})

/** Queues all messages before any starts. Returns their ids, in order. */
async function enqueue(runtime: Runtime): Promise<string[]> {
  await runtime.hold(address, runtime.txid())
  const ids: string[] = []
  for (let i = 0; i < MESSAGES; i++) {
    const message = { type: "composer_input", payload: { source: `Message ${i}` } }
    const sent = await runtime.send(address, { ...message, mode: "queued", source: "person", txid: runtime.txid() })
    expect(sent.place).toBe(i + 1)
    ids.push(sent.message)
  }
  return ids
}

/** The end time and the message of each turn, in the order they ran. */
async function drained(
  runtime: Runtime,
  stream: StreamId,
): Promise<{ readonly ends: readonly number[]; readonly started: readonly string[] }> {
  const ends: number[] = [performance.now()]
  const started: string[] = []
  let done = () => {}
  const all = new Promise<void>((resolve) => {
    done = resolve
  })
  const unsubscribe = runtime.subscribe(stream, (changes) => {
    for (const change of changes) {
      if (change.collection !== "turns") continue
      const turn = JSON.parse(change.value) as { readonly message: string; readonly state: string }
      if (change.operation === "insert") started.push(turn.message)
      if (turn.state === "done") ends.push(performance.now())
    }
    if (ends.length > MESSAGES) done()
  })
  await runtime.resume(address, runtime.txid())
  await within(TIMEOUT_MS, "draining", all)
  unsubscribe()
  return { ends, started }
}

function expectPace(ends: readonly number[]): void {
  const perTurn = (from: number, to: number) => ((ends[to] ?? 0) - (ends[from] ?? 0)) / (to - from)
  const parts = Array.from({ length: MESSAGES / SHARE }, (_, i) => perTurn(i * SHARE, (i + 1) * SHARE))
  const perSecond = 1_000 / perTurn(0, MESSAGES)
  const shown = parts.map((ms) => ms.toFixed(1)).join(", ")
  console.info(`${MESSAGES} messages: ${perSecond.toFixed(0)} turns/s; ms per turn, a tenth each: ${shown}`)
  expect(perSecond).toBeGreaterThan(LEAST_TURNS_PER_S)
  const half = parts.length / 2
  expect(Math.min(...parts.slice(half)) / Math.min(...parts.slice(0, half))).toBeLessThan(MOST_GROWTH)
}
