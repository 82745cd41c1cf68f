import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defineTool } from "@parlor/core"
import { calls, finish, gate, says } from "@parlor/core/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { openStage } from "./stage.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlor-recovery-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe("after a restart", () => {
  it("[TRN-7, TRN-18] the step is asked again, its answer replaces the cut text, the queued message runs", async () => {
    const never = gate()
    const before = await openStage({ folder, scripts: [[{ type: "text", text: "Half an ans" }, never, finish()]] })
    await before.send("Explain")
    await before.send("And then?")
    await before.until((rows) => rows.deltas.size > 0)
    await before.close()
    const after = await openStage({ folder, scripts: [says("A whole answer."), says("Then nothing.")] })
    await after.idle()
    expect(await after.transcript()).toEqual([
      "person: Explain",
      "agent: A whole answer.",
      "person: And then?",
      "agent: Then nothing.",
    ])
    expect([...(await after.rows()).turns.values()].map((turn) => turn.state)).toEqual(["done", "done"])
    await after.close()
  })

  it("[TRN-7] a tool that had started is not run again; the model learns that its outcome is unknown", async () => {
    const entered = gate()
    const never = gate()
    let runs = 0
    const pay = defineTool({
      name: "pay",
      description: "",
      input: z.object({}),
      repeatable: false,
      run: async () => {
        runs += 1
        entered.open()
        await never.opened
        return null
      },
    })
    const before = await openStage({ folder, scripts: [calls("pay", {})], tools: [pay] })
    await before.send("Pay the bill")
    await entered.opened
    await before.close()
    const after = await openStage({ folder, scripts: [says("I will check first.")], tools: [pay] })
    await after.idle()
    expect(runs).toBe(1)
    expect(await after.transcript()).toEqual([
      "person: Pay the bill",
      "agent: [pay unknown: undefined]",
      "agent: I will check first.",
    ])
    expect(JSON.stringify(after.model.requests[0]?.messages.at(-1))).toContain("unknown")
    await after.close()
  })

  it("[QUE-5] a held queue is still held", async () => {
    const held = gate()
    const before = await openStage({ folder, scripts: [[{ type: "text", text: "One" }, held, finish()]] })
    const { turn } = await before.send("1")
    await before.send("2")
    await before.until((rows) => rows.deltas.size > 0)
    await before.runtime.stop(
      { agent: "crab", person: "ana", branch: "main" },
      { turn, onQueue: "hold", txid: before.runtime.txid() },
    )
    await before.close()
    const after = await openStage({ folder, fallback: says("no") })
    await new Promise((resolve) => setTimeout(resolve, 50))
    const rows = await after.rows()
    expect(rows.queue.size).toBe(1)
    expect(rows.status.get("status")).toMatchObject({ state: "idle", held: { reason: "stopped" } })
    await after.close()
  })
})
