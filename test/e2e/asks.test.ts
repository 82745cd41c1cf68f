import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import type { Answer } from "./model.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText, expectWritten, type Room, roomOf } from "./room.ts"

const stage = useStage({ asking: true })
const browser = useBrowser()

/** Long enough for a slow page to show an ask before it expires. */
const SEEN_MS = 4_000

type Windows = { readonly room: Room; readonly other: Room; readonly answer: Answer }

/** Two windows of one person, and a reply that has begun. */
async function windows(): Promise<Windows> {
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  const other = roomOf(await room.page.context().newPage())
  await other.page.goto(parlor.url)
  await expectText(other.status, "Ready")
  // Browsers throttle rendering in background windows.
  await room.page.bringToFront()
  await room.say("Please")
  return { room, other, answer: await model.next() }
}

const button = (room: Room, name: string) => room.log.getByRole("button", { name, exact: true })

async function finish(room: Room): Promise<void> {
  const last = await stage().model.next()
  last.say("All done.")
  last.end()
  await expectText(room.replies.last(), "All done.")
  await expectText(room.status, "Ready")
}

test("[TRN-12, TRN-13] what a tool would do is shown, and allowed from another window", async () => {
  const { room, other, answer } = await windows()
  answer.say("I will clean up.")
  answer.call("delete_file", { path: "notes.md" })
  await expectText(room.ask("Allow host to use delete_file?"), /delete_file .*path notes.md/)
  await expectText(room.status, "host needs your approval")
  // The card stands for the row of the call.
  await expectCount(room.replies.locator("summary"), 0)
  await room.box.fill("And then")
  await expectText(room.page.locator("form"), "Enter to queue this; answer the question above")
  await button(other, "Allow").click()
  await expectText(other.log, "You allowed this.")
  await expectText(room.log, /(Allowed|Answered) in another window\./)
  await expectCount(button(room, "Allow"), 0)
  await expectText(room.replies, /Deleted.*done/)
  await finish(room)
  await expectCount(room.log.getByText("in another window"), 0)
})

test("[TRN-12, MSG-8] what is denied does not run, is no failure, and the answer goes on", async () => {
  const { room, answer } = await windows()
  answer.call("delete_file", { path: "notes.md" })
  await button(room, "Deny").click()
  await expectText(room.log, "You denied this.")
  await expectText(room.replies, /Delete.*denied/)
  await expectCount(room.replies.locator(".text-bad"), 0)
  await finish(room)
})

test("[TRN-12] a question is answered with a click, after a reload too, and from another window", async () => {
  const { room, other, answer } = await windows()
  answer.call("ask_person", { question: "Tea or coffee?", options: ["Tea", "Coffee"] })
  await room.ask("Tea or coffee?").waitFor()
  await room.page.reload()
  await room.ask("Tea or coffee?").waitFor()
  await button(other, "Coffee").click()
  await expectText(room.replies.first(), "Tea or coffee? You chose Coffee")
  await room.replies.first().locator("summary").click()
  await expectText(room.replies.first(), /Output Coffee/)
  await finish(room)
})

test("[TRN-12] words written for an ask that another window answers first are not lost", async () => {
  const { room, other, answer } = await windows()
  answer.call("ask_person", { question: "What is it called?" })
  await room.log.getByRole("textbox", { name: "Answer: What is it called?" }).fill("Half a name")
  const field = other.log.getByRole("textbox", { name: "Answer: What is it called?" })
  await field.fill("Parlor")
  await field.press("Enter")
  await expectText(room.log, "Answered in another window. You wrote: Half a name")
  await finish(room)
  await button(room, "Move to message box").click()
  await expectWritten(room, "Half a name")
  await expectCount(room.log.getByText("You wrote:"), 0)
})

