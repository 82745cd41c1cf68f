/** Rollback, branches and sidecars in a browser. */
import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { transcript, useStage } from "./parlor.ts"
import { expectCount, expectText, type Room, roomOf } from "./room.ts"

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
  await message(room, text).getByRole("button", { name: "More actions for this message" }).click()
  await room.page.getByRole("menuitem", { name, exact: true }).click()
}

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
  await expectText(divider, "3 messages rolled back")
  await expectCount(message(room, "About Bread"), 0)
  // The folder on disk follows a moment after the log.
  await expect.poll(() => parlor.sdk.conversation("host").files.list()).toEqual([])
  const other = roomOf(await room.page.context().newPage())
  await other.page.goto(parlor.url)
  await other.log.getByRole("region", { name: "Rolled back, including files" }).waitFor()
  await room.say("Dates")
  const answer = await stage().model.next()
  expect(answer.asked).toBe("Bread\n\nDates")
  answer.say("About Dates.")
  answer.end()
  await expectText(room.log, /Bread.*3 messages rolled back.*Dates.*About Dates\./)
  await divider.getByRole("button", { name: "Show" }).click()
  await expectText(room.log, /Bread.*3 messages rolled back.*About Cheese\..*Dates.*About Dates\./)
  await expectCount(room.stop, 0)
  await divider.getByRole("button", { name: "Cancel rollback" }).click()
  await room.log.getByRole("region", { name: "Rollback canceled; later messages hidden" }).waitFor()
  await expectText(room.log, "About Bread")
  await expectCount(message(other, "About Dates"), 0)
})

test("[RBK-3, MSG-3] a message is edited in its place, and its versions can be read and used again", async () => {
  const room = await talked("Apples", "Bread")
  await message(room, "Bread").hover()
  await message(room, "Bread").getByRole("button", { name: "Edit", exact: true }).click()
  // The focus is in the text: one can type at once.
  await room.page.keyboard.press("Control+a")
  await room.page.keyboard.type("Brown bread")
  await room.page.keyboard.press("Enter")
  const answer = await stage().model.next("Brown bread")
  answer.say("About brown bread.")
  answer.end()
  await expectText(room.replies.last(), "About brown bread.")
  await expectCount(message(room, "About Bread."), 0)
  const { messages } = await stage().parlor.sdk.conversation("host").open()
  expect(messages.at(-2)?.editedFrom).toBe(messages[2]?.id)
  expect(messages.map(({ dimmed }) => dimmed)).toEqual([false, false, true, true, false, false])
  const versions = room.log.getByRole("group", { name: "Versions" })
  await expectText(versions, "2/2")
  await versions.getByRole("button", { name: "Previous version" }).click()
  await expectText(room.log, /About Bread\..*You are reading an earlier version/)
  await expectText(versions, "1/2")
  await expectCount(message(room, "About brown bread."), 0)
  await room.log.getByRole("button", { name: "Use this version" }).click()
  await expectCount(room.log.getByText("You are reading an earlier version"), 0)
  await room.say("More")
  const more = await stage().model.next()
  expect(more.asked).toBe("More")
  more.say("On Bread.")
  more.end()
  await expectText(room.log, /About Bread\..*More.*On Bread\./)
})

test("[MSG-4] a reply is regenerated, a failed one tried again, and a stopped one continued", async () => {
  const room = await talked("Apples")
  const { model } = stage()
  await room.replies.last().getByRole("button", { name: "Regenerate" }).click()
  const second = await model.next("Apples")
  second.say("Apples, again.")
  second.end()
  await expectText(room.replies.last(), "Apples, again.")
  await expectText(room.log.getByRole("group", { name: "Versions" }), "2/2")
  await expectCount(room.replies, 1)
  model.failNext({ status: 401, message: "Wrong key" })
  await room.say("Pears")
  await expectText(room.log.getByRole("alert"), /rejected the API key.*Check your API key/)
  await room.log.getByRole("button", { name: "Try again" }).click()
  const third = await model.next("Pears")
  third.say("About pe")
  await expectText(room.replies.last(), "About pe")
  await room.stop.click()
  await room.log.getByRole("button", { name: "Continue" }).click()
  const rest = await model.next("Continue where you left off.")
  rest.say("ars.")
  rest.end()
  await expectText(room.replies.last(), "ars.")
})

test("[MSG-2] the actions of a message cover neither the next row nor the line of a branch", async () => {
  const room = await talked("Apples", "Bread")
  await act(room, "About Apples.", "Branch from here")
  await expect.poll(() => room.page.url()).toContain("#/host/about-apples")
  const bar = room.replies.last().getByRole("button", { name: "More actions for this message" })
  const line = room.log.getByRole("region", { name: /^Branched from/ })
  await room.replies.last().hover()
  const [acts, fork] = [await bar.boundingBox(), await line.boundingBox()]
  expect((acts?.y ?? 0) + (acts?.height ?? 0)).toBeLessThanOrEqual(fork?.y ?? 0)
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
