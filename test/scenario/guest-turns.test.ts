/** The turns of guests: in the queue, one after another, stopped, steered, tried again, after a restart. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ModelFault } from "@parlor/core"
import { calls, finish, gate, requestDefects, says, scriptedModel } from "@parlor/core/testing"
import { emptyUsage } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { guest, heardIn, messagesOf, shout, statesOf, statusesOf } from "./guests.ts"
import { address, openStage, type Stage, type StageOptions, txid } from "./stage.ts"

let stage: Stage
let folders: string[] = []
afterEach(async () => {
  await stage.close()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
  folders = []
})

async function open(options: StageOptions): Promise<Stage> {
  stage = await openStage(options)
  return stage
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parlor-guest-"))
  folders.push(folder)
  return folder
}

const usage = (inputTokens: number) => ({ ...emptyUsage, inputTokens, outputTokens: 1 })

describe("a guest turn", () => {
  it("[GST-5] queues like others, one at a time, and shows as busy", async () => {
    const held = gate()
    const critic = guest("critic", [says("No.")])
    await open({ scripts: [[{ type: "text", text: "Yes" }, held, finish()]], others: [critic] })
    await stage.send("One")
    expect(await stage.send("Two", { guests: ["critic"] })).toMatchObject({ outcome: "queued", place: 1 })
    expect([...(await stage.rows()).queue.values()].map(({ guests }) => guests)).toEqual([["critic"]])
    held.open()
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: One", "agent: Yes", "person: Two", "critic: No."])
    expect(await statesOf(stage)).toEqual(["idle", "busy", "idle", "busy", "idle"])
  })

  it("[GST-5] is stopped: what it said stays, those after it do not answer, the queue is held", async () => {
    const held = gate()
    const critic = guest("critic", [[{ type: "text", text: "I doubt" }, held, finish()]])
    const poet = guest("poet", [])
    await open({ others: [critic, poet] })
    const { turn } = await stage.send("So?", { guests: ["critic", "poet"] })
    await stage.send("Next", { guests: ["poet"] })
    await stage.until((rows) => rows.deltas.size > 0)
    await stage.runtime.stop(address, { turn, onQueue: undefined, txid })
    held.open()
    const rows = await stage.rows()
    expect(rows.status.get("status")).toMatchObject({ state: "idle", held: { reason: "stopped" } })
    expect(await stage.transcript()).toEqual(["person: So?", "critic (truncated): I doubt"])
    expect(poet.model.requests).toEqual([])
    await stage.runtime.resume(address, txid)
    await stage.idle()
    expect((await stage.transcript()).slice(2)).toEqual(["person: Next", "poet: poet again."])
  })

  it("[GST-5, QUE-10] another message is sent now: it starts in its place, and those after the guest do not answer", async () => {
    const held = gate()
    const critic = guest("critic", [[{ type: "text", text: "I doubt" }, held, finish()]])
    const poet = guest("poet", [])
    await open({ scripts: [says("At once.")], others: [critic, poet] })
    await stage.send("So?", { guests: ["critic", "poet"] })
    const { message } = await stage.send("Now!")
    await stage.until((rows) => rows.deltas.size > 0)
    expect(await stage.runtime.sendNow(address, message, txid)).toMatchObject({ outcome: "started", message })
    held.open()
    await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: So?",
      "critic (truncated): I doubt",
      "person: Now!",
      "agent: At once.",
    ])
    expect(await statesOf(stage)).toEqual(["idle", "busy", "busy", "idle"])
  })

  it("[GST-5, TRN-9] is steered at its next step", async () => {
    const held = gate()
    const critic = guest("critic", [[{ type: "text", text: "I doubt it." }, held, finish()], says("In short: no.")])
    await open({ others: [critic] })
    await stage.send("So?", { guests: ["critic"] })
    expect(await stage.send("Shorter", { mode: "steer" })).toMatchObject({ outcome: "steering" })
    held.open()
    const rows = await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: So?",
      "critic: I doubt it.",
      "person: Shorter",
      "critic: In short: no.",
    ])
    expect([...rows.turns.values()]).toMatchObject([{ guest: "critic", steps: 2 }])
  })

  it("[GST-6, TRN-9] a message for guests does not steer: it waits for its own turns, and its sender is told", async () => {
    const held = gate()
    const critic = guest("critic", [says("No.")])
    await open({ scripts: [[{ type: "text", text: "Yes." }, held, finish()]], others: [critic] })
    await stage.send("So?")
    const sent = await stage.send("Critic?", { mode: "steer", guests: ["critic"] })
    expect(sent).toMatchObject({ outcome: "queued", note: { code: "steer.guests" } })
    held.open()
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: So?", "agent: Yes.", "person: Critic?", "critic: No."])
  })

  it("[GST-5, TRN-10] is tried again after a fault, and falls back to the guest's own fallback", async () => {
    const down = () => new ModelFault("Overloaded.", { transient: true })
    const critic = guest("critic", [[{ type: "text", text: "I do" }, down()], [down()]], {
      fallback: scriptedModel([says("I doubt it.")]),
    })
    await open({ others: [critic], settings: { retry: { tries: 2, baseMs: 1, maxMs: 2 } } })
    await stage.send("So?", { guests: ["critic"] })
    await stage.idle()
    expect(await stage.transcript()).toEqual(["person: So?", "critic (failed): I do", "critic: I doubt it."])
    expect(await statesOf(stage)).toContain("retrying")
  })

  it("[GST-5] fails visibly, those after it do not answer, and the queue is held", async () => {
    const critic = guest("critic", [[new ModelFault("The key was refused.", { transient: false })]])
    const poet = guest("poet", [])
    await open({ others: [critic, poet] })
    await stage.send("So?", { guests: ["critic", "poet"] })
    const rows = await stage.until((now) => now.status.get("status")?.state === "error")
    expect(rows.status.get("status")).toMatchObject({ held: { reason: "error" }, error: { code: "model.failed" } })
    expect([...rows.turns.values()]).toMatchObject([{ guest: "critic", state: "failed", guestsNext: ["poet"] }])
    expect(poet.model.requests).toEqual([])
  })

  it("[GST-5, TRN-14] is metered: tokens per message, turn and conversation", async () => {
    const critic = guest("critic", [says("No.", usage(10))])
    const poet = guest("poet", [says("Alas.", usage(20))])
    await open({ scripts: [says("Yes.", usage(1))], others: [critic, poet] })
    await stage.send("So?")
    await stage.idle()
    await stage.send("And?", { guests: ["critic", "poet"] })
    const rows = await stage.idle()
    const used = [...rows.turns.values()].map((turn) => [turn.guest, turn.usage.inputTokens])
    expect(used).toEqual([
      [null, 1],
      ["critic", 10],
      ["poet", 20],
    ])
    expect((await messagesOf(stage)).map((message) => message.usage?.inputTokens ?? 0)).toEqual([0, 1, 0, 10, 20])
    expect(rows.status.get("status")?.usage).toMatchObject({ inputTokens: 31, outputTokens: 3 })
  })
})

describe("several guests", () => {
  it("[GST-6] answer in order, each seeing the ones before, before anything that waits and with no idle between", async () => {
    const held = gate()
    const critic = guest("critic", [[{ type: "text", text: "Too long." }, held, finish()]])
    const poet = guest("poet", [says("Too plain.")])
    await open({ scripts: [says("I see."), says("Next.")], others: [critic, poet] })
    const { turn, message } = await stage.send("My text.", { guests: ["critic", "poet", "crab", "critic"] })
    await stage.send("Queued.")
    held.open()
    const rows = await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: My text.",
      "critic: Too long.",
      "poet: Too plain.",
      "agent: I see.",
      "person: Queued.",
      "agent: Next.",
    ])
    const turns = [...rows.turns.values()].slice(0, 3)
    expect(turns[0]?.id).toBe(turn)
    expect(turns.map((one) => [one.message, one.guest, one.guestsNext])).toEqual([
      [message, "critic", ["poet", "crab"]],
      [message, "poet", ["crab"]],
      [message, null, []],
    ])
    expect(heardIn(poet.model.requests[0])).toEqual([
      { by: null, text: "My text." },
      { by: "critic", text: "Too long." },
    ])
    expect(heardIn(stage.model.requests[0]).map(({ by }) => by)).toEqual([null, "critic", "poet"])
    expect(await statesOf(stage)).toEqual(["idle", "busy", "busy", "busy", "idle", "busy", "idle"])
    const shown = (await statusesOf(stage)).map((status) => status.message)
    expect(shown.slice(1, 4)).toEqual([message, message, message])
  })

  it("[GST-6] the conversation's own agent among them has its tools, in its place in the order", async () => {
    const critic = guest("critic", [says("No.")])
    await open({ scripts: [calls("shout", {}), says("Yes.")], tools: [shout], others: [critic] })
    await stage.send("So?", { guests: ["crab", "critic"] })
    await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: So?",
      'agent: [shout done: "LOUD"]',
      "agent: Yes.",
      "critic: No.",
    ])
  })

  it("[GST-6, QUE-5] a hold of the queue meanwhile keeps what waits, not those who were asked", async () => {
    const held = gate()
    const critic = guest("critic", [[{ type: "text", text: "No." }, held, finish()]])
    const poet = guest("poet", [says("Alas.")])
    await open({ others: [critic, poet] })
    await stage.send("So?", { guests: ["critic", "poet"] })
    await stage.send("Later")
    await stage.runtime.hold(address, txid)
    held.open()
    const rows = await stage.until((now) => now.status.get("status")?.turn === null)
    expect(await stage.transcript()).toEqual(["person: So?", "critic: No.", "poet: Alas."])
    expect(rows.status.get("status")).toMatchObject({ state: "idle", held: { reason: "asked" } })
    expect(rows.queue.size).toBe(1)
  })
})

describe("guests after a restart", () => {
  it("[GST-5, TRN-7] the guest that was speaking goes on, those after it answer, nobody twice", async () => {
    const folder = await aFolder()
    const never = gate()
    const first = [guest("critic", [says("No.")]), guest("poet", [[{ type: "text", text: "Al" }, never, finish()]])]
    const before = await openStage({ folder, others: [...first, guest("scribe", [])] })
    await before.send("So?", { guests: ["critic", "poet", "scribe"] })
    await before.until((rows) => [...rows.deltas.values()].some(({ text }) => text === "Al"))
    await before.close()
    const [critic, poet, scribe] = [
      guest("critic", []),
      guest("poet", [says("as.")]),
      guest("scribe", [says("Noted.")]),
    ]
    const after = await open({ folder, others: [critic, poet, scribe] })
    await after.idle()
    expect(await after.transcript()).toEqual(["person: So?", "critic: No.", "poet: as.", "scribe: Noted."])
    expect(critic.model.requests).toEqual([])
    const [request] = poet.model.requests
    expect(request && requestDefects(request)).toEqual([])
    expect(request?.messages.map(({ role }) => role)).toEqual(["person"])
    expect(heardIn(scribe.model.requests[0]).map(({ by }) => by)).toEqual([null, "critic", "poet"])
  })

  it("[GST-5] a guest that is no longer defined fails its turn visibly; the conversation goes on", async () => {
    const folder = await aFolder()
    const never = gate()
    const before = await openStage({
      folder,
      others: [guest("critic", [[{ type: "text", text: "I do" }, never, finish()]])],
    })
    await before.send("So?", { guests: ["critic"] })
    await before.until((rows) => rows.deltas.size > 0)
    await before.close()
    const after = await open({ folder, scripts: [says("Here I am.")] })
    const rows = await after.until((now) => now.status.get("status")?.state === "error")
    expect(rows.status.get("status")).toMatchObject({ error: { code: "agent.unknown" }, held: { reason: "error" } })
    await after.send("Crab?")
    await after.idle()
    expect(await after.transcript()).toEqual([
      "person: So?",
      "critic (truncated): I do",
      "person: Crab?",
      "agent: Here I am.",
    ])
    expect(heardIn(after.model.requests[0])).toEqual([
      { by: null, text: "So?" },
      { by: "critic", text: "I do" },
      { by: null, text: "Crab?" },
    ])
  })
})
