import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText, roomOf, textIn } from "./room.ts"

const stage = useStage()
const browser = useBrowser()

test("[GST-5, GST-6] guests answer one after another under their own names, live on every page", async () => {
  const { parlor, model } = stage()
  const rooms = [roomOf(await browser.page(parlor.address)), roomOf(await browser.page(parlor.address))]
  for (const room of rooms) await expectText(room.status, "Ready")
  await parlor.sdk.conversation("host").send("What is wrong with it?", { guests: ["critic", "scribe"] })
  for (const name of ["critic", "scribe"]) {
    const answer = await model.next()
    for (const room of rooms) await expectText(room.status, `${name} is replying…`)
    answer.say(`Words of ${name}`)
    for (const room of rooms)
      await expectText(room.log.locator(`article[aria-label^="${name},"]`), `${name} Words of ${name}`)
    answer.end()
  }
  for (const room of rooms) {
    await expectText(room.status, "Ready")
    expect(await textIn(room.log)).toMatch(/What is wrong with it\?.*critic Words of critic.*scribe Words of scribe/)
    await expectCount(room.replies, 0)
  }
})
