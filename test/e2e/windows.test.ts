/** Many windows of one browser. */
import { afterAll, beforeAll, expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { type SteeredModel, startSteeredModel } from "./model.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectText, type Room, roomOf } from "./room.ts"

/** Each has two streams: more than the six connections that a browser opens to one server. */
const WINDOWS = 6

let model: SteeredModel
let parlor: TestParlor
beforeAll(async () => {
  model = await startSteeredModel()
  parlor = await startParlor({ model })
})
afterAll(async () => {
  await parlor.close()
  await model.close()
})
const browser = useBrowser()

async function answered(room: Room, text: string): Promise<void> {
  await room.say(text)
  const answer = await model.next(text)
  answer.say(`Yes, ${text}`)
  answer.end()
  await expectText(room.replies.last(), `Yes, ${text}`)
  await expectText(room.status, "Ready")
}

/** The first conversation of the list. */
function newestIn(room: Room): Promise<string | null> {
  return room.page.locator("[data-tab]").first().getAttribute("data-tab")
}

test("[TAB-50] six windows of one browser all work, and each sees what happens in the others", async () => {
  const context = await browser.person()
  const rooms: Room[] = []
  for (let n = 0; n < WINDOWS; n++) {
    await parlor.sdk.conversation("host", `window-${n}`).make()
    const page = await context.newPage()
    await page.goto(`${parlor.address}`)
    await page.goto(`${parlor.url}/#/host/window-${n}`)
    const room = roomOf(page)
    await expectText(room.status, "Ready")
    await answered(room, `in window ${n}`)
    rooms.push(room)
  }
  // The first ones, too, whose streams the last ones have taken.
  for (const [n, room] of rooms.entries()) {
    await answered(room, `again in window ${n}`)
    for (const other of rooms) await expect.poll(() => newestIn(other)).toBe(`host/window-${n}`)
  }
})
