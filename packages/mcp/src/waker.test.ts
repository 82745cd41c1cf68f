import { type Runtime, silentLog } from "@parlor/core"
import { FakeClock } from "@parlor/core/testing"
import { Fault, Refusal } from "@parlor/protocol"
import { expect, it } from "vitest"
import { Waker } from "./waker.ts"

type Sent = Parameters<Runtime["send"]>[1]

function stage(answers: readonly (Error | undefined)[] = []) {
  const clock = new FakeClock()
  const sent: Sent[] = []
  const left = [...answers]
  const send = (async (_address: unknown, message: Sent) => {
    sent.push(message)
    const error = left.shift()
    if (error !== undefined) throw error
  }) as unknown as Runtime["send"]
  const sender = { send, txid: () => "tx_1" as ReturnType<Runtime["txid"]> }
  let by: typeof sender | undefined
  const on = { resource: "note://board", agent: "host", everyMs: 1_000 }
  const waker = new Waker({ server: "notes", on, clock, log: silentLog, send: () => by })
  return {
    clock,
    sent,
    waker,
    begin: () => {
      by = sender
      waker.begin()
    },
  }
}

it("[TRG-6] a burst of changes is one wake at once and one after a while, and the last change is not missed", async () => {
  const { clock, sent, waker, begin } = stage()
  begin()
  for (let i = 0; i < 50; i++) waker.changed()
  await clock.advance(0)
  expect(sent).toHaveLength(1)
  await clock.advance(1_000)
  expect(sent).toHaveLength(2)
  await clock.advance(10_000)
  expect(sent).toHaveLength(2)
  // Two wakes of one process never share a key, two processes that heard of the same change do.
  expect(new Set(sent.map(({ key }) => key?.key)).size).toBe(2)
  expect(sent[0]).toMatchObject({
    trigger: { source: "mcp-event", subject: "note://board" },
    unlessQueued: sent[0]?.trigger?.scheduleId,
  })
})

it("[TRG-6] what happened before there was anyone to send by is told then", async () => {
  const { clock, sent, waker, begin } = stage()
  waker.changed()
  await clock.advance(5_000)
  expect(sent).toHaveLength(0)
  begin()
  await clock.advance(0)
  expect(sent).toHaveLength(1)
})

it("[TRG-6] a store that is down is asked again, a bounded number of times; a refusal is shown and not repeated", async () => {
  const down = new Fault("The store is down.")
  const once = stage([down])
  once.begin()
  once.waker.changed()
  await once.clock.advance(0)
  expect(once.waker.lastError).toBe("The store is down.")
  await once.clock.advance(1_000)
  expect(once.sent).toHaveLength(2)
  expect(once.waker.lastError).toBeNull()

  const ever = stage(Array.from({ length: 100 }, () => down))
  ever.begin()
  ever.waker.changed()
  for (let i = 0; i < 100; i++) await ever.clock.advance(1_000)
  expect(ever.sent).toHaveLength(10)

  const refused = stage([new Refusal("agent.unknown", 'There is no agent "host".')])
  refused.begin()
  refused.waker.changed()
  await refused.clock.advance(10_000)
  expect(refused.sent).toHaveLength(1)
  expect(refused.waker.lastError).toContain("no agent")
})

it("[TRG-6] [TRG-8] an agent that changes what it watches rests after sixty wakes in an hour, and goes on later", async () => {
  const { clock, sent, waker, begin } = stage()
  begin()
  const before = 60 * 60_000
  for (let i = 0; i < 200; i++) {
    waker.changed()
    await clock.advance(1_000)
  }
  expect(sent).toHaveLength(60)
  expect(waker.lastError).toContain("60 times within an hour")
  await clock.advance(before)
  expect(sent).toHaveLength(61)
  expect(waker.lastError).toBeNull()
})
