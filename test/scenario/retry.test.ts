import { defineTool, ModelFault } from "@parlor/core"
import { calls, finish, gate, says, scriptedModel } from "@parlor/core/testing"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { address, openStage, type Stage, type StageOptions, txid } from "./stage.ts"

let stage: Stage
const open = async (options: StageOptions) => {
  stage = await openStage(options)
  return stage
}
afterEach(() => stage.close())

const quick = { retry: { tries: 3, baseMs: 10, maxMs: 20 } }
const passing = (retryAfterMs?: number) =>
  new ModelFault("Too many requests.", { transient: true, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })

describe("a model that fails", () => {
  it("[TRN-10] is tried again; the status shows the attempt and when; what broke off is marked and not sent again", async () => {
    await open({ scripts: [[{ type: "text", text: "Half" }, passing()], [passing()], says("Whole.")], settings: quick })
    await stage.send("Hi")
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: Hi", "agent (failed): Half", "agent: Whole."])
    const retries = (await stage.log()).flatMap((change) =>
      change.type === "status" && change.value.state === "retrying" ? [change.value] : [],
    )
    expect(retries.map((status) => status.attempt)).toEqual([2, 3])
    expect(retries.every((status) => status.retryAt !== null && status.retryAt > status.since - 1)).toBe(true)
    expect(JSON.stringify(stage.model.requests[2])).not.toContain("Half")
    const states = (await stage.log()).flatMap((change) => (change.type === "status" ? [change.value.state] : []))
    expect(states).toEqual(["idle", "busy", "retrying", "busy", "retrying", "busy", "idle"])
  })

  it("[TRN-10] is tried again behind what broke off, though all of that was held back at first", async () => {
    await open({ scripts: [[{ type: "text", text: "<" }, passing()], says("Whole.")], settings: quick })
    await stage.send("Hi")
    const rows = await stage.idle()
    expect(await stage.transcript()).toEqual(["person: Hi", "agent (failed): <", "agent: Whole."])
    expect([...rows.messages.values()].map(({ ord }) => ord).sort()).toEqual([1, 2, 3])
  })

  it("[TRN-10] up to a named limit, then the turn fails and the queue is held with reason error", async () => {
    await open({ fallback: [passing()], settings: quick })
    await stage.send("Hi")
    await stage.send("next")
    const rows = await stage.until((now) => now.status.get("status")?.state === "error")
    expect(stage.model.requests).toHaveLength(3)
    expect(rows.status.get("status")).toMatchObject({ held: { reason: "error" }, error: { code: "model.failed" } })
    expect(rows.queue.size).toBe(1)
  })

  it("[TRN-10, QUE-2] honours retry-after, and what is sent meanwhile queues", async () => {
    await open({ scripts: [[passing(60)], says("ok"), says("and this")], settings: quick })
    await stage.send("Hi")
    const rows = await stage.until((now) => now.status.get("status")?.state === "retrying")
    const { retryAt, since } = rows.status.get("status") ?? { retryAt: null, since: 0 }
    expect((retryAt ?? 0) - since).toBeGreaterThanOrEqual(55)
    expect(await stage.send("meanwhile")).toMatchObject({ outcome: "queued" })
    await stage.idle()
    expect((await stage.transcript()).at(-1)).toBe("agent: and this")
  })

  it("[TRN-10] a fallback model takes over, also for a fault that trying again does not mend", async () => {
    const other = scriptedModel([says("From the other.")])
    await open({ scripts: [[new ModelFault("No such model.", { transient: false })]], agent: { fallback: other } })
    await stage.send("Hi")
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: Hi", "agent: From the other."])
  })

  it("[TRN-10] a model that says nothing for too long has stalled and is tried again", async () => {
    await open({ scripts: [[gate()], says("Here.")], settings: { ...quick, stallMs: 40 } })
    await stage.send("Hi")
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: Hi", "agent: Here."])
  })

  it("[TRN-4] a stop works while it waits to try again, and when the model stalls", async () => {
    await open({ scripts: [[passing(60_000)], [{ type: "text", text: "Hm" }, gate(), finish()]], settings: quick })
    await stage.send("Hi")
    await stage.until((now) => now.status.get("status")?.state === "retrying")
    await stage.runtime.stop(address, { turn: undefined, onQueue: undefined, txid })
    await stage.send("Again")
    await stage.until((rows) => rows.deltas.size > 0)
    const before = performance.now()
    await stage.runtime.stop(address, { turn: undefined, onQueue: undefined, txid })
    expect(performance.now() - before).toBeLessThan(500)
    expect(await stage.transcript()).toEqual(["person: Hi", "person: Again", "agent (truncated): Hm"])
  })

  it("[TRN-11] a tool has a time limit and its output a size limit", async () => {
    const slow = defineTool({
      name: "slow",
      description: "",
      input: z.object({}),
      repeatable: false,
      timeoutMs: 20,
      run: () => new Promise(() => {}),
    })
    const long = defineTool({
      name: "long",
      description: "",
      input: z.object({}),
      repeatable: false,
      maxOutputBytes: 10,
      run: async () => "x".repeat(100),
    })
    await open({ scripts: [calls("slow", {}, "a"), calls("long", {}, "b"), says("ok")], tools: [slow, long] })
    await stage.send("Go")
    await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: Go",
      'agent: [slow failed: "tool.timeout"]',
      expect.stringMatching(/^agent: \[long done: {"truncated":true,"characters":100,"beginning":"xxxxxxxxxx",/),
      "agent: ok",
    ])
  })
})
