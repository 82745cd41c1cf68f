/** Many commands to one conversation in the same moment. */

import type { Clock, EventLog } from "@parlor/core"
import { createRuntime, silentLog } from "@parlor/core"
import {
  countingIds,
  FakeClock,
  finish,
  gate,
  MemorySpool,
  MemoryStore,
  says,
  scriptedModel,
} from "@parlor/core/testing"
import { systemRandom } from "@parlor/server"
import { expect, it } from "vitest"

const address = { agent: "crab", person: "ana", branch: "main" } as const

class CountingStore extends MemoryStore {
  refused = 0

  constructor(clock: Clock) {
    super(clock)
    const real = this.log
    const commit: EventLog["commit"] = async (batch) => {
      const answers = await real.commit(batch)
      this.refused += answers.filter((answer) => !answer.ok).length
      return answers
    }
    Object.assign(this, { log: { ...real, commit } })
  }
}

function open(store: MemoryStore, clock: FakeClock, busy = gate()) {
  const model = scriptedModel([[{ type: "text", text: "Busy" }, busy, finish()]], { fallback: says("ok") })
  const crab = { name: "crab", description: "", instructions: "", model, tools: [], slashCommands: [] }
  const parts = { store, clock, spool: new MemorySpool(), ids: countingIds(), random: systemRandom, log: silentLog }
  return createRuntime({ ...parts, agents: [crab], settings: { drainDelayMs: 1 } })
}

type Opened = ReturnType<typeof open>

function say(runtime: Opened, text: string) {
  const message = { type: "composer_input", payload: { source: text }, mode: "immediate", source: "person" } as const
  return runtime.send(address, { ...message, txid: runtime.txid() })
}

it("[QUE-16] 300 sends at once are all taken in the order they came, and none is decided twice", async () => {
  const clock = new FakeClock()
  const store = new CountingStore(clock)
  const runtime = open(store, clock)
  await runtime.start()
  await say(runtime, "first")
  store.refused = 0
  const texts = Array.from({ length: 300 }, (_, index) => `message ${index}`)
  const sent = await Promise.all(texts.map((text) => say(runtime, text)))
  expect(sent.map(({ place }) => place)).toEqual(texts.map((_, index) => index + 1))
  const { queue } = await runtime.snapshot(address, { messages: 1 })
  expect(queue.map(({ payload }) => (payload as { source: string }).source)).toEqual(texts)
  expect(store.refused).toBe(0)
  await runtime.close()
})

it("[QUE-16] a stop does not wait behind everyone who sends", async () => {
  const clock = new FakeClock()
  const runtime = open(new MemoryStore(clock), clock)
  await runtime.start()
  const { turn } = await say(runtime, "first")
  await clock.advance(0)
  const order: string[] = []
  const sends = Array.from({ length: 200 }, (_, index) =>
    say(runtime, `message ${index}`).then(() => order.push("sent")),
  )
  const stopped = runtime
    .stop(address, { turn, onQueue: "hold", txid: runtime.txid() })
    .then(() => order.push("stopped"))
  const all = Promise.all([...sends, stopped])
  for (let ms = 0; ms < 200; ms++) await clock.advance(1)
  await all
  expect(order.indexOf("stopped")).toBeLessThan(100)
  const closed = runtime.close()
  await clock.advance(10)
  await closed
})

it("[QUE-16, LOG-22] who waits when the store fails is refused with the one it waits for, and the next is taken", async () => {
  const clock = new FakeClock()
  const store = new MemoryStore(clock)
  const runtime = open(store, clock)
  await runtime.start()
  await say(runtime, "first")
  await clock.advance(0)
  store.hooks = { beforeCommit: () => "fail" }
  const sends = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => say(runtime, `message ${index}`)))
  expect(new Set(sends.map(({ status }) => status))).toEqual(new Set(["rejected"]))
  store.hooks = {}
  expect(await say(runtime, "again")).toMatchObject({ outcome: "queued", place: 1 })
  await runtime.close()
})
