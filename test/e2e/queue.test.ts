import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import type { Answer } from "./model.ts"
import { transcript, useStage } from "./parlor.ts"
import { expectCount, expectEqual, expectText, expectWritten, type Room, roomOf } from "./room.ts"

const stage = useStage()
const browser = useBrowser()

/** A running reply, and messages queued behind it. */
async function busyRoom(...texts: readonly string[]): Promise<{ readonly room: Room; readonly answer: Answer }> {
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await room.say("The first")
  const answer = await model.next()
  answer.say("Working")
  await room.stop.waitFor()
  for (const text of texts) await room.say(text)
  await expectCount(room.queue.getByRole("listitem"), texts.length)
  for (const text of texts) await room.waiting(text).getByRole("button", { name: "Send now" }).waitFor()
  return { room, answer }
}

async function anotherWindow(room: Room): Promise<Room> {
  const other = roomOf(await room.page.context().newPage())
  await other.page.goto(stage().parlor.url)
  await other.queue.waitFor()
  return other
}

/** The messages and replies from here on, until the queue is empty. */
async function rest(answer: Answer, count: number): Promise<readonly string[]> {
  const asked: string[] = []
  answer.end()
  for (let turn = 0; turn < count; turn++) {
    const next = await stage().model.next()
    asked.push(next.asked)
    next.say("Done.")
    next.end()
  }
  return asked
}

test("[QUE-7, TAB-8] a waiting message is edited, moved, paused, released and removed, and two windows stay equal", async () => {
  const { room, answer } = await busyRoom("Apples", "Bread", "Cheese")
  const other = await anotherWindow(room)
  await room.waiting("Bread").getByRole("button", { name: "Edit: Bread" }).click()
  const editor = room.page.getByRole("textbox", { name: "Edit queued message" })
  await editor.fill("Brown bread")
  await editor.press("Enter")
  await expectText(room.waiting("Brown bread"), "2nd in line")
  await room.act("Cheese", "Move up")
  await expectText(room.queue, /Apples next Cheese 2nd in line Brown bread 3rd in line/)
  await other.act("Brown bread", "Skip for now")
  await expectText(room.waiting("Brown bread"), "skipped")
  await room.act("Apples", "Remove")
  await expectText(room.queue, "Removed: Apples")
  await room.queue.getByRole("button", { name: "Dismiss" }).click()
  await expectText(room.queue, /2 queued .*Cheese next Brown bread skipped/)
  await expectEqual(other.queue, room.queue)
  await room.act("Brown bread", "Don't skip")
  await expectText(other.queue, /Cheese next Brown bread 2nd in line/)
  expect(await rest(answer, 2)).toEqual(["Cheese", "Brown bread"])
  await expectCount(other.queue, 0)
})

test("[TAB-8, TAB-12] messages are moved with the keyboard, and quick moves do not race each other", async () => {
  const { room } = await busyRoom("Apples", "Bread", "Cheese", "Dates")
  await room.waiting("Dates").getByRole("button", { name: "Move up" }).focus()
  for (let moves = 0; moves < 3; moves++) await room.page.keyboard.press("Alt+ArrowUp")
  await expectText(room.queue, /Dates next Apples .*Bread .*Cheese/)
  const focused = () => room.page.evaluate(() => document.activeElement?.getAttribute("aria-label"))
  await expect.poll(focused).toBe("Move up")
  await room.page.keyboard.press("Alt+ArrowDown")
  await expectText(room.queue, /Apples next Dates 2nd/)
  await expectCount(room.queue.getByRole("alert"), 0)
})

test("[QUE-8] a message that is being edited does not start, and starts as it was saved", async () => {
  const { room, answer } = await busyRoom("Draft")
  const other = await anotherWindow(room)
  await room.waiting("Draft").getByRole("button", { name: "Edit: Draft" }).click()
  const editor = room.page.getByRole("textbox", { name: "Edit queued message" })
  await expectText(other.waiting("Draft"), "being edited")
  answer.end()
  await expectText(room.status, "Ready")
  await editor.fill("Final")
  await expectText(room.page.locator("form"), "Enter to queue this behind the others")
  await expectCount(room.mine, 1)
  await editor.press("Enter")
  const next = await stage().model.next()
  expect(next.asked).toBe("Final")
  await expectCount(room.queue, 0)
  next.say("Yes.")
  next.end()
  await expectText(other.replies.nth(1), "Yes.")
  expect(await transcript(stage().parlor)).toEqual([
    "person: The first",
    "agent: Working",
    "person: Final",
    "agent: Yes.",
  ])
})

