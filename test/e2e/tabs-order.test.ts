/** The set and order of tabs in every window; moving, closing and reopening them. */
import type { BrowserContext, Locator, Page } from "playwright-core"
import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectText, expectWritten, roomOf } from "./room.ts"
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

test("[TAB-12, TAB-13, TAB-21] tabs are moved by dragging and by keys, closed and reopened, in every window of the browser", async () => {
  const { parlor } = stage()
  for (const name of ["main", "one", "two", "three"]) await fill(parlor, name, name, 2)
  const context = await browser.person()
  const first = await windowAt(context, parlor.address)
  const second = await windowAt(context, `${parlor.url}/#/host`)
  const both = (wanted: readonly string[], act: () => Promise<void>) =>
    expectTogether([first, second], ordered(...wanted), act)
  await expectText(roomOf(first).log, "main 2")
  for (const page of [first, second]) await expectOrder(page, ["three", "two", "one", "main"])
  await first.bringToFront()
  const two = first.getByRole("link", { name: "two 1" })
  await both(["two", "three", "one", "main"], () => two.press("Alt+ArrowUp"))
  await expectText(first.locator("[role=status]"), "Moved two 1 to 1 of 4")
  await expect.poll(() => focused(first)).toBe("two 1, host")
  await both(["one", "two", "three", "main"], () => drag(first, "one", "two"))
  expect(first.url()).toBe(`${parlor.url}/`)

  await both(["one", "three", "main"], () => two.press("Delete"))
  await expect.poll(() => focused(first)).toBe("three 1, host")
  const reopen = first.getByRole("button", { name: "Reopen closed tab" })
  await both(["one", "two", "three", "main"], () => reopen.click())
  await expectText(roomOf(first).log, "two 2")
  await both(["one", "three", "main"], () => first.keyboard.press("Alt+w"))
  await expectText(roomOf(first).log, "three 2")
  await first.keyboard.press("Alt+Shift+T")
  await expectText(roomOf(first).log, "two 2")
  await first.reload()
  await expectOrder(first, ["one", "two", "three", "main"])
})

test("[TAB-21] a tab that is let go before its last move was drawn lands where it was let go", async () => {
  const { parlor } = stage()
  for (const name of ["main", "one", "two", "three"]) await fill(parlor, name, name, 2)
  const page = await browser.page(parlor.address)
  await expectText(roomOf(page).log, "main 2")
  await expectOrder(page, ["three", "two", "one", "main"])

  await takeUp(page, "main")
  const drawn = await boxOf(page, "one")
  await page.mouse.move(drawn.x + 60, drawn.y + 4, { steps: 3 })
  await expectOrder(page, ["three", "two", "main", "one"])
  await letGoAtOnce(page, "main", "three")
  await expectOrder(page, ["main", "three", "two", "one"])

  await takeUp(page, "one")
  await letGoAtOnce(page, "one", "three")
  const settled = ["main", "one", "three", "two"]
  await expectOrder(page, settled)
  expect(page.url()).toBe(`${parlor.url}/`)
  await page.reload()
  await expectOrder(page, settled)
})

test("[TAB-20] a conversation in which nobody spoke keeps its tab while something is written in it", async () => {
  const { parlor } = stage()
  await fill(parlor, "beta", "Beta")
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await expectOrder(page, ["main", "beta"])
  await room.box.fill("Not yet said")
  await tab(page, "beta").getByRole("link").click()
  await expectText(room.log, "Beta 40")
  await expectOrder(page, ["main", "beta"])
  await page.reload()
  await expectText(room.log, "Beta 40")
  await expectOrder(page, ["main", "beta"])
  await tab(page, "main").getByRole("link").click()
  await expectWritten(room, "Not yet said")
  await room.box.fill("")
  await tab(page, "beta").getByRole("link").click()
  await expectOrder(page, ["beta"])
})

async function windowAt(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  return page
}

function focused(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute("aria-label"))
}

type Box = NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>

const OPEN_TABS = 'ul[aria-label="Tabs"] > [data-tab]'

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

async function drag(page: Page, from: string, to: string): Promise<void> {
  const end = await boxOf(page, to)
  await takeUp(page, from)
  await page.mouse.move(end.x + 60, end.y + end.height / 2, { steps: 6 })
  await page.mouse.move(end.x + 60, end.y + 4, { steps: 3 })
  // It is dropped at its visible position.
  await expect.poll(async () => (await tab(page, from).boundingBox())?.y).toBeCloseTo(end.y, 0)
  await page.mouse.up()
}

async function takeUp(page: Page, branch: string): Promise<void> {
  const { x, y, height } = await boxOf(page, branch)
  await page.mouse.move(x + 60, y + height / 2)
  await page.mouse.down()
}

/** Drags the tab to the top of another and drops it in the same task, without a frame in between. */
async function letGoAtOnce(page: Page, branch: string, to: string): Promise<void> {
  const { x, y } = await boxOf(page, to)
  await tab(page, branch)
    .getByRole("link")
    .evaluate(
      (grip, { clientX, clientY }) => {
        const mouse = { pointerId: 1, pointerType: "mouse", bubbles: true, clientX, clientY }
        grip.dispatchEvent(new PointerEvent("pointermove", { ...mouse, buttons: 1 }))
        grip.dispatchEvent(new PointerEvent("pointerup", mouse))
      },
      { clientX: x + 60, clientY: y + 4 },
    )
  await page.mouse.up()
}

async function boxOf(page: Page, branch: string): Promise<Box> {
  const box = await tab(page, branch).boundingBox()
  if (box === null) throw new Error(`there is no tab of ${branch}`)
  return box
}
