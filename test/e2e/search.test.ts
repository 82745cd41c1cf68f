/** Search, and opening a result (CPT-8). */
import { afterAll, beforeAll, expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor, textOf } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"

const IMPORTED = 600

const browser = useBrowser()
let parlor: TestParlor
beforeAll(async () => {
  parlor = await startParlor()
  const lines = Array.from({ length: IMPORTED }, (_, index) => {
    const text = index === 40 ? "The heron stands in the reeds." : `Message number ${index + 1}.`
    return JSON.stringify({ role: index % 2 === 0 ? "person" : "agent", text })
  })
  await parlor.sdk.importLines("host", "main", lines.join("\n"))
  await parlor.sdk.memory.write("user", "birds", { description: "Likes herons", type: "user", body: "Any heron." })
})
afterAll(() => parlor.close())

test("[CPT-8, TAB-12] words find messages and memories; a hit opens the very message, however far back", async () => {
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await expectText(room.status, "Ready")
  await page.getByRole("button", { name: "More actions for this conversation" }).click()
  await page.getByRole("menuitem", { name: "Find" }).click()
  const box = page.getByRole("searchbox", { name: "Search all conversations and memories" })
  await box.fill("HERON")
  await expectText(page.getByRole("main"), /heron stands in the reeds.*birds|birds.*heron stands in the reeds/)
  await expectText(page.locator("mark").first(), /heron/i)
  await page.getByText("Messages", { exact: true }).click()
  await expectCount(page.locator("[data-hit]"), 1)
  await page.reload()
  await expect.poll(() => box.inputValue()).toBe("HERON")
  await expectCount(page.locator("[data-hit]"), 2)
  await page.getByText("Messages", { exact: true }).click()
  await expectCount(page.locator("[data-hit]"), 1)
  await box.focus()
  await box.press("ArrowDown")
  await page.keyboard.press("ArrowUp")
  await expect.poll(() => box.evaluate((input) => input === document.activeElement)).toBe(true)
  await box.press("ArrowDown")
  await page.keyboard.press("Enter")
  const found = room.log.locator("article").filter({ hasText: "The heron stands" })
  await expectCount(found, 1)
  await expect
    .poll(async () => {
      const place = await found.boundingBox()
      return place !== null && place.y > 0 && place.y < 760
    })
    .toBe(true)
  await expect.poll(() => found.evaluate((article) => article === document.activeElement)).toBe(true)
  await page.goBack()
  await expectCount(page.locator("[data-hit]"), 2)
  await box.fill("nobody said this")
  await expectText(page.getByRole("main"), "No results")
})

test("[CPT-6] chapters: nothing yet, one made now, its messages gone to, and undone", async () => {
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await expectText(room.status, "Ready")
  await page.goto(`${parlor.url}/#chapters/host`)
  await expectText(page.getByRole("main"), "No chapters yet")
  await page.getByRole("button", { name: "Compact now" }).click()
  const chapter = page.getByRole("list", { name: "Chapters" }).getByRole("article")
  await expectText(chapter, /messages · .*tokens/)
  await chapter.getByRole("link", { name: "Go to messages" }).click()
  const host = parlor.sdk.conversation("host")
  const [archive] = await host.archives.list()
  const first = (await host.open({ messages: IMPORTED })).messages.find(({ id }) => id === archive?.from)
  await expectText(room.log.locator("article:focus"), first === undefined ? "a message" : textOf(first))
  await page.goBack()
  await chapter.getByRole("button", { name: "Undo" }).click()
  await expectText(chapter, "undone")
  expect(await parlor.sdk.conversation("host").archives.list()).toMatchObject([{ ended: expect.any(Number) }])
})
