/** A reply that was cut off: it stays until the step, asked again, says something, and never shows twice (TRN-18). */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defineTool, ModelFault } from "@parlor/core"
import { calls, finish, gate, type Script, says } from "@parlor/core/testing"
import { emptyRows, fold, type MessageRow, withDeltas } from "@parlor/protocol"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { address, openStage, type Stage, txid } from "./stage.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlor-cut-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const halfSaid = (text: string): Script => [{ type: "text", text }, gate(), finish()]

/** Says half of something and is cut off. */
async function cutOff(text: string): Promise<string> {
  const stage = await openStage({ folder, scripts: [halfSaid(text)] })
  await stage.send("Explain")
  const { messages } = await stage.until((rows) => rows.deltas.size > 0)
  await stage.close()
  const reply = [...messages.values()].find(({ role }) => role === "agent")
  return reply?.id ?? ""
}

/** What a reader was shown after each event, the agent's words only. */
async function shown(stage: Stage): Promise<string[]> {
  const rows = emptyRows()
  const seen: string[] = []
  for (const event of await stage.log()) {
    fold(rows, [event])
    const agents = [...rows.messages.values()].filter(({ role }) => role === "agent").sort((a, b) => a.ord - b.ord)
    const words = agents.map((message) => textOf(withDeltas(message, rows.deltas.values()))).join(" | ")
    if (words !== seen.at(-1) && words !== "") seen.push(words)
  }
  return seen
}

function textOf({ parts }: MessageRow): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("")
}

describe("a reply that was cut off", () => {
  it("[TRN-18] is asked for again as it was, and the new answer takes its row", async () => {
    const cut = await cutOff("Half an ans")
    const after = await openStage({ folder, scripts: [says("Whole answer.")] })
    const { messages } = await after.idle()
    expect(after.model.requests[0]?.messages).toEqual([{ role: "person", text: "Explain" }])
    expect(await after.transcript()).toEqual(["person: Explain", "agent: Whole answer."])
    expect(messages.get(cut)).toMatchObject({ state: "done" })
    expect((await shown(after)).filter((words) => words.includes("Half") && words.includes("Whole"))).toEqual([])
    await after.close()
  })

  it("[TRN-18] stays, marked, until the new one says something", async () => {
    const cut = await cutOff("Half an ans")
    const silent = gate()
    const after = await openStage({ folder, scripts: [[silent, ...says("Whole answer.")]] })
    const waiting = await after.until((rows) => rows.messages.get(cut)?.state === "truncated")
    expect(waiting.status.get("status")).toMatchObject({ state: "busy" })
    expect(await after.transcript()).toEqual(["person: Explain", "agent (truncated): Half an ans"])
    silent.open()
    await after.idle()
    expect(await after.transcript()).toEqual(["person: Explain", "agent: Whole answer."])
    await after.close()
  })

  it("[TRN-18] is replaced after a second restart in a row too, whether the second try had said something or not", async () => {
    const cut = await cutOff("First try")
    const silent = await openStage({ folder, scripts: [[gate(), finish()]] })
    await silent.until((rows) => rows.messages.get(cut)?.state === "truncated")
    await silent.close()
    const speaking = await openStage({ folder, scripts: [halfSaid("Second try")] })
    await speaking.until((rows) => rows.messages.get(cut)?.state === "streaming" && rows.deltas.size > 0)
    await speaking.close()
    const after = await openStage({ folder, scripts: [says("Third try, whole.")] })
    await after.idle()
    expect(await after.transcript()).toEqual(["person: Explain", "agent: Third try, whole."])
    expect(await shown(after)).toEqual(
      ["First try", "Second try", "Third try, whole."].flatMap(growing(await shown(after))),
    )
    await after.close()
  })

  it("[TRN-18, TRN-5] stays as it was seen when the turn is stopped before the new one says anything", async () => {
    const cut = await cutOff("Half an ans")
    const after = await openStage({ folder, scripts: [[gate(), finish()], says("Something else.")] })
    await after.until((rows) => rows.messages.get(cut)?.state === "truncated")
    await expect.poll(() => after.model.requests.length).toBe(1)
    await after.runtime.stop(address, { turn: undefined, onQueue: "drain", txid })
    await after.send("Go on")
    await after.idle()
    expect(await after.transcript()).toEqual([
      "person: Explain",
      "agent (truncated): Half an ans",
      "person: Go on",
      "agent: Something else.",
    ])
    await after.close()
  })

  it("[TRN-18] stays when the model cannot be reached any more", async () => {
    await cutOff("Half an ans")
    const down = new ModelFault("gone", { transient: false })
    const after = await openStage({ folder, scripts: [[down]] })
    const { status } = await after.until((rows) => rows.status.get("status")?.state === "error")
    expect(status.get("status")?.error?.code).toBe("model.failed")
    expect(await after.transcript()).toEqual(["person: Explain", "agent (truncated): Half an ans"])
    await after.close()
  })

  it("[TRN-18] is replaced by the attempt that succeeds, when one before it said nothing", async () => {
    await cutOff("Half an ans")
    const passing = new ModelFault("busy", { transient: true, retryAfterMs: 1 })
    const after = await openStage({ folder, scripts: [[passing], says("Whole answer.")] })
    await after.idle()
    expect(await after.transcript()).toEqual(["person: Explain", "agent: Whole answer."])
    await after.close()
  })

  it("[TRN-18, TRN-9] is replaced before a message that steers joins the turn", async () => {
    const look = defineTool({
      name: "look",
      description: "",
      input: z.object({}),
      repeatable: true,
      run: async () => 1,
    })
    const before = await openStage({ folder, scripts: [calls("look", {}), halfSaid("Half an ans")], tools: [look] })
    await before.send("Explain")
    await before.until((rows) => rows.deltas.size > 0)
    await before.send("Shorter, please", { mode: "steer" })
    await before.close()
    const after = await openStage({ folder, scripts: [says("Whole answer."), says("Short.")], tools: [look] })
    await after.idle()
    expect(await after.transcript()).toEqual([
      "person: Explain",
      "agent: [look done: 1]",
      "agent: Whole answer.",
      "person: Shorter, please",
      "agent: Short.",
    ])
    await after.close()
  })

  it("[TRN-18] is replaced by a tool call alone", async () => {
    await cutOff("Half an ans")
    const look = defineTool({
      name: "look",
      description: "",
      input: z.object({}),
      repeatable: true,
      run: async () => 1,
    })
    const after = await openStage({ folder, scripts: [calls("look", {}), says("Seen.")], tools: [look] })
    await after.idle()
    expect(await after.transcript()).toEqual(["person: Explain", "agent: [look done: 1]", "agent: Seen."])
    await after.close()
  })
})

/** The steps in which a text was shown, as far as they were seen: each one is the beginning of it. */
function growing(seen: readonly string[]): (text: string) => string[] {
  return (text) => seen.filter((words) => text.startsWith(words))
}
