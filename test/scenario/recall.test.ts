/** What an agent and a person find of what was said before (CPT-7, CPT-8). */
import { calls, type ScriptStep, says } from "@parlor/core/testing"
import type { Address } from "@parlor/protocol"
import { afterEach, describe, expect, it, vi } from "vitest"
import { address, openStage, type Stage, type StageOptions, txid } from "./stage.ts"

let stage: Stage
const open = async (options: StageOptions) => {
  stage = await openStage({ agent: { memory: true }, ...options })
  return stage
}
afterEach(() => stage.close())

const elsewhere = { ...address, branch: "garden" }
const spoken = (text: string) =>
  ({ type: "composer_input", payload: { source: text }, mode: "immediate", source: "person", txid }) as const

async function sayElsewhere(at: Address, text: string): Promise<void> {
  await stage.runtime.make(at, txid)
  await stage.runtime.send(at, spoken(text))
  await vi.waitFor(async () => {
    expect((await stage.runtime.snapshot(at, { messages: 9 })).messages.at(-1)).toMatchObject({
      role: "agent",
      state: "done",
    })
  })
}

const found = (index: number): string => JSON.stringify(stage.model.requests[index]?.messages.at(-1))

describe("recall", () => {
  it("[CPT-7] finds what was said in another conversation of this person, says where, and reads around it", async () => {
    await open({
      scripts: [says("Noted, the tulips."), calls("recall", { query: "tulips bulbs" }), says("In October.")],
      fallback: says("fine"),
    })
    await sayElsewhere(elsewhere, "The tulip bulbs go into the ground in October, says the tulips book")
    await stage.send("When do the tulips bulbs go in?")
    await stage.idle()
    expect(found(2)).toContain("October")
    expect(found(2)).toContain("garden")
  })

  it("[CPT-7] reads around a hit", async () => {
    const script: ScriptStep[] = []
    await open({ scripts: [says("Noted."), script, says("there")], fallback: says("fine") })
    await sayElsewhere(elsewhere, "The code of the shed is on the beam")
    const [hit] = await stage.runtime.search("ana", { q: "shed beam", limit: 5 })
    expect(hit).toMatchObject({ kind: "message", agent: "crab", branch: "garden", role: "person" })
    const message = hit?.kind === "message" ? hit.message : ""
    script.push(...calls("recall", { around: { agent: "crab", branch: "garden", message } }))
    await stage.send("go on")
    await stage.idle()
    expect(found(2)).toContain("on the beam")
    expect(found(2)).toContain("Noted.")
  })

  it("[CPT-7, CPT-8] another person's text is in neither, though the words are the same", async () => {
    await open({
      scripts: [says("ok"), calls("recall", { query: "walnut password" }), says("none")],
      fallback: says("ok"),
    })
    await sayElsewhere({ ...elsewhere, person: "bo" }, "The walnut password is hunter2")
    await stage.send("What is the walnut password?")
    await stage.idle()
    expect(found(2)).not.toContain("hunter2")
    const mine = await stage.runtime.search("ana", { q: "walnut", limit: 20 })
    expect(mine.length).toBeGreaterThan(0)
    expect(JSON.stringify(mine)).not.toContain("hunter2")
    const theirs = await stage.runtime.search("bo", { q: "walnut", limit: 20 })
    expect(JSON.stringify(theirs)).toContain("hunter2")
  })

  it("[CPT-8] a person finds their messages with the words marked, and none of a deleted conversation", async () => {
    await open({ fallback: says("fine") })
    await sayElsewhere(elsewhere, "Zebra stripes are like Café lights")
    const hits = await stage.runtime.search("ana", { q: "cafe zebra", limit: 5 })
    expect(hits).toHaveLength(1)
    const { text = "", marks = [] } = hits[0]?.snippet ?? {}
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(["Zebra", "Café"])
    await stage.runtime.remove(elsewhere, { branches: [], txid })
    expect(await stage.runtime.search("ana", { q: "zebra", limit: 5 })).toEqual([])
  })
})