test("[TRN-12] a form has a field for each thing, and says what is missing", async () => {
  const { room, answer } = await windows()
  answer.call("book_table", {})
  const form = room.ask("Which table shall it be?")
  await form.getByRole("button", { name: "Answer" }).click()
  await expectText(form.getByRole("alert"), "Name is required.")
  await form.getByRole("textbox", { name: "Name" }).fill("Ada")
  await form.getByRole("combobox", { name: "Where" }).selectOption("outside")
  await form.getByRole("checkbox", { name: "A quiet corner, please" }).check()
  await form.getByRole("button", { name: "Answer" }).click()
  await expectText(room.replies.first(), /book_table.*done/)
  await room.replies.first().locator("summary").click()
  await expectText(room.replies.first(), /"name": "Ada", "people": 2, "place": "outside", "quiet": true/)
  await finish(room)
})

test("[TRN-12] an ask that is stopped or runs out of time is closed at once", async () => {
  const { room, other, answer } = await windows()
  answer.call("ask_person", { question: "Quick?", expiresInMs: SEEN_MS })
  await room.ask("Quick?").waitFor()
  await expectText(room.log, "No one answered in time.")
  const again = await stage().model.next()
  again.call("delete_file", { path: "all" })
  await button(room, "Allow").waitFor()
  await other.stop.click()
  await expectText(room.log, "Withdrawn: the reply was stopped.")
  await expectText(room.status, "Stopped")
})

test("[ASK-1, ASK-3] a choice is answered by typing, which the composer says, and the answer stays", async () => {
  browser.expectErrors(/422/)
  const { room, answer } = await windows()
  answer.call("ask_person", { question: "Tea or coffee?", options: ["Tea", "Coffee"] })
  await room.ask("Tea or coffee?").waitFor()
  await room.box.fill("Water")
  await expectText(room.page.locator("form"), "Enter to answer the question")
  await room.box.press("Enter")
  await expectText(room.page.locator("form"), /doesn't match the question.*Answer with one of: Tea, Coffee/)
  await expectWritten(room, "Water")
  await room.say("coffee")
  await expectText(room.replies.first(), "You chose Coffee")
  await expectCount(room.queue, 0)
  await finish(room)
  await room.page.reload()
  await expectText(room.replies.first(), "Tea or coffee? You chose Coffee")
})

test("[ASK-1] an open question takes the focus into its field, but not from somebody who writes", async () => {
  const { room, answer } = await windows()
  answer.call("ask_person", { question: "What is it called?" })
  const field = (title: string) => room.log.getByRole("textbox", { name: `Answer: ${title}` })
  await expect.poll(() => field("What is it called?").evaluate((input) => input === document.activeElement)).toBe(true)
  await room.page.keyboard.type("Parlor")
  await room.page.keyboard.press("Enter")
  const again = await stage().model.next()
  await room.box.fill("Half a")
  again.call("ask_person", { question: "And its color?" })
  await field("And its color?").waitFor()
  expect(await room.box.evaluate((box) => box.contains(document.activeElement))).toBe(true)
})

test("[ASK-4] a tool that is always allowed is not asked about again, until that is revoked", async () => {
  const { room, answer } = await windows()
  answer.call("delete_file", { path: "a" })
  await button(room, "Always allow").click()
  await room.page.getByRole("menuitem", { name: "In this conversation" }).click()
  const again = await stage().model.next()
  again.call("delete_file", { path: "b" })
  await finish(room)
  await expectText(room.replies, /Deleted.*Deleted/)
  await room.page.getByRole("button", { name: "More actions for this conversation" }).click()
  await room.page.getByRole("menuitem", { name: "Allowed tools" }).click()
  const list = room.page.getByRole("list", { name: "Always allowed tools" })
  await list.getByRole("button", { name: "Revoke delete_file" }).click()
  await expectCount(list.getByRole("listitem"), 0)
  await room.page.keyboard.press("Escape")
  await room.say("Once more")
  const last = await stage().model.next("Once more")
  last.call("delete_file", { path: "c" })
  await button(room, "Deny").click()
  await finish(room)
})
