import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectText, roomOf } from "./room.ts"

const config = (...names: readonly string[]): string =>
  `import { defineAgent } from "@parlor/agent"\nexport default [${names.map((name) => `defineAgent({ name: "${name}" })`)}]\n`

let parlor: TestParlor
beforeAll(async () => {
  parlor = await startParlor({ config: config("barista", "baker") })
})
afterAll(() => parlor.close())
const browser = useBrowser()

test("[CLI-1] the printed address opens the first agent of the config, also on the next visit", async () => {
  const room = roomOf(await browser.page(parlor.address), "barista")
  await room.say("say hello")
  await expectText(room.replies, "hello")
  expect((await parlor.sdk.conversation("barista").open()).messages).toHaveLength(2)
  await room.page.goto(parlor.url)
  await expectText(room.replies, "hello")
})

test("[CLI-8] a mistake in the config is shown when the person returns to the page, and goes when it is fixed", async () => {
  const { page } = roomOf(await browser.page(parlor.address))
  await page.getByRole("textbox", { name: /Message/ }).waitFor()
  const note = page.getByRole("alert").filter({ hasText: "The config was not loaded" })
  const returns = () => page.evaluate(() => window.dispatchEvent(new Event("focus")))
  const save = async (source: string, count: number) => {
    writeFileSync(join(parlor.folder, "parlor.config.ts"), source)
    await expect.poll(async () => (await parlor.sdk.config()).problems.length, { timeout: 10_000 }).toBe(count)
  }
  await save(config("barista", "Baker!"), 1)
  await returns()
  await expectText(note, /parlor\.config\.ts:2: Agent "Baker!"/)
  await save(config("barista", "brewer"), 0)
  await returns()
  await note.waitFor({ state: "detached" })
  await page.getByRole("button", { name: "New chat with another agent" }).click()
  await page.getByRole("menuitem", { name: "brewer" }).waitFor()
})
