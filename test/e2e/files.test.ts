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

async function filesPage(): Promise<Page> {
  const page = await browser.page(parlor.address)
  await expectText(roomOf(page).status, "Ready")
  await page.getByRole("link", { name: /^Files/ }).click()
  await page.getByRole("heading", { name: "Files", exact: true }).waitFor()
  return page
}
const more = (page: Page, path: string) => page.getByRole("button", { name: `More actions for ${path}` }).click()

test("[WSP-4, TAB-12] what an agent made is in the tree, is opened by keys, edited, saved, downloaded, and put back", async () => {
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  const write = { path: "notes/plan.md", content: "# Plan\n\n- first\n" }
  await room.say(`use write_file ${JSON.stringify(write)}`)
  await expectFoundInFold(page)
  await page.getByRole("link", { name: "Files: 1" }).click()
  const tree = page.getByRole("tree", { name: "Files" })
  await expectText(page.getByRole("region", { name: "Changes by host" }), "created notes/plan.md")
  await tree.getByRole("treeitem", { name: "notes" }).focus()
  await page.keyboard.press("ArrowLeft")
  await expectCount(tree.getByRole("treeitem"), 1)
  await page.keyboard.press("ArrowRight")
  await expectCount(tree.getByRole("treeitem"), 2)
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("Enter")
  const file = page.getByRole("region", { name: "notes/plan.md" })
  await expectText(file, "1 2 3 # Plan - first")
  await page.reload()
  await file.getByRole("button", { name: "Edit" }).click()
  const box = file.getByRole("textbox", { name: "Content of notes/plan.md" })
  await box.fill("# Plan\n\n- first\n- second\n")
  await page.reload()
  await expect.poll(() => box.inputValue()).toBe("# Plan\n\n- first\n- second\n")
  await box.press("Control+s")
  await expect.poll(() => textAt("notes/plan.md")).toBe("# Plan\n\n- first\n- second\n")
  await expectText(file, "- second")
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    file.getByRole("button", { name: "Download" }).click(),
  ])
  expect(download.suggestedFilename()).toBe("plan.md")
  expect(await readFile(await download.path(), "utf8")).toBe("# Plan\n\n- first\n- second\n")
  await more(page, "notes/plan.md")
  await page.getByRole("menuitem", { name: "History" }).click()
  const history = page.getByRole("region", { name: "History of notes/plan.md" })
  await expectText(history, /you changed it.*\+- second.*host created it/)
  await history.getByRole("button", { name: "Restore previous version" }).click()
  await expect.poll(() => textAt("notes/plan.md")).toBe(write.content)
})

test("[WSP-4] what somebody else changed meanwhile is shown beside one's own, and one chooses", async () => {
  browser.expectErrors(/412/)
  await files().write("shared.txt", "one")
  const page = await filesPage()
  await page.getByRole("treeitem", { name: "shared.txt" }).click()
  const file = page.getByRole("region", { name: "shared.txt" })
  await file.getByRole("button", { name: "Edit" }).click()
  const box = file.getByRole("textbox", { name: "Content of shared.txt" })
  await box.fill("mine")
  await files().write("shared.txt", "theirs")
  await file.getByRole("button", { name: "Save" }).click()
  const choice = file.getByRole("region", { name: "Edit conflict" })
  await expectText(choice, /This file was changed while you were editing it.*Current version theirs Your version mine/)
  expect(await textAt("shared.txt")).toBe("theirs")
  await choice.getByRole("button", { name: "Save my version" }).click()
  await expect.poll(() => textAt("shared.txt")).toBe("mine")
})

