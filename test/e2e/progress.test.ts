/** [MSG-20] What a running tool reports, on the page. */
import { afterEach, beforeEach, expect, test } from "vitest"
import { barriers } from "./axe.ts"
import { useBrowser } from "./browser.ts"
import { type SteeredModel, startSteeredModel } from "./model.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"

const CONFIG = `
import { defineAgent, defineConfig, defineTool } from "@parlor/agent"
import { existsSync } from "node:fs"
import { z } from "zod"

const copy = defineTool({
  name: "copy_photos",
  description: "Copies photos.",
  input: z.object({ until: z.string() }),
  run: async ({ until }, { progress, signal }) => {
    progress({ text: "Copying 12 of 40", done: 12, total: 40 })
    while (!existsSync(until) && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 50))
    return "Copied 40."
  },
})
export default defineConfig({ agents: [defineAgent({ name: "host", tools: [copy] })] })
`

let model: SteeredModel
let parlor: TestParlor
beforeEach(async () => {
  model = await startSteeredModel()
  parlor = await startParlor({ model, config: CONFIG })
})
afterEach(async () => {
  await parlor.close()
  await model.close()
})
const browser = useBrowser()

test.each([
  ["light", 1440, 900],
  ["dark", 390, 844],
] as const)(
  "[MSG-20] a running tool shows its progress and how long it takes: %s, %i px",
  async (colorScheme, width, height) => {
    const { writeFileSync } = await import("node:fs")
    const until = `${parlor.folder}/go`
    const page = await browser.page(parlor.address, {
      colorScheme,
      viewport: { width, height },
      reducedMotion: "reduce",
    })
    const room = roomOf(page)
    const asking = model.next()
    await room.say("Copy them")
    ;(await asking).call("copy_photos", { until })
    const row = room.log.locator("details").filter({ hasText: "Copying 12 of 40" })
    await expectText(row, /Copying 12 of 40.* [2-9] s/)
    expect(await row.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("30")
    expect(await barriers(page)).toEqual([])
    const after = model.next()
    writeFileSync(until, "")
    const answer = await after
    answer.say("All there.")
    answer.end()
    await expectText(room.replies.last(), "All there.")
    await expectCount(page.getByRole("progressbar"), 0)
  },
)