test("[QUE-7, QUE-9] an edit that comes too late is told, and its words are kept", async () => {
  // The lease of a removed message no longer exists, and the browser logs every refusal.
  browser.expectErrors(/409/)
  const { room } = await busyRoom("Apples", "Bread")
  const other = await anotherWindow(room)
  const edit = async (one: Room, from: string, to: string) => {
    await one
      .waiting(from)
      .getByRole("button", { name: `Edit: ${from}` })
      .click()
    await one.page.getByRole("textbox", { name: "Edit queued message" }).fill(to)
  }
  await edit(room, "Apples", "Red apples")
  await edit(other, "Apples", "Green apples")
  await other.page.getByRole("button", { name: "Save" }).click()
  await expectText(room.queue, "Changed in another window. It now says: Green apples")
  await room.page.getByRole("button", { name: "Save my version" }).click()
  await expectText(other.queue, "Red apples next")
  await edit(room, "Bread", "Brown bread")
  await other.act("Bread", "Remove")
  await expectText(room.queue, "This message was removed in another window. You wrote: Brown bread")
  await room.queue.getByRole("button", { name: "Move to message box" }).click()
  await expectWritten(room, "Brown bread")
})

test("[QUE-10] send now stops the answer, starts that message, and the others keep their order", async () => {
  const { room, answer } = await busyRoom("Apples", "Bread", "Cheese")
  await room.act("Bread", "Send now")
  await answer.left
  const next = await stage().model.next()
  expect(next.asked).toContain("Bread")
  await expectText(room.replies.first(), /Working Stopped by you/)
  await expectText(room.queue, /2 queued .*Apples next Cheese 2nd in line/)
  await expectText(room.mine.nth(1), "Bread")
  next.say("Bread it is.")
  expect(await rest(next, 2)).toEqual(["Apples", "Cheese"])
})

test("[QUE-5, TAB-8] the queue is held and resumed, by a stop and by hand, and cleared", async () => {
  const { room } = await busyRoom("Apples", "Bread")
  const other = await anotherWindow(room)
  await room.stop.click()
  await expectText(room.queue, "Queue paused after you stopped")
  await expectText(other.queue, "Queue paused after you stopped")
  await room.box.fill("x")
  await expectText(room.page.locator("form"), "Enter to send now and resume the queue")
  await other.queue.getByRole("button", { name: "Resume" }).click()
  const apples = await stage().model.next()
  expect(apples.asked).toContain("Apples")
  await expectText(room.queue, "1 queued")
  await room.queue.getByRole("button", { name: "Pause" }).click()
  await expectText(other.queue, "Queue paused")
  apples.say("Fine.")
  apples.end()
  await expectText(other.status, "Queue paused")
  await room.queue.getByRole("button", { name: "Clear all" }).click()
  await room.queue.getByRole("button", { name: "Remove", exact: true }).first().click()
  await expectCount(room.queue, 0)
  await expectCount(other.queue, 0)
})

test("[TAB-9, TRN-9] a message sent with Ctrl+Enter joins the answer at its next step", async () => {
  const { room, answer } = await busyRoom("Later")
  await room.box.fill("Shorter, please")
  await expectText(
    room.page.locator("form"),
    "Enter to queue this until the reply is done · Ctrl+Enter to add it to the current reply",
  )
  await room.box.press("Control+Enter")
  await expectText(room.queue, /Shorter, please adding to current reply Later next/)
  answer.end()
  const step = await stage().model.next()
  expect(step.asked).toBe("Shorter, please")
  await expectText(room.mine.nth(1), "Shorter, please")
  await expectText(room.queue, /1 queued .*Later next/)
  step.say("Short.")
  expect(await rest(step, 1)).toEqual(["Later"])
})
