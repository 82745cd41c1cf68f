/** Rollback, branches and sidecars in a browser. */
import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { transcript, useStage } from "./parlor.ts"
import { expectCount, expectText, expectWritten, type Room, roomOf } from "./room.ts"

const stage = useStage()
const browser = useBrowser()

/** A conversation with this many questions and their replies. */
async function talked(...texts: readonly string[]): Promise<Room> {
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  for (const text of texts) {
    await room.say(text)
    const answer = await model.next()
    answer.say(`About ${text}.`)
    answer.end()
    await expectText(room.replies.last(), `About ${text}.`)
    await expectCount(room.stop, 0)
  }
  return room
}

const message = (room: Room, text: string) => room.log.locator("article").filter({ hasText: text }).first()

async function act(room: Room, text: string, name: string): Promise<void> {
  await message(room, text).hover()
  await message(room, text).getByRole("button", { name, exact: true }).click()
}

const opacity = (room: Room, text: string) =>
  message(room, text).evaluate((element) => Number(getComputedStyle(element).opacity))

test("[RBK-1, RBK-4, TAB-11] a rollback shows what it will do, dims what came after, and is cancelled at its divider", async () => {
  const room = await talked("Apples", "Bread", "Cheese")
  const { parlor } = stage()
  await parlor.sdk.conversation("host").files.write("list.txt", "cheese")
  await act(room, "Bread", "Roll back to here")
  const dialog = room.page.getByRole("dialog", { name: "Roll back" })
  await expectText(dialog, "3 messages will be hidden, 1 file will change.")
  await expectText(
    dialog.getByRole("list", { name: "Messages that will be hidden" }),
    /host: About Bread\. You: Cheese host: About Cheese\./,
  )
  const moved = dialog.getByRole("list", { name: "Files that will change" })
  await expectText(moved, "list.txt will be deleted")
  await expectText(moved, "-cheese")
  await dialog.getByText("Messages only").click()
  await expectText(dialog, "3 messages will be hidden, no files will change.")
  await expectCount(moved, 0)
  await dialog.getByText("Both", { exact: true }).click()
  await dialog.getByRole("button", { name: "Roll back" }).click()
  const divider = room.log.getByRole("region", { name: "Rolled back, including files" })
  await divider.waitFor()
  await expect.poll(() => opacity(room, "About Bread")).toBe(0.4)
  expect(await opacity(room, "Bread")).toBe(1)
  expect(await parlor.sdk.conversation("host").files.list()).toEqual([])
  const other = roomOf(await room.page.context().newPage())
  await other.page.goto(parlor.url)
  await other.log.getByRole("region", { name: "Rolled back, including files" }).waitFor()
  await room.say("Dates")
  const answer = await stage().model.next()
  expect(answer.asked).toBe("Bread\n\nDates")
  answer.say("About Dates.")
  answer.end()
  await expectText(room.log, /About Cheese\..*Rolled back, including files.*Dates.*About Dates\./)
  await expectCount(room.stop, 0)
  await divider.getByRole("button", { name: "Cancel rollback" }).click()
  await expectText(room.log, "Rollback canceled; the messages after it are hidden instead")
  await expect.poll(() => opacity(room, "About Bread")).toBe(1)
  await expect.poll(() => opacity(other, "About Dates")).toBe(0.4)
})

test("[RBK-3] going back to edit puts the text into the box, also after a reload, and what is sent remembers it", async () => {
  const room = await talked("Apples", "Bread")
  await act(room, "Bread", "Edit and send again")
  const dialog = room.page.getByRole("dialog", { name: "Edit and send again" })
  await dialog.getByRole("button", { name: "Go back and edit" }).click()
  await expectWritten(room, "Bread")
  await room.page.reload()
  await expectWritten(room, "Bread")
  await room.say("Brown bread")
  const answer = await stage().model.next()
  answer.say("About brown bread.")
  answer.end()
  await expectText(room.replies.last(), "About brown bread.")
  const { messages } = await stage().parlor.sdk.conversation("host").open()
  expect(messages.at(-2)?.editedFrom).toBe(messages[2]?.id)
  expect(messages.map(({ dimmed }) => dimmed)).toEqual([false, false, true, true, false, false])
})

test("[BRA-1] one branches from a message, and what is said there is not said here", async () => {
  const room = await talked("Apples", "Bread")
  await act(room, "About Apples.", "Branch from here")
  await expect.poll(() => room.page.url()).toContain("#/host/about-apples")
  await expectCount(room.log.locator("article"), 2)
  await room.say("Only here")
  const inBranch = await stage().model.next()
  inBranch.say("In the branch.")
  inBranch.end()
  await expectText(room.replies.last(), "In the branch.")
  await room.page.goBack()
  await expectCount(room.log.locator("article"), 4)
  await expectText(room.log, "About Bread.")
  await room.page.getByRole("button", { name: "Branches: 1" }).click()
  await expectText(room.page.getByRole("region", { name: "Branches" }), "In the branch.")
  expect(await transcript(stage().parlor)).toHaveLength(4)
})
