/** Rates are counted for all nodes together (SEC-44). */
import { expect, test } from "vitest"
import { until } from "../faults/waiting.ts"
import type { TestNode } from "./node.ts"
import { stageOf } from "./stage.ts"

const SOON_MS = 30_000
const MINUTE_MS = 60_000
/** Of a webhook per minute, and at once. */
const DELIVERIES = 100
const stage = stageOf(2)

test("[SEC-44] what one node let pass is missing on the other one", async () => {
  const person = "gus"
  const { runtime } = stage.a
  const asked = { agent: "host", branch: "main", name: "", style: "standard", template: "say 1", type: null } as const
  const secret = { id: "hook_of-two-nodes", secret: "whsec_c2VjcmV0", txid: runtime.txid() }
  const hook = await runtime.makeHook(person, { ...asked, perMinute: DELIVERIES }, secret)
  await runtime.hold({ agent: "host", person, branch: "main" }, runtime.txid())
  const began = Date.now()
  let sent = 0
  /** How many of them pass. */
  const deliver = async (node: TestNode, count: number): Promise<number> => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: count }, () => {
        const delivery = { id: `msg_${sent++}`, body: null, headers: {} }
        return node.runtime.deliver(hook, delivery, { txid: node.runtime.txid() })
      }),
    )
    for (const one of outcomes)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "rate.exceeded" })
    return outcomes.filter(({ status }) => status === "fulfilled").length
  }
  expect(await deliver(stage.a, DELIVERIES)).toBe(DELIVERIES)
  // Nothing is known here yet.
  let onB = await deliver(stage.b, DELIVERIES / 5)
  expect(onB).toBe(DELIVERIES / 5)
  await until(SOON_MS, "the reports of both nodes", async () => {
    const whose = `hooks ${hook.id}`
    const shared = await stage.a.store.store.shareRates?.(new Map([[whose, { cost: 0, agoMs: 0 }]]))
    return (shared?.get(whose) ?? 0) + Date.now() - began > 1.1 * MINUTE_MS
  })
  await until(SOON_MS, "a refusal on the other node", async () => {
    const passed = await deliver(stage.b, 1)
    onB += passed
    return passed === 0
  })
  // A node that counts for itself would let as many pass as the first one did.
  expect(onB).toBeLessThan(DELIVERIES / 2)
})
