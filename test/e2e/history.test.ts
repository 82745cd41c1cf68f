import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectText, type Room, roomOf } from "./room.ts"

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
  await expectInView(said(room, IMPORTED))
  for (let first = IMPORTED - OPENED_WITH + 1; first > 1; ) {
    await lookUp(room, first)
    await expectText(room.log, `${first - 1} more above`)
    const before = await settledTop(said(room, first))
    await older(room).click()
    const next = Math.max(1, first - OLDER_PAGE)
    await expectText(room.log, next === 1 ? /^(?!.*more above)/ : `${next - 1} more above`)
    // The button disappears with the last page; the content below it must not jump by its height.
    expect(Math.abs((await settledTop(said(room, first))) - before)).toBeLessThanOrEqual(1)
    first = next
  }
  await expectCount(older(room), 0)
  await room.page.mouse.move(600, 300)
  await room.page.mouse.wheel(0, -100_000)
  await expectInView(said(room, 1))
})

test("[TAB-7] new text keeps the newest in view, but does not pull away a person who reads further up", async () => {
  const room = await open()
  await room.say("count to 40")
  await expectText(room.replies.last(), "39, 40.")
  await expectInView(room.replies.last())
  await wheelUp(room.page)
  const jump = room.page.getByRole("button", { name: "Jump to newest" })
  await jump.waitFor()
  const read = said(room, IMPORTED - 5)
  const before = await settledTop(read)
  await parlor.sdk.conversation("host").send("count to 50")
  await expectText(room.page.getByRole("button", { name: "Jump to newest, 2 new messages" }), "2 new messages")
  await expectText(room.status, "Ready")
  expect(Math.abs((await settledTop(read)) - before)).toBeLessThanOrEqual(1)
  await jump.click()
  await expectText(room.replies.last(), "49, 50.")
  await expectInView(room.replies.last())
  await expectCount(jump, 0)
})

/** One of the imported messages. */
function said(room: Room, number: number): Locator {
  return room.log.locator("article").filter({ hasText: new RegExp(`Message number ${number}\\.`) })
}

async function open(): Promise<Room> {
  const room = roomOf(await browser.page(parlor.address, { viewport: { width: 1100, height: VIEW_HEIGHT } }))
  await expectText(room.status, "Ready")
  return room
}

function older(room: Room): Locator {
  return room.page.getByRole("button", { name: "Load older messages" })
}

/** Scrolls up to the oldest message. A page that is still in layout may jump back to the newest once. */
async function lookUp(room: Room, oldest: number): Promise<void> {
  const tried = async () => {
    await older(room).scrollIntoViewIfNeeded()
    return said(room, oldest).count()
  }
  await expect.poll(tried).toBe(1)
}

async function wheelUp(page: Page): Promise<void> {
  await page.mouse.move(600, 300)
  await page.mouse.wheel(0, -900)
}

/** Its position once it has been stable for half a second: what a wheel began may go on after a pause. */
async function settledTop(where: Locator): Promise<number> {
  return where.evaluate(async (element) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    let [top, still] = [Number.NaN, 0]
    while (still < 30) {
      await frame()
      const now = element.getBoundingClientRect().top
      still = now === top ? still + 1 : 0
      top = now
    }
    return top
  })
}

/** Whether its end is visible. */
async function expectInView(where: Locator): Promise<void> {
  const endOf = async () => {
    const box = await where.boundingBox()
    return box === null ? Number.NaN : box.y + box.height
  }
  await expect.poll(async () => (await endOf()) > 0 && (await endOf()) <= VIEW_HEIGHT).toBe(true)
}
