/** What a person attached, on a page of its own: seen, opened, deleted (CMP-15). */
import type { Page } from "playwright-core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { barriers } from "./axe.ts"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectSame, expectText, roomOf } from "./room.ts"

let parlor: TestParlor
beforeEach(async () => {
  parlor = await startParlor()
})
afterEach(() => parlor.close())
const browser = useBrowser()

const PNG = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==",
    "base64",
  ),
)
const TEXT = new TextEncoder().encode("a line\n".repeat(500))

const items = (page: Page) => page.getByRole("list", { name: "Attachments" }).getByRole("listitem")
const sum = (page: Page) => page.getByRole("region", { name: "Room for attachments" }).getByRole("status")
const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name, exact: true })

/** Notes that go along with a message, and a picture that goes along with none. */
async function attachTwo(): Promise<void> {
  const { hash } = await parlor.sdk.attachments.add(TEXT, { name: "notes.txt", mediaType: "text/plain" })
  const payload = { source: "Read this", nodes: [{ kind: "attachment", start: 9, end: 9, raw: "", hash }] }
  await parlor.sdk.conversation("host").send({ type: "composer_input", payload })
  await parlor.sdk.attachments.add(PNG, { name: "cat.png", mediaType: "image/png" })
}

async function openFromPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k")
  await page.getByRole("combobox").fill("attachments")
  await page.getByRole("option", { name: /^Attachments/ }).click()
  await page.getByRole("heading", { name: "Attachments", level: 1 }).waitFor()
}

test("[CMP-15] what was attached is seen, opened and deleted, makes room at once, and messages say that it is gone", async () => {
  await attachTwo()
  const room = roomOf(await browser.page(parlor.address, { reducedMotion: "reduce" }))
  const { page } = room
  await expectText(room.mine, /Read this.*notes\.txt/)
  await openFromPalette(page)
  await expectText(items(page), /cat\.png PNG picture · \d+ B · .* notes\.txt Text · 3 KB · /)
  await expectCount(items(page), 2)
  await expectSame(sum(page), "3 KB of 1 GB taken")

  await button(page, "Show cat.png").click()
  await items(page).getByRole("img", { name: "cat.png" }).waitFor()
  const saved = page.waitForEvent("download")
  await button(page, "Save notes.txt").click()
  expect((await saved).suggestedFilename()).toBe("notes.txt")
  const light = await barriers(page)
  await page.emulateMedia({ colorScheme: "dark" })
  expect([...light, ...(await barriers(page, ["color-contrast"]))]).toEqual([])

  await button(page, "Delete notes.txt").click()
  const asked = page.getByRole("dialog", { name: "Delete notes.txt?" })
  await expectText(asked, "Messages keep its name. Its content is gone for good")
  await asked.getByRole("button", { name: "Keep it" }).click()
  await expectCount(asked, 0)
  await expectCount(items(page), 2)
  await button(page, "Delete notes.txt").click()
  await asked.getByRole("button", { name: "Delete", exact: true }).click()
  await expectCount(items(page), 1)
  await expectSame(sum(page), `${PNG.length} B of 1 GB taken`)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))
  await expect.poll(focused).toBe("Hide cat.png")
  expect(await parlor.sdk.attachments.list()).toMatchObject({
    attachments: [{ name: "cat.png" }],
    cursor: null,
    bytes: PNG.length,
  })

  browser.expectErrors(/404/)
  await page.getByRole("link", { name: "Back to host" }).click()
  await room.mine.getByRole("button", { name: /^Save notes\.txt/ }).click()
  await expectText(room.mine.getByRole("alert"), "The attachment is not there any more")
})
