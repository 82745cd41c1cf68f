import type { BrowserContext, Route } from "playwright-core"
import { expect, test } from "vitest"
import { UNREACHABLE, useBrowser } from "./browser.ts"
import { transcript, useStage } from "./parlor.ts"
import { expectCount, expectText, expectWritten, roomOf } from "./room.ts"

const SENDS = "**/v1/conversations/*/*/messages"
const stage = useStage()
const browser = useBrowser()

test("[TAB-10] a draft survives a reload, for each agent its own", async () => {
  const { parlor } = stage()
  const page = await browser.page(parlor.address)
  await roomOf(page).box.fill("For host,\nnot sent yet")
  await page.getByRole("button", { name: "New chat with another agent" }).click()
  await page.getByRole("menuitem", { name: "critic" }).click()
  await roomOf(page, "critic").box.fill("For critic")
  await page.reload()
  await expectWritten(roomOf(page, "critic"), "For critic")
  await page.locator('[data-tab="host/main"] a').click()
  await expectWritten(roomOf(page), "For host,\nnot sent yet")
})

test("[TAB-10] a refused message goes back into the box", async () => {
  browser.expectErrors(/422/)
  const { parlor } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await expectText(room.status, "Ready")
  const odd = "a NUL \u0000 is refused"
  await room.say(odd)
  await expectText(room.page.getByRole("alert"), "can't be sent")
  await expectWritten(room, odd)
  await expectCount(room.log.getByRole("article"), 0)
})

test("a message whose row arrives before the answer to its send shows once", async () => {
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await expectText(room.status, "Ready")
  const held = await holdAnswers(room.page.context())
  await room.say("Only once")
  await model.next()
  await expectText(room.mine, "Only once")
  await expectCount(room.log.getByText("Only once"), 1)
  await held.release()
  await expectText(room.status, "host is replying…")
  await expectCount(room.log.getByText("Only once"), 1)
})

test("the same words sent twice show twice", async () => {
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await room.say("Again")
  await room.say("Again")
  const first = await model.next()
  first.say("Yes.")
  first.end()
  const second = await model.next()
  second.say("Yes, again.")
  second.end()
  await expectText(room.replies.nth(1), "Yes, again.")
  await expectCount(room.mine, 2)
  await expectCount(room.queue, 0)
})

test("[LOG-12, QUE-11] a send whose answer is lost is repeated and arrives once", async () => {
  browser.expectErrors(/ERR_FAILED/)
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await expectText(room.status, "Ready")
  let tries = 0
  await room.page.context().route(SENDS, async (route: Route) => {
    tries += 1
    const response = await route.fetch()
    return tries === 1 ? route.abort() : route.fulfill({ response })
  })
  await room.say("Did you get this?")
  const answer = await model.next()
  await expect.poll(() => tries).toBe(2)
  answer.say("Once.")
  answer.end()
  await expectText(room.replies, "Once.")
  await expectText(room.status, "Ready")
  expect(await transcript(parlor)).toEqual(["person: Did you get this?", "agent: Once."])
  await expectCount(room.log.getByText("Did you get this?"), 1)
})

test("[LOG-12] a message sent while offline says so and arrives once", async () => {
  // A server that starts or stops answers that it is not ready, and the message is sent again.
  browser.expectErrors(UNREACHABLE, /503 \(Service Unavailable\)/)
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await expectText(room.status, "Ready")
  await parlor.stop()
  await expectText(room.status, "Connection lost")
  await room.say("Sent in the dark")
  await expectText(room.log.locator('[aria-label="You, sending"]'), "Sent in the dark")
  await expectText(room.log, "Not delivered yet")
  await parlor.start()
  const answer = await model.next()
  answer.say("Received.")
  answer.end()
  await expectText(room.replies, "Received.")
  expect(await transcript(parlor)).toEqual(["person: Sent in the dark", "agent: Received."])
  await expectCount(room.log.getByText("Sent in the dark"), 1)
})

test("[LOG-12] a message sent while offline outlives the page and arrives once", async () => {
  browser.expectErrors(/ERR_INTERNET_DISCONNECTED/)
  const { parlor, model } = stage()
  const context = await browser.person()
  const page = await context.newPage()
  await page.goto(parlor.address)
  await expectText(roomOf(page).status, "Ready")
  await context.setOffline(true)
  await roomOf(page).say("Kept in the browser")
  await expectText(roomOf(page).log, "Kept in the browser")
  await page.close()
  await context.setOffline(false)
  const windows = await Promise.all([context.newPage(), context.newPage()])
  await Promise.all(windows.map((window) => window.goto(parlor.url)))
  const answer = await model.next()
  expect(answer.asked).toBe("Kept in the browser")
  answer.say("Arrived.")
  answer.end()
  for (const window of windows) {
    await expectText(roomOf(window).replies, "Arrived.")
    await expectCount(roomOf(window).log.getByText("Kept in the browser"), 1)
  }
  expect(await transcript(parlor)).toEqual(["person: Kept in the browser", "agent: Arrived."])
})

/** The server accepts each send, and its response waits for `release`. */
async function holdAnswers(context: BrowserContext): Promise<{ release(): Promise<void> }> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const answers: Promise<void>[] = []
  await context.route(SENDS, (route) => {
    const answer = Promise.all([route.fetch(), released]).then(([response]) => route.fulfill({ response }))
    answers.push(answer)
    return answer
  })
  return {
    async release() {
      release()
      await Promise.all(answers)
    },
  }
}
