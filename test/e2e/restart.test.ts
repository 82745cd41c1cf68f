import { expect, test } from "vitest"
import { UNREACHABLE, useBrowser } from "./browser.ts"
import { transcript, useStage } from "./parlor.ts"
import { expectCount, expectSame, expectText, roomOf, textIn } from "./room.ts"

/** A page's clock only goes on: where it is to stand still must not be over by then. */
const AHEAD_MS = 20_000
const A_FRAME_MS = 20

const stage = useStage()
const browser = useBrowser()

test("[TAB-13] when the server goes, the page says so, and heals by itself when it is back", async () => {
  browser.expectErrors(UNREACHABLE)
  const { parlor, model } = stage()
  const context = await browser.person()
  await context.clock.install()
  const room = roomOf(await context.newPage())
  await room.page.goto(parlor.address)
  await room.say("Before")
  const answer = await model.next()
  answer.say("An answer.")
  answer.end()
  await expectText(room.status, "Ready")
  const before = await textIn(room.log)
  await parlor.stop()
  await expectText(room.status, "Connection lost. Reconnecting…")
  const link = room.page.getByRole("status", { name: "Connection" })
  await expectText(link, /^Parlor cannot be reached\. What you write is kept.* Trying again (?:in \d+ s|now) Try now$/)
  await expectSame(room.log, before)
  // By its own clock the page would try again before the button is pressed, and what it tells for a moment would be gone.
  await context.clock.pauseAt((await room.page.evaluate(() => Date.now())) + AHEAD_MS)
  await parlor.start()
  await link.getByRole("button", { name: "Try now" }).click()
  await expect
    .poll(async () => {
      await context.clock.runFor(A_FRAME_MS)
      return textIn(link)
    })
    .toContain("Back online.")
  await context.clock.resume()
  await expectText(room.status, "Ready")
  await expectSame(room.log, before)
  await room.say("After")
  const later = await model.next()
  later.say("Still here.")
  later.end()
  await expectText(room.replies.nth(1), "Still here.")
  await expectSame(link, "")
})

test("[TAB-13, TRN-7] an answer cut by a restart goes on, and nothing is lost or doubled", async () => {
  browser.expectErrors(UNREACHABLE)
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await room.say("A long answer, please")
  const cut = await model.next()
  cut.say("The part before, ")
  await expectText(room.replies, "The part before,")
  await room.say("And another thing")
  await expectText(room.queue, "And another thing")
  await parlor.stop()
  await expectText(room.status, "Connection lost. Reconnecting…")
  await expectText(room.replies, "The part before,")
  await parlor.start()
  const rest = await model.next()
  rest.say("the part after.")
  rest.end()
  const another = await model.next()
  expect(another.asked).toBe("And another thing")
  another.say("Also answered.")
  another.end()
  await expectText(room.replies.last(), "Also answered.")
  await expectText(room.status, "Ready")
  const said = (await transcript(parlor)).join("\n")
  for (const once of ["A long answer", "The part before", "the part after", "And another thing", "Also answered"])
    expect(said.split(once), said).toHaveLength(2)
  await expectCount(room.queue, 0)
  const shown = await textIn(room.log)
  await room.page.reload()
  await expectText(room.status, "Ready")
  await expectSame(room.log, shown)
})
