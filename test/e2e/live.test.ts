import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { transcript, useStage } from "./parlor.ts"
import { expectCount, expectEqual, expectSame, expectText, roomOf, textIn } from "./room.ts"
import { expectTogether } from "./together.ts"

const stage = useStage()
const browser = useBrowser()

test("[TRN-2] an answer shows word by word while it is being said", async () => {
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await room.say("Tell me something")
  const answer = await model.next()
  expect(answer.asked).toBe("Tell me something")
  await expectText(room.status, "host is replying…")
  for (const word of ["One", " two", " **three**"]) {
    answer.say(word)
    await expectText(room.replies, word.replace(/[* ]/g, ""))
  }
  await expect.poll(() => room.replies.getAttribute("aria-busy")).toBe("true")
  answer.end()
  await expectText(room.status, "Ready")
  expect(await textIn(room.replies)).toContain("One two three")
  expect(await room.replies.locator("strong").innerText()).toBe("three")
})

test("[TAB-13, TRN-3] a reload in the middle of an answer shows the same text and goes on", async () => {
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await room.say("A question")
  const answer = await model.next()
  answer.say("The first half, ")
  await expectText(room.replies, "The first half,")
  const before = await textIn(room.log)
  await room.page.reload()
  await expectSame(room.log, before)
  answer.say("the second half.")
  await expectText(room.replies, "The first half, the second half.")
  answer.end()
  await expectText(room.status, "Ready")
  expect(await transcript(parlor)).toEqual(["person: A question", "agent: The first half, the second half."])
})

test("[TRN-3] an answer goes on while no page is open", async () => {
  const { parlor, model } = stage()
  const context = await browser.person()
  const page = await context.newPage()
  await page.goto(parlor.address)
  await roomOf(page).say("Go on without me")
  const answer = await model.next()
  answer.say("I went ")
  await expectText(roomOf(page).replies, "I went")
  await page.close()
  answer.say("on.")
  answer.end()
  const again = roomOf(await context.newPage())
  await again.page.goto(parlor.url)
  await expectText(again.replies, "I went on.")
  await expectCount(again.mine, 1)
})

test("[TAB-13] a second window and a phone show the same thing within a second", async () => {
  const { parlor, model } = stage()
  const context = await browser.person()
  const first = roomOf(await context.newPage())
  await first.page.goto(parlor.address)
  const second = roomOf(await context.newPage())
  await second.page.goto(parlor.url)
  const phone = roomOf(await browser.page(parlor.address, { viewport: { width: 390, height: 844 }, hasTouch: true }))
  const rooms = [first, second, phone]
  for (const room of rooms) await expectText(room.status, "Ready")
  const pages = rooms.map(({ page }) => page)
  const mine = 'main article[aria-label^="You,"]:not([aria-label="You, sending"])'
  const question = "Can you all see this"
  await expectTogether(pages, { of: mine, wanted: new RegExp(question) }, () => first.say(`${question}?`))
  const answer = await model.next()
  for (const word of ["All ", "of ", "us."]) {
    const written = { of: 'main article[aria-label^="host,"]', wanted: new RegExp(word.trim()) }
    await expectTogether(pages, written, async () => answer.say(word))
  }
  await expectTogether(pages, { of: "main header [role=status]", wanted: /Stopped/ }, () => phone.stop.click())
  await expectEqual(second.log, first.log)
})

test("[TRN-5] stop keeps the text that was seen, also across a reload", async () => {
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await room.say("Talk until I stop you")
  const answer = await model.next()
  answer.say("This is what I said so far")
  await expectText(room.replies, "This is what I said so far")
  await room.stop.click()
  await answer.left
  await expectText(room.status, "Stopped")
  await expectText(room.replies, /This is what I said so far\s+Stopped by you/)
  await room.page.reload()
  await expectText(room.replies, /This is what I said so far\s+Stopped by you/)
  await expectCount(room.stop, 0)
  await room.say("Now go on")
  expect((await model.next()).asked).toContain("Now go on")
})

test("[QUE-1, TAB-9] a message sent while busy is announced as queued, shows so, and runs", async () => {
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await room.say("The first")
  const first = await model.next()
  first.say("Working")
  await room.page.getByRole("button", { name: "Queue" }).waitFor()
  await room.box.fill("The second")
  await expectText(room.page.locator("form"), "Enter to queue this until the reply is done")
  await room.box.press("Enter")
  await expectText(room.queue, /The second\s+next/)
  await room.say("The third")
  await expectText(room.queue, /The third\s+2nd in line/)
  await expectCount(room.mine, 1)
  await room.page.reload()
  await expectText(room.queue, /The second\s+next\s+The third/)
  first.end()
  const second = await model.next()
  expect(second.asked).toBe("The second")
  await expectText(room.mine.nth(1), "The second")
  await expectText(room.queue, /The third\s+next/)
  second.say("Done.")
  second.end()
  const third = await model.next()
  third.say("All done.")
  third.end()
  await expectText(room.replies.nth(2), "All done.")
  await expectCount(room.queue, 0)
  await expectCount(room.mine, 3)
})

test("[QUE-5] stopping holds what is queued, and says so", async () => {
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await room.say("The first")
  const answer = await model.next()
  answer.say("Working")
  await expectText(room.replies, "Working")
  await room.say("The second")
  await expectText(room.queue, "The second")
  await room.stop.click()
  await expectText(room.status, "Stopped. Queue paused")
  await expectText(room.queue, /Queue paused after you stopped.*The second/)
})
