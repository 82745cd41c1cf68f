/** Sidecars: a conversation next to the one in front, independent of it (BRA-4, TAB-11). */
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { transcript, useStage } from "./parlor.ts"
import { expectCount, expectText, type Room, roomOf } from "./room.ts"

const stage = useStage()
const browser = useBrowser()

const pane = (page: Page) => page.getByRole("complementary", { name: "Side chat" })
const aside = (page: Page) => roomOf(page, "host", pane(page))

/** Sends a message and replies to it. */
async function talk(room: Room, text: string, answer: string): Promise<void> {
  await room.say(text)
  const asked = await stage().model.next()
  asked.say(answer)
  asked.end()
  await expectText(room.replies.last(), answer)
  await expectCount(room.stop, 0)
}

const message = (room: Room, text: string) => room.log.locator("article").filter({ hasText: text }).first()

test("[BRA-4, TAB-11, TAB-12] a sidecar opens beside, is closed, reopened, kept across a reload and merged", async () => {
  const room = roomOf(await browser.page(stage().parlor.address))
  const { page } = room
  await talk(room, "Bread", "About bread.")
  await message(room, "About bread.").hover()
  await message(room, "About bread.").getByRole("button", { name: "More actions for this message" }).click()
  await page.getByRole("menuitem", { name: "New side chat" }).click()
  await expectText(pane(page), "Side chat of Bread")
  await expectText(pane(page).getByRole("link"), "About bread.")
  const side = aside(page)
  await talk(side, "What is rye?", "A grain.")
  await expectCount(room.log.locator("article"), 2)
  const fork = side.log.getByRole("region", { name: "Branched from Bread here" })
  await fork.getByRole("link", { name: "Bread" }).click()
  await expect.poll(() => page.url()).toMatch(/#\/host\/main\/msg_\w+\?side=/)
  await expectText(room.log.locator("article:focus"), "About bread.")

  const separator = page.getByRole("separator", { name: "Width of the side chat" })
  const before = (await pane(page).boundingBox())?.width ?? 0
  await separator.press("ArrowLeft")
  await expect.poll(async () => (await pane(page).boundingBox())?.width ?? 0).toBeGreaterThan(before)
  const wide = Number(await separator.getAttribute("aria-valuenow"))

  await page.reload()
  await expectText(side.replies.last(), "A grain.")
  await expect.poll(async () => Number(await separator.getAttribute("aria-valuenow"))).toBe(wide)
  await pane(page).getByRole("button", { name: "Close side chat" }).click()
  await expectCount(pane(page), 0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true)

  await page.getByRole("button", { name: "Branches: 1" }).click()
  await page.getByRole("region", { name: "Side chats" }).getByRole("button").click()
  await expectText(side.replies.last(), "A grain.")
  await pane(page).getByRole("button", { name: "Merge" }).click()
  await expectCount(pane(page), 0)
  await expectText(room.log, "Added context: ")
  expect(await transcript(stage().parlor)).toHaveLength(3)
})

test("[BRA-4] a sidecar is kept as a branch, or deleted; the conversation it hung on is as it was", async () => {
  const room = roomOf(await browser.page(stage().parlor.address))
  const { page } = room
  await talk(room, "Bread", "About bread.")
  const openNewSidecar = async () => {
    await page.getByRole("button", { name: "More actions for this conversation" }).click()
    await page.getByRole("menuitem", { name: "New side chat" }).click()
    await expectText(pane(page), "Side chat of Bread")
  }
  const choose = async (name: string) => {
    await pane(page).getByRole("button", { name: "More actions for this side chat" }).click()
    await page.getByRole("menuitem", { name }).click()
  }
  await openNewSidecar()
  await choose("Delete")
  await expectCount(pane(page), 0)
  await openNewSidecar()
  await talk(aside(page), "Only here", "Kept.")
  await choose("Keep as branch")
  await expectCount(pane(page), 0)
  await expectText(room.log, /About bread\..*Only here.*Kept\./)
  expect(await stage().parlor.sdk.conversation("host").branches.list()).toMatchObject([{ ephemeral: false }])
  expect(await transcript(stage().parlor)).toHaveLength(2)
})

test("[TAB-11, TAB-30] on a phone it covers the conversation, and the menu has what the row has no room for", async () => {
  const phone = { viewport: { width: 390, height: 800 } }
  const room = roomOf(await browser.page(stage().parlor.address, phone))
  const { page } = room
  await talk(room, "Bread", "About bread.")
  await page.getByRole("button", { name: "More actions for this conversation" }).click()
  await page.getByRole("menuitem", { name: "Branches" }).click()
  await page.getByRole("dialog", { name: "Branches" }).getByRole("button", { name: "New side chat" }).click()
  await expectText(pane(page), "Side chat of Bread")
  const boxOf = async () => Object.values((await pane(page).boundingBox()) ?? {}).map(Math.round)
  await expect.poll(boxOf).toEqual([0, 0, 390, 800])
  await talk(aside(page), "And rye?", "A grain.")
  await pane(page).getByRole("button", { name: "Close side chat" }).click()
  await expectCount(pane(page), 0)
  await expectText(room.log, "About bread.")
})

test("[BRA-6] a conversation is renamed in its row, and deleted with its side chats, and restored with them", async () => {
  const room = roomOf(await browser.page(stage().parlor.address))
  const { page } = room
  const { sdk } = stage().parlor
  await talk(room, "Bread", "About bread.")
  await message(room, "About bread.").hover()
  await message(room, "About bread.").getByRole("button", { name: "More actions for this message" }).click()
  await page.getByRole("menuitem", { name: "Branch from here" }).click()
  await expect.poll(() => page.url()).toContain("#/host/about-bread")
  await sdk.conversation("host", "about-bread").files.write("a.txt", "a")
  await sdk.conversation("host", "about-bread").branches.make({ name: "deeper", ephemeral: true })
  const title = page.locator("main header h1 button")
  await title.focus()
  await title.press("F2")
  await page.getByRole("textbox", { name: "Conversation title" }).fill("Loaves")
  await page.keyboard.press("Enter")
  await expectText(title, "Loaves")
  await expect.poll(async () => (await sdk.conversation("host", "about-bread").open()).title).toBe("Loaves")
  await title.dblclick()
  await page.getByRole("textbox", { name: "Conversation title" }).fill("Other")
  await page.keyboard.press("Escape")
  await expectText(title, "Loaves")

  const more = page.getByRole("button", { name: "More actions for this conversation" })
  await more.click()
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Export" }).click(),
  ])
  expect(download.suggestedFilename()).toBe("host-about-bread.jsonl")
  await more.click()
  await page.getByRole("menuitem", { name: "Pin", exact: true }).click()
  await expect.poll(async () => (await sdk.conversation("host", "about-bread").open()).status.pinned).toBe(true)
  await more.click()
  await page.getByRole("menuitem", { name: "Delete" }).click()
  await expect.poll(() => page.url()).not.toContain("about-bread")
  await expectText(page.locator("[role=status]"), "“Loaves” deleted")
  expect(await sdk.conversation("host").branches.list()).toEqual([])
  await page.getByRole("button", { name: "Undo" }).click()
  await expect.poll(() => page.url()).toContain("about-bread")
  const there = async () => (await sdk.conversation("host", "about-bread").branches.list()).map(({ branch }) => branch)
  await expect.poll(there).toEqual(["deeper"])
})
