/** The list of conversations in every window: its order, new chats, deletion and undo, labels. */
import type { BrowserContext, Page } from "playwright-core"
import { expect, test } from "vitest"
import { barriers } from "./axe.ts"
import { useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText, expectWritten, roomOf } from "./room.ts"
import { expectState, fill, tab } from "./tabs.ts"
import { expectTogether, type Sight } from "./together.ts"

const stage = useStage({ asking: true })
const browser = useBrowser()

test("[TAB-13] two windows and a phone have the same tabs within a second: pinned, archived, titled, unread", async () => {
  const { parlor } = stage()
  for (const name of ["main", "one", "two", "three"]) await fill(parlor, name, name, 2)
  const context = await browser.person()
  const first = await windowAt(context, parlor.address)
  const second = await windowAt(context, `${parlor.url}/#/host`)
  const phone = await browser.page(parlor.address, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await phone.getByRole("button", { name: /Open sidebar/ }).click()
  const all = [first, second, phone]
  for (const page of all) await expectOrder(page, ["three", "two", "one", "main"])

  // Browsers throttle rendering in background windows.
  await first.bringToFront()
  await expectTogether(all, ordered("one", "three", "two", "main"), () => choose(first, "one", "Pin"))
  await first.getByRole("link", { name: "two 1" }).press("F2")
  const title = first.getByRole("textbox", { name: "Title" })
  await title.fill("Number two")
  await expectTogether(all, { of: `[data-tab="host/two"]`, wanted: /Number two/ }, () => title.press("Enter"))
  await second.bringToFront()
  const told: Sight = {
    of: `[data-tab="host/three"] [data-capsule]`,
    attribute: "data-capsule",
    wanted: /\bdone\b/,
  }
  await expectTogether(all, told, () => choose(second, "three", "Mark as unread"))
  await expectTogether(all, ordered("one", "two", "main"), () => choose(second, "three", "Archive"))

  await first.bringToFront()
  await first.getByRole("button", { name: "Archived 1" }).click()
  await tab(first, "three").getByRole("link").click()
  await expectText(roomOf(first).log, "three 2")
  await expectState(first, "three", "archived")
  await phone.getByRole("link", { name: "Number two" }).click()
  await expectText(roomOf(phone).log, "two 2")
  await expect.poll(() => phone.getByRole("link", { name: "Number two" }).isVisible()).toBe(false)
})

test("[TAB-40] a new chat is one tap on a phone, from a conversation, the second time too", async () => {
  const { parlor } = stage()
  for (const name of ["main", "one"]) await fill(parlor, name, name, 2)
  const phone = await browser.page(parlor.address, { viewport: { width: 390, height: 844 }, hasTouch: true })
  const begin = phone.getByRole("button", { name: "New chat", exact: true })
  for (const name of ["main", "one"]) {
    await phone.goto(`${parlor.url}/#/host/${name}`)
    await expectText(roomOf(phone).log, `${name} 2`)
    await begin.tap()
    await phone.getByRole("heading", { name: "Chat with host" }).waitFor()
    await expectCount(begin, 0)
    expect(await barriers(phone)).toEqual([])
  }
})

test("[TAB-46] archived conversations are found in the sidebar, unarchived, and deleted with undo", async () => {
  const { parlor } = stage()
  for (const name of ["main", "one", "two"]) await fill(parlor, name, name, 2)
  for (const name of ["one", "two"]) await parlor.sdk.conversation("host", name).mark({ archived: true })
  const page = await browser.page(parlor.address)
  const section = page.getByRole("region", { name: "Archived" })
  await section.getByRole("button", { name: "Archived 2" }).click()
  await expectCount(section.getByRole("listitem"), 2)
  expect(await barriers(page)).toEqual([])
  await choose(page, "one", "Unarchive")
  await section.getByRole("button", { name: "Archived 1" }).waitFor()
  await expectOrder(page, ["one", "main"])
  await choose(page, "two", "Delete")
  await expectCount(section, 0)
  await page.getByRole("button", { name: "Undo" }).click()
  await section.getByRole("button", { name: "Archived 1" }).waitFor()
  const archived = await parlor.sdk.conversations({ archived: true })
  expect(archived.conversations.map(({ branch }) => branch)).toEqual(["two"])
})

test("[TAB-21] the list re-sorts on every device when something is said, and shows the one in front", async () => {
  const { parlor, model } = stage()
  for (let n = 1; n <= 24; n++) await fill(parlor, `c${n}`, `Conversation ${n}`, 2)
  const context = await browser.person({ viewport: { width: 1100, height: 500 } })
  const first = await windowAt(context, parlor.address)
  const second = await windowAt(context, `${parlor.url}/#/host/c1`)
  await first.goto(`${parlor.url}/#/host/c1`)
  const row = tab(first, "c1")
  await expectText(roomOf(first).log, "Conversation 1 2")
  await expectInView(first, "c1")
  await first.getByRole("button", { name: "New chat", exact: true }).click({ trial: true })
  const top = { of: OPEN_TABS, attribute: "data-tab", wanted: /^host\/c1\b/ }
  await first.bringToFront()
  await expectTogether([first, second], top, async () => {
    await roomOf(first).say("Now this one is the newest")
    await row.waitFor()
  })
  ;(await model.next()).end()
  await expectInView(first, "c1")
})

test("[TAB-20] a conversation in which nobody spoke keeps its place in the list while something is written in it", async () => {
  const { parlor } = stage()
  await fill(parlor, "beta", "Beta")
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await expectOrder(page, ["beta"])
  await room.box.fill("Not yet said")
  await expectOrder(page, ["main", "beta"])
  await tab(page, "beta").getByRole("link").click()
  await expectText(room.log, "Beta 40")
  await page.reload()
  await expectText(room.log, "Beta 40")
  await expectOrder(page, ["main", "beta"])
  await tab(page, "main").getByRole("link").click()
  await expectWritten(room, "Not yet said")
  await room.clear()
  await expectOrder(page, ["beta"])
})

test("[ADR-12, TAB-22] a new chat is on the server once something is said in it; empty ones are not listed", async () => {
  const { parlor, model } = stage()
  await fill(parlor, "main", "Main", 2)
  await parlor.sdk.conversation("host", "topic-13").make()
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await expectText(room.log, "Main 2")
  await expectOrder(page, ["main"])
  const chats = async () => (await parlor.sdk.conversations()).conversations.map(({ branch }) => branch)
  for (let times = 0; times < 3; times++) {
    await page.getByRole("button", { name: "New chat", exact: true }).click()
    await page.getByRole("heading", { name: "Chat with host" }).waitFor()
  }
  await expectText(page.getByRole("main").getByRole("heading", { level: 1 }), "New conversation")
  await expectText(room.status, "Ready")
  await page.reload()
  await page.getByRole("heading", { name: "Chat with host" }).waitFor()
  expect((await chats()).sort()).toEqual(["main", "topic-13"])
  await room.say("Plan a trip to Rome")
  const answer = await model.next()
  answer.say("By train.")
  answer.end()
  await expectText(room.replies, "By train.")
  await expect.poll(chats).toHaveLength(3)
  await expectText(page.locator(OPEN_TABS).first(), "Plan a trip to Rome")
  await room.say("And back?")
  const second = await model.next()
  second.say("By ship.")
  second.end()
  await expectText(room.replies.last(), "By ship.")
  await page.reload()
  await expectText(room.replies.last(), "By ship.")
  await page.goBack()
})

test("[ADR-10] a deleted conversation can be restored, on another device and after a reload", async () => {
  const { parlor } = stage()
  for (const name of ["main", "one", "two", "three"]) await fill(parlor, name, name, 2)
  const context = await browser.person()
  const first = await windowAt(context, parlor.address)
  const second = await windowAt(context, `${parlor.url}/#/host`)
  await expectOrder(second, ["three", "two", "one", "main"])
  await first.bringToFront()
  await expectTogether([first, second], ordered("three", "two", "main"), () => choose(first, "one", "Delete"))
  await second.reload()
  await second.bringToFront()
  await expectText(second.locator("[role=status]"), "“one 1” deleted")
  await second.getByRole("button", { name: "Undo" }).click()
  await expectText(roomOf(second).log, "one 2")
  for (const page of [first, second]) await expectOrder(page, ["three", "two", "one", "main"])

  await first.bringToFront()
  await tab(first, "two").getByRole("link").press("Delete")
  await expectOrder(first, ["three", "one", "main"])
  await expect.poll(() => focused(first)).toBe("one 1")
  await first.getByRole("button", { name: "Undo" }).click()
  await expectOrder(first, ["three", "two", "one", "main"])
})

test("[TAB-12, ADR-10] several are selected with the keyboard, deleted together and restored together", async () => {
  const { parlor } = stage()
  for (const name of ["main", "one", "two", "three"]) await fill(parlor, name, name, 2)
  const page = await browser.page(parlor.address)
  await expectOrder(page, ["three", "two", "one", "main"])
  await choose(page, "three", "Select")
  await page.getByRole("checkbox", { name: "main 1" }).press("Space")
  const bar = page.getByRole("toolbar", { name: "Selected conversations" })
  await expectText(bar, "2 selected")
  expect(await barriers(page)).toEqual([])
  await bar.getByRole("button", { name: "Delete selected" }).press("Enter")
  await expectOrder(page, ["two", "one"])
  await expectText(page.locator("[role=status]"), "2 conversations deleted")
  // The one in front was among them.
  await page.getByRole("heading", { name: "Chat with host" }).waitFor()
  await page.getByRole("button", { name: "Undo" }).press("Enter")
  await expectOrder(page, ["three", "two", "one", "main"])
})

test("[ADR-9] labels are added from the menu and filter the list", async () => {
  const { parlor } = stage()
  for (const name of ["one", "two"]) await fill(parlor, name, name, 2)
  const page = await browser.page(parlor.address)
  await choose(page, "one", "Labels…")
  const dialog = page.getByRole("dialog", { name: "Labels of “one 1”" })
  await dialog.waitFor()
  await page.keyboard.type("Rome")
  await page.keyboard.press("Enter")
  await dialog.getByRole("button", { name: "Remove Rome" }).waitFor()
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press("Escape")
  const filter = page.getByRole("group", { name: "Filter by label" }).getByRole("button", { name: "Rome" })
  await filter.click()
  await expectOrder(page, ["one"])
  await filter.click()
  await expectOrder(page, ["two", "one"])
})

test("[TAB-37] on other pages the header names the conversation, and one item of the sidebar is the current one", async () => {
  const { parlor } = stage()
  await fill(parlor, "rome", "Rome", 2)
  const page = await browser.page(`${parlor.address}`)
  await page.goto(`${parlor.url}/#files/host/rome`)
  await page.getByRole("link", { name: "Back to Rome 1" }).waitFor()
  const current = page.getByRole("navigation", { name: "Sidebar" }).locator("[aria-current]")
  await expectCount(current, 1)
  await expectText(current, "Rome 1")
  await page.keyboard.press("Alt+m")
  await page.getByRole("heading", { name: "Memory", level: 1 }).waitFor()
  await expectCount(current, 1)
  await expectText(current, "Memory")
  await page.getByRole("link", { name: "Back to Rome 1" }).click()
  await expectText(roomOf(page).log, "Rome 2")
})

async function windowAt(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  return page
}

function focused(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.textContent?.trim())
}

const OPEN_TABS = "[data-tabs] [data-tab]"

/** The branches of the tabs, from the top. */
async function expectOrder(page: Page, wanted: readonly string[]): Promise<void> {
  const rows = page.locator(OPEN_TABS)
  const order = () => rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-tab")?.split("/")[1] ?? ""))
  await expect.poll(order).toEqual(wanted)
}

function ordered(...branches: readonly string[]): Sight {
  const keys = branches.map((branch) => `host/${branch}`).join(" ")
  return { of: OPEN_TABS, attribute: "data-tab", wanted: new RegExp(`^${keys}$`) }
}

async function choose(page: Page, branch: string, item: string): Promise<void> {
  await tab(page, branch).hover()
  await tab(page, branch).getByRole("button").click()
  await page.getByRole("menuitem", { name: item }).click()
}

/** Its row is in the visible part of the list. */
async function expectInView(page: Page, branch: string): Promise<void> {
  const isInView = () =>
    tab(page, branch).evaluate((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      const list = row.closest("[data-tabs]")?.parentElement?.getBoundingClientRect()
      return list !== undefined && top >= list.top - 1 && bottom <= list.bottom + 1
    })
  await expect.poll(isInView).toBe(true)
}
