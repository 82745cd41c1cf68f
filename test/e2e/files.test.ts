/** The files of a conversation, as people see and change them in the page. */
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"

const browser = useBrowser()
let parlor: TestParlor
beforeAll(async () => {
  parlor = await startParlor()
})
afterAll(() => parlor.close())

const files = () => parlor.sdk.conversation("host").files
const textAt = async (path: string) => new TextDecoder().decode((await files().read(path)).bytes)

async function desk(): Promise<{ page: Page; open(): Promise<void> }> {
  const page = await browser.page(parlor.address)
  await expectText(roomOf(page).status, "Ready")
  return { page, open: () => page.getByRole("button", { name: /^Files/ }).click() }
}

test("[WSP-4] what an agent made is in the tree, is opened, edited, saved and downloaded", async () => {
  const { page, open } = await desk()
  const write = { path: "notes/plan.md", content: "# Plan\n\n- first\n" }
  await roomOf(page).say(`use write_file ${JSON.stringify(write)}`)
  await expectText(page.getByRole("button", { name: /^Files/ }), "Files 1")
  await open()
  const dialog = page.getByRole("dialog", { name: "Files of host" })
  await expectText(dialog.getByRole("list", { name: "Files" }), "notes plan.md")
  await dialog.getByRole("button", { name: "plan.md" }).click()
  const box = dialog.getByRole("textbox", { name: "Content of notes/plan.md" })
  await expect.poll(() => box.inputValue()).toBe(write.content)
  await box.fill("# Plan\n\n- first\n- second\n")
  await dialog.getByRole("button", { name: "Save" }).click()
  await expect.poll(() => textAt("notes/plan.md")).toBe("# Plan\n\n- first\n- second\n")
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download" }).click(),
  ])
  expect(download.suggestedFilename()).toBe("plan.md")
  expect(await readFile(await download.path(), "utf8")).toBe("# Plan\n\n- first\n- second\n")
  await dialog.getByRole("button", { name: "Changes" }).click()
  const mine = dialog.getByRole("region", { name: "Changes by you" })
  await expectText(mine, "changed notes/plan.md")
  await expectText(mine, "+- second")
  await expectText(dialog.getByRole("region", { name: "Changes by host" }), "made notes/plan.md")
})

test("[WSP-4] what somebody else changed meanwhile is not overwritten unasked", async () => {
  browser.expectErrors(/412/)
  await files().write("shared.txt", "one")
  const { page, open } = await desk()
  await open()
  const dialog = page.getByRole("dialog", { name: "Files of host" })
  await dialog.getByRole("button", { name: "shared.txt" }).click()
  const box = dialog.getByRole("textbox", { name: "Content of shared.txt" })
  await expect.poll(() => box.inputValue()).toBe("one")
  await files().write("shared.txt", "theirs")
  await box.fill("mine")
  await dialog.getByRole("button", { name: "Save" }).click()
  await expectText(dialog.getByRole("alert"), "It was changed meanwhile")
  expect(await textAt("shared.txt")).toBe("theirs")
  await dialog.getByRole("button", { name: "Save mine instead" }).click()
  await expect.poll(() => textAt("shared.txt")).toBe("mine")
})

test("[WSP-4] people make and delete files, and are told what cannot be made", async () => {
  browser.expectErrors(/422/)
  const { page, open } = await desk()
  await open()
  const dialog = page.getByRole("dialog", { name: "Files of host" })
  await dialog.getByRole("textbox", { name: "New file" }).fill("con")
  await dialog.getByRole("button", { name: "Make" }).click()
  await expectText(dialog.getByRole("alert"), "the name of a device")
  await dialog.getByRole("textbox", { name: "New file" }).fill("made/here.txt")
  await dialog.getByRole("button", { name: "Make" }).click()
  await dialog.getByRole("textbox", { name: "Content of made/here.txt" }).waitFor()
  await dialog.getByRole("button", { name: "Delete" }).click()
  await expectCount(dialog.getByRole("button", { name: "here.txt" }), 0)
  await expect(files().read("made/here.txt")).rejects.toMatchObject({ code: "file.unknown" })
})