test("[WSP-4] people make, upload, move and delete files, see pictures, and are told what cannot be", async () => {
  // 404: the list may still name a file that has just been moved.
  browser.expectErrors(/422/, /409/, /404/)
  const page = await filesPage()
  const dialog = page.getByRole("dialog")
  await page.getByRole("button", { name: "New file" }).click()
  await dialog.getByRole("textbox", { name: "Path" }).fill("con")
  await dialog.getByRole("button", { name: "Create" }).click()
  await expectText(dialog, "the name of a device")
  await dialog.getByRole("textbox", { name: "Path" }).fill("made/here.txt")
  await dialog.getByRole("button", { name: "Create" }).click()
  await expectText(page.getByRole("region", { name: "made/here.txt" }), "This file is empty")
  await more(page, "made/here.txt")
  await page.getByRole("menuitem", { name: "Rename or move" }).click()
  await dialog.getByRole("textbox", { name: "Path" }).fill("moved/there.txt")
  await dialog.getByRole("button", { name: "Move" }).click()
  // It has been read: a read after the deletion below would be refused.
  await expectText(page.getByRole("region", { name: "moved/there.txt" }), "This file is empty")
  await expect(files().read("made/here.txt")).rejects.toMatchObject({ code: "file.unknown" })
  await more(page, "moved/there.txt")
  await page.getByRole("menuitem", { name: "Delete" }).click()
  await dialog.getByRole("button", { name: "Delete" }).click()
  await expectCount(page.getByRole("treeitem", { name: "there.txt" }), 0)
  await page.getByRole("button", { name: "Restore" }).first().click()
  await page.getByRole("region", { name: "moved/there.txt" }).waitFor()

  await page
    .getByLabel("Files to upload")
    .setInputFiles([{ name: "dot.png", mimeType: "image/png", buffer: Buffer.from(DOT, "base64") }])
  const picture = page.getByRole("region", { name: "dot.png" }).getByRole("img")
  await expect.poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(1)
  await page
    .getByLabel("Files to upload")
    .setInputFiles([{ name: "dot.png", mimeType: "image/png", buffer: Buffer.from("other") }])
  await expectText(page.getByRole("region", { name: "Uploads" }), "Already there: dot.png")
  await page.getByRole("button", { name: "Replace it" }).click()
  await expect.poll(() => textAt("dot.png")).toBe("other")
  await drop(page, "dragover", "dropped.txt")
  await page.getByText("Drop to upload").waitFor()
  await drop(page, "drop", "dropped.txt")
  await expectText(page.getByRole("region", { name: "dropped.txt" }), "text of dropped.txt")
  await expectCount(page.getByText("Drop to upload"), 0)
})

/** [TAB-35] Tool output is collapsed: jumping to a match expands it, moving on collapses it again, the last stays open. */
async function expectFoundInFold(page: Page): Promise<void> {
  const unfolded = page.locator("details[open]")
  await expectText(roomOf(page).replies.last(), '"bytes": 16')
  await expectText(roomOf(page).status, "Ready")
  await page.keyboard.press("Control+f")
  const bar = page.getByRole("search", { name: "Find in this conversation" })
  const field = bar.getByRole("textbox")
  await field.fill("bytes")
  await expectText(bar.getByRole("status"), "2 of 2")
  await expectCount(unfolded, 0)
  await field.press("Shift+Enter")
  await expectText(bar.getByRole("status"), "1 of 2")
  await expectText(unfolded, '"bytes": 16')
  const isMarked = () =>
    page.evaluate(() => {
      const [range] = (CSS.highlights.get("found-now") ?? []) as unknown as Iterable<Range>
      return `${range}` === "bytes" && range?.startContainer.parentElement?.closest("details") !== null
    })
  await expect.poll(isMarked).toBe(true)
  await field.press("Enter")
  await expectText(bar.getByRole("status"), "2 of 2")
  await expectCount(unfolded, 0)
  await field.press("Enter")
  await expectText(bar.getByRole("status"), "1 of 2")
  await field.press("Escape")
  await expectCount(bar, 0)
  await expectCount(unfolded, 1)
}

function drop(page: Page, kind: "dragover" | "drop", name: string): Promise<void> {
  return page.getByRole("navigation", { name: "Tree" }).evaluate(
    (tree, given) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([`text of ${given.name}`], given.name))
      tree.dispatchEvent(new DragEvent(given.kind, { bubbles: true, cancelable: true, dataTransfer }))
    },
    { kind, name },
  )
}

const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
