/** [MSG-21] Pictures that tools return, on the page. */
import { afterEach, beforeEach, expect, test } from "vitest"
import { barriers } from "./axe.ts"
import { useBrowser } from "./browser.ts"
import { type SteeredModel, startSteeredModel } from "./model.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"

/** 2 × 1 pixels. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8DwHwyBNBgAAEnICfdn8ptYAAAAAElFTkSuQmCC"

const CONFIG = `
import { defineAgent, defineConfig, defineTool } from "@parlor/agent"
import { z } from "zod"

const shoot = defineTool({
  name: "take_screenshot",
  description: "Takes a screenshot.",
  input: z.object({}),
  run: async () => ({ content: [{ type: "image", data: "${PNG}", mimeType: "image/png" }] }),
})
export default defineConfig({ agents: [defineAgent({ name: "host", tools: [shoot] })] })
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
  "[MSG-21] a picture that a tool returned is shown below its row, and opens enlarged: %s, %i px",
  async (colorScheme, width, height) => {
    const page = await browser.page(parlor.address, {
      colorScheme,
      viewport: { width, height },
      reducedMotion: "reduce",
    })
    const room = roomOf(page)
    const asking = model.next()
    await room.say("Show me")
    ;(await asking).call("take_screenshot", {})
    const answer = await model.next()
    answer.say("There it is.")
    answer.end()
    await expectText(room.replies.last(), "There it is.")
    const small = page.getByRole("button", { name: "Enlarge Picture 1 of take_screenshot" })
    const wide = () => small.locator("img").evaluate((img) => (img as HTMLImageElement).naturalWidth)
    await expect.poll(wide).toBe(2)
    expect(await barriers(page)).toEqual([])
    // The output of the tool has a note instead of the base64 text.
    await room.log.locator("summary").filter({ hasText: "take_screenshot" }).click()
    await expectText(room.log, "The person sees this picture")
    expect(await room.log.textContent()).not.toContain(PNG)
    await small.click()
    const large = page.getByRole("dialog", { name: "Picture 1 of take_screenshot" })
    await large.locator("img").waitFor()
    await page.keyboard.press("Escape")
    await expectCount(large, 0)
    await page.reload()
    await expect.poll(wide).toBe(2)
  },
)
