import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectText, type Room, roomOf, textIn } from "./room.ts"

const IMPORTED = 200
const OPENED_WITH = 30
const OLDER_PAGE = 50
const VIEW_HEIGHT = 760

let parlor: TestParlor
beforeAll(async () => {
  parlor = await startParlor()
  const lines = Array.from({ length: IMPORTED }, (_, index) => {
    const text = `Message number ${index + 1}.\n\n${"Some more words. ".repeat(index % 7)}`
    return JSON.stringify({ role: index % 2 === 0 ? "person" : "agent", text })
  })
  await parlor.sdk.importLines("host", "main", lines.join("\n"))
})
afterAll(() => parlor.close())
const browser = useBrowser()

test("[TAB-2, LOG-9] a long conversation opens with its newest messages, and older ones come by page", async () => {
  const room = await open()
  const articles = room.log.getByRole("article")
  await expectCount(articles, OPENED_WITH)
  await expectInView(articles.last())
  for (let shown = OPENED_WITH; shown < IMPORTED; ) {
    const first = articles.first()
    const text = await textIn(first)
    await older(room).scrollIntoViewIfNeeded()
    const before = await topOf(first)
    await older(room).click()
    shown = Math.min(IMPORTED, shown + OLDER_PAGE)
    await expectCount(articles, shown)
    const same = articles.nth(shown === IMPORTED ? (IMPORTED - OPENED_WITH) % OLDER_PAGE || OLDER_PAGE : OLDER_PAGE)
    expect(await textIn(same)).toBe(text)
    // The button goes away with the last page, and what stood below it must not jump by its height.
    await expect.poll(async () => Math.abs((await topOf(same)) - before), { timeout: 3_000 }).toBeLessThanOrEqual(2)
  }
  await expectCount(older(room), 0)
  await expectText(articles.first(), "Message number 1.")
})

test("[TAB-7] new text keeps the newest in view, but does not pull away a person who reads further up", async () => {
  const room = await open()
  const articles = room.log.getByRole("article")
  await expectCount(articles, OPENED_WITH)
  await room.say("count to 40")
  await expectText(articles.last(), "39, 40.")
  await expectInView(articles.last())
  await wheelUp(room.page)
  const jump = room.page.getByRole("button", { name: "Jump to newest" })
  await jump.waitFor()
  const read = articles.nth(20)
  const before = await topOf(read)
  await room.say("count to 50")
  await expectText(articles.last(), "49, 50.")
  expect(Math.abs((await topOf(read)) - before)).toBeLessThanOrEqual(2)
  await jump.click()
  await expectInView(articles.last())
  await expectCount(jump, 0)
})

async function open(): Promise<Room> {
  const room = roomOf(await browser.page(parlor.address, { viewport: { width: 1100, height: VIEW_HEIGHT } }))
  await expectText(room.status, "Ready")
  return room
}

function older(room: Room): Locator {
  return room.page.getByRole("button", { name: "Load older messages" })
}

async function wheelUp(page: Page): Promise<void> {
  await page.mouse.move(600, 300)
  await page.mouse.wheel(0, -900)
}

async function topOf(where: Locator): Promise<number> {
  return (await where.boundingBox())?.y ?? Number.NaN
}

/** Its end is on the screen. */
async function expectInView(where: Locator): Promise<void> {
  const endOf = async () => {
    const box = await where.boundingBox()
    return box === null ? Number.NaN : box.y + box.height
  }
  await expect.poll(async () => (await endOf()) > 0 && (await endOf()) <= VIEW_HEIGHT).toBe(true)
}
