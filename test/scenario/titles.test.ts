import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ModelFault, TITLE_INSTRUCTIONS } from "@parlor/core"
import { finish, gate, says } from "@parlor/core/testing"
import { emptyUsage } from "@parlor/protocol"
import { expect, it, onTestFinished } from "vitest"
import { address, openStage, type Stage, type StageOptions } from "./stage.ts"

const titles = true
const used = { ...emptyUsage, inputTokens: 5, outputTokens: 2 }
const status = async (stage: Stage) => (await stage.rows()).status.get("status")
const asked = (stage: Stage) => stage.model.requests.filter((one) => one.instructions === TITLE_INSTRUCTIONS).length
const eventually = <T>(get: () => T) => expect.poll(get, { timeout: 10_000, interval: 10 })

async function opened(options: StageOptions = {}): Promise<Stage> {
  const stage = await openStage({ settings: { titles }, ...options })
  onTestFinished(() => stage.close())
  return stage
}

async function exchange(stage: Stage, text: string): Promise<void> {
  await stage.send(text)
  await stage.idle()
}

it("[ADR-13] after the first exchange the model names it, once, and that is counted", async () => {
  const stage = await opened({ scripts: [says("By train."), says('Title: "A trip to Rome."', used), says("By ship.")] })
  await exchange(stage, "Can you help me to plan my trip to Rome, please?")
  await eventually(async () => (await status(stage))?.title).toBe("A trip to Rome")
  expect(await status(stage)).toMatchObject({ titledBy: "model", titleTries: 1 })
  const request = stage.model.requests.find((one) => one.instructions === TITLE_INSTRUCTIONS)
  expect(request?.settings?.maxOutputTokens).toBeLessThanOrEqual(256)
  expect(JSON.stringify(request?.messages)).toContain("By train.")
  expect((await status(stage))?.usage).toMatchObject({ inputTokens: 5, outputTokens: 2 })
  const lines = async () => (await stage.runtime.usage(address.person, 1)).lines
  await eventually(async () => (await lines()).map(({ source }) => source).sort()).toEqual(["person", "title"])
  await exchange(stage, "And back?")
  expect(asked(stage)).toBe(1)
})

it("[ADR-13] a title that a person gives is never replaced, not even while the model is asked", async () => {
  const held = gate()
  const stage = await opened({
    scripts: [says("Yes."), [held, { type: "text", text: "Generated" }, finish("stop", used)], says("Go on.")],
  })
  await exchange(stage, "Hello there")
  await eventually(() => asked(stage)).toBe(1)
  await stage.runtime.mark(address, { title: "Mine" }, stage.runtime.txid())
  held.open()
  await eventually(async () => ((await status(stage))?.usage.outputTokens ?? 0) > 0).toBe(true)
  await exchange(stage, "Go on")
  expect(await status(stage)).toMatchObject({ title: "Mine", titledBy: "person" })
  expect(asked(stage)).toBe(1)
})

it("[ADR-13] after a failure the first words stay, and the next exchange asks once more, not a third time", async () => {
  const stage = await opened({
    scripts: [says("One."), [new ModelFault("No", { transient: false })], says("Two."), says("  "), says("Three.")],
  })
  await exchange(stage, "Tell me about crabs")
  await eventually(() => asked(stage)).toBe(1)
  expect(await status(stage)).toMatchObject({ title: "Tell me about crabs", titledBy: "words" })
  await exchange(stage, "More")
  await eventually(() => asked(stage)).toBe(2)
  await exchange(stage, "Even more")
  expect(await status(stage)).toMatchObject({ title: "Tell me about crabs", titledBy: "words", titleTries: 2 })
  expect(asked(stage)).toBe(2)
})

it("[ADR-13] a process that dies while it asks leaves the first words; the second exchange names it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parlor-titles-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const before = await openStage({ folder, settings: { titles }, scripts: [says("Yes."), [gate(), finish()]] })
  await exchange(before, "Hello there")
  await eventually(() => asked(before)).toBe(1)
  await before.close()
  const after = await opened({ folder, scripts: [says("Again."), says("Two hellos")] })
  expect(await status(after)).toMatchObject({ title: "Hello there", titledBy: "words", titleTries: 1 })
  await exchange(after, "Hello again")
  await eventually(async () => (await status(after))?.title).toBe("Two hellos")
})

it("[ADR-13] it can be turned off, for the server and for an agent", async () => {
  for (const options of [{ settings: {} }, { agent: { titles: false } }]) {
    const stage = await opened(options)
    await exchange(stage, "Hello")
    await exchange(stage, "Again")
    expect(asked(stage)).toBe(0)
    expect((await status(stage))?.title).toBe("Hello")
  }
})
