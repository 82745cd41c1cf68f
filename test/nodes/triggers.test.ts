/** Three nodes on one PostgreSQL, all of which see what is due: each firing and each delivery is one message. */
import type { Trigger } from "@parlor/protocol"
import { expect, test } from "vitest"
import { stageOf } from "./stage.ts"

const stage = stageOf(3, { settings: { drainDelayMs: 5, sweepMs: 200 } })
const SCHEDULES = 12
const person = "ana"

async function fired(agent: string, branch: string): Promise<readonly Trigger[]> {
  const { messages, queue } = await stage.a.runtime.snapshot({ agent, person, branch }, { messages: 1_000 })
  return [...messages, ...queue].flatMap(({ trigger }) => (trigger === null ? [] : [trigger]))
}

test("[TRG-3] schedules made on any node and due at the same moment fire once each", async () => {
  const [agent = ""] = stage.a.runtime.agents().map(({ name }) => name)
  // Not over before the last is made, also where that takes a while.
  const at = Date.now() + 3_000
  const made = await Promise.all(
    Array.from({ length: SCHEDULES }, async (_, i) => {
      const { runtime } = stage.at(i)
      const branch = `due-${i % 3}`
      await runtime.make({ agent, person, branch }, runtime.txid())
      const said = { type: "composer_input", payload: { source: "say 1" }, name: "", missed: "once" } as const
      return runtime.makeSchedule(person, { agent, branch, when: { at }, ...said }, { txid: runtime.txid() })
    }),
  )
  const done = async () => (await stage.b.runtime.listSchedules(person)).filter(({ state }) => state === "done").length
  await expect.poll(done, { timeout: 15_000, interval: 50 }).toBe(SCHEDULES)
  const all = (await Promise.all([0, 1, 2].map((i) => fired(agent, `due-${i}`)))).flat()
  expect(all.map(({ scheduleId }) => scheduleId).sort()).toEqual(made.map(({ id }) => id).sort())
  for (const { id } of made)
    expect((await stage.a.runtime.openSchedule(person, id)).firings).toMatchObject([{ dueAt: at, error: null }])
})

test("[TRG-2] the same deliveries on all nodes at once become one message each, with one answer", async () => {
  const [agent = ""] = stage.a.runtime.agents().map(({ name }) => name)
  const { runtime } = stage.a
  const asked = { agent, branch: "main", name: "", style: "standard", template: "say 1", type: null } as const
  const secret = { id: "hook_of-three-nodes", secret: "whsec_c2VjcmV0", txid: runtime.txid() }
  const hook = await runtime.makeHook(person, { ...asked, perMinute: 6_000 }, secret)
  await runtime.hold({ agent, person, branch: "main" }, runtime.txid())
  const ids = Array.from({ length: 15 }, (_, i) => `msg_${i}`)
  const answers = await Promise.all(
    [...ids, ...ids, ...ids].map(async (id, i) => {
      const node = stage.at(i + Math.floor(i / ids.length)).runtime
      return JSON.stringify(await node.deliver(hook, { id, body: null, headers: {} }, { txid: node.txid() }))
    }),
  )
  expect(new Set(answers).size).toBe(ids.length)
  expect((await fired(agent, "main")).map(({ deliveryId }) => deliveryId).sort()).toEqual(ids.toSorted())
})
