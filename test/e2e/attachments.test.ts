/** The attachments page: list, open, delete; and a draft whose attachment was deleted (CMP-15). */
import { limits } from "@parlor/protocol"
import type { Page } from "playwright-core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { barriers } from "./axe.ts"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectSame, expectText, expectWritten, roomOf, textIn } from "./room.ts"

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
const AT_ONCE = 16
const TEXT = new TextEncoder().encode("a line\n".repeat(500))

const items = (page: Page) => page.getByRole("list", { name: "Attachments" }).getByRole("listitem")
const sum = (page: Page) => page.getByRole("region", { name: "Attachment storage" }).getByRole("status")
const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name, exact: true })

/** Notes attached to a message, and an image attached to none. */
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
  await expectText(items(page), /cat\.png PNG image · \d+ B · .* notes\.txt Text · 3 KB · /)
  await expectCount(items(page), 2)
  await expectSame(sum(page), "3 KB of 1 GB used")

  await button(page, "Show cat.png").click()
  await items(page).getByRole("img", { name: "cat.png" }).waitFor()
  const saved = page.waitForEvent("download")
  await button(page, "Download notes.txt").click()
  expect((await saved).suggestedFilename()).toBe("notes.txt")
  const light = await barriers(page)
  await page.emulateMedia({ colorScheme: "dark" })
  expect([...light, ...(await barriers(page, ["color-contrast"]))]).toEqual([])

  await button(page, "Delete notes.txt").click()
  const asked = page.getByRole("dialog", { name: "Delete notes.txt?" })
  await expectText(asked, "Messages still show its name")
  await asked.getByRole("button", { name: "Cancel" }).click()
  await expectCount(asked, 0)
  await expectCount(items(page), 2)
  await button(page, "Delete notes.txt").click()
  await asked.getByRole("button", { name: "Delete", exact: true }).click()
  await expectCount(items(page), 1)
  await expectSame(sum(page), `${PNG.length} B of 1 GB used`)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))
  await expect.poll(focused).toBe("Hide cat.png")
  expect(await parlor.sdk.attachments.list()).toMatchObject({
    attachments: [{ name: "cat.png" }],
    cursor: null,
    bytes: PNG.length,
  })

  browser.expectErrors(/404/)
  await page.getByRole("link", { name: /^Back to/ }).click()
  await room.mine.getByRole("button", { name: /^Download notes\.txt/ }).click()
  await expectText(room.mine.getByRole("alert"), "This attachment no longer exists")
})

test("[CMP-15] more than one page of attachments: the rest is loaded on request, with the focus, and stays after a deletion", async () => {
  const names = await attachMany(limits.listAttachmentsDefault + 3)
  const page = await browser.page(parlor.address)
  await roomOf(page).box.waitFor()
  await openFromPalette(page)
  const shown = async () => (await items(page).allInnerTexts()).map((text) => text.split("\n")[0] ?? "")
  const more = button(page, "Load more")
  await expectCount(items(page), limits.listAttachmentsDefault + 1)
  const first = (await shown()).slice(0, -1)
  expect((await shown()).at(-1)).toBe("Load more")
  expect(new Set(first).size).toBe(limits.listAttachmentsDefault)

  await more.press("Enter")
  await expectCount(items(page), names.length)
  await expectCount(more, 0)
  const all = await shown()
  expect(all.slice(0, first.length)).toEqual(first)
  expect(all.toSorted()).toEqual(names.toSorted())
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))
  await expect.poll(focused).toBe(`Download ${all[first.length]}`)

  await button(page, `Delete ${all[0]}`).click()
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click()
  await expect.poll(shown).toEqual(all.slice(1))
  await expectCount(more, 0)
})

test("[CMP-15, TAB-10] a draft with an attachment that was deleted meanwhile: refused by its name, kept, sent without it", async () => {
  const room = roomOf(await browser.page(parlor.address))
  await expectText(room.status, "Ready")
  const tray = room.page.getByRole("list", { name: "Attachments" })
  const files = [
    { name: "cat.png", mimeType: "image/png", buffer: Buffer.from(PNG) },
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from(TEXT) },
  ]
  await room.box.fill("Read what is left, @critic")
  await room.page.locator('input[type="file"]').setInputFiles(files)
  await expectText(tray, /cat\.png \d+ B.*notes\.txt 3 KB|notes\.txt 3 KB.*cat\.png \d+ B/)
  const { attachments } = await parlor.sdk.attachments.list()
  for (const { hash, name } of attachments) if (name === "notes.txt") await parlor.sdk.attachments.delete(hash)

  browser.expectErrors(/404/)
  await room.box.press("Enter")
  await expectSame(
    room.page.getByRole("alert"),
    "An attachment no longer exists. notes.txt was deleted. Remove it or attach it again, then send.",
  )
  await expectWritten(room, "Read what is left, @critic")
  await expectCount(tray.getByRole("listitem"), 2)
  await expectCount(room.mine, 0)

  await tray.getByRole("button", { name: "Remove notes.txt" }).click()
  await expectText(tray, /^cat\.png \d+ B$/)
  await room.box.press("Enter")
  await expectText(room.mine, /Read what is left, @critic.*cat\.png/)
  expect(await textIn(room.mine)).not.toContain("notes.txt")
  await expectCount(room.page.getByRole("alert"), 0)
  await expectWritten(room, "")
  await expectCount(tray, 0)
})

/** Uploads one-line text files, a few at a time. Returns their names. */
async function attachMany(count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, index) => `note-${index}.txt`)
  const add = (name: string) =>
    parlor.sdk.attachments.add(new TextEncoder().encode(`This is ${name}`), { name, mediaType: "text/plain" })
  for (let from = 0; from < count; from += AT_ONCE) await Promise.all(names.slice(from, from + AT_ONCE).map(add))
  return names
}
