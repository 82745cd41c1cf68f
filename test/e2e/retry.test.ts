import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"

const stage = useStage()
const browser = useBrowser()

test("[TRN-10] a model that is overloaded is asked again: the page says when, then shows the answer", async () => {
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  // Long enough to be visible.
  model.failNext({ status: 503, retryAfterSeconds: 5 })
  await room.say("Are you there?")
  await expectText(room.status, /Retrying, attempt 2 in [1-5] s/)
  await expectText(room.log, /Retrying in [1-5] s \(attempt 2\)/)
  await room.page.getByRole("button", { name: "Queue" }).waitFor()
  const answer = await model.next()
  answer.say("I am now.")
  answer.end()
  await expectText(room.replies, "I am now.")
  await expectText(room.status, "Ready")
  await expectCount(room.log.getByText("The model didn't answer"), 0)
})

test("[TRN-10] an attempt that broke off stays and is marked, also after a reload", async () => {
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await room.say("Tell me")
  const broken = await model.next()
  broken.say("It begins well")
  await expectText(room.replies, "It begins well")
  broken.breakOff()
  await expectText(room.replies, /It begins well Interrupted, continued below/)
  const answer = await model.next()
  answer.say("It ends well.")
  answer.end()
  await expectText(room.replies.last(), "It ends well.")
  await expectText(room.status, "Ready")
  await room.page.reload()
  await expectText(room.replies.first(), /It begins well Interrupted, continued below/)
})

test("[QUE-6] an error is told with what to do, and holds the queue until it is resumed", async () => {
  const { parlor, model } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await room.say("The first")
  const first = await model.next()
  await room.say("The second")
  await expectText(room.queue, "The second")
  model.failNext({ status: 401, message: "No such key" })
  await room.steer("Go on")
  await expectText(room.queue, "Go on adding to current reply")
  first.say("Yes.")
  first.end()
  await expectText(room.status, "The model provider rejected the API key")
  await expectText(room.page.getByRole("alert"), /The model provider rejected the API key.*Check your API key/)
  await expectText(room.queue, /Queue paused after an error.*The second/)
  await room.queue.getByRole("button", { name: "Resume" }).click()
  expect((await model.next()).asked).toContain("The second")
})
