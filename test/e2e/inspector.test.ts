/** [LOG-15, TAB-11] The inspector in a real browser: live while a turn runs, by keyboard, on a phone. */
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"

const stage = useStage()
const browser = useBrowser()

const turns = (page: Page) => page.getByRole("navigation", { name: "Turns" }).getByRole("link")
const goTo = (page: Page, hash: string) =>
  page.evaluate((to) => {
    window.location.hash = to
  }, hash)

test("[LOG-15, TAB-11] shows each turn as it happens: timeline, exact prompt, tools offered, changes", async () => {
  const { parlor, model } = stage()
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await room.box.waitFor()
  await goTo(page, "#inspect/host")
  await expectText(page.getByRole("main"), "Nothing to inspect yet")
  await page.getByRole("link", { name: "Send a message to host" }).click()

  await room.say("Write it down")
  const first = await model.next()
  await goTo(page, "#inspect/host")
  await expectText(turns(page), /Write it down.*Running/)
  await turns(page).first().focus()
  await page.keyboard.press("Enter")
  const detail = page.getByRole("article", { name: "Write it down" })
  await detail.waitFor()
  first.call("write_file", { path: "note.md", content: "It." })
  const second = await model.next()
  await expectText(detail.getByRole("list", { name: "Timeline" }), /Step 1 · .*write_file/)
  second.say("It is written.")
  await expectText(detail.getByRole("list", { name: "Timeline" }), /Step 2/)
  second.end()
  await expectText(detail, /State ?Done/)
  await expectText(detail.getByRole("list", { name: "Timeline" }), /Step 2 · .*first token after/)

  await detail.getByRole("radio", { name: "Prompt" }).click()
  await expectText(detail, "Exactly as sent")
  await detail.getByRole("combobox", { name: "Step" }).selectOption("2")
  await expectText(detail, /Tool results.*write_file/)
  await detail.getByRole("radio", { name: "Raw JSON" }).click()
  const [glance] = (await parlor.sdk.conversation("host").inspect.turns()).turns
  const { steps } = await parlor.sdk.conversation("host").inspect.turn(glance?.id ?? "", { step: 2 })
  const whole = JSON.stringify(steps[1]?.prompt.request, null, 2)
  await detail.getByRole("button", { name: /^Show all/ }).click()
  await expect.poll(() => detail.locator("pre").textContent()).toBe(whole)

  await detail.getByRole("radio", { name: "Tools" }).click()
  await expectText(detail.getByRole("list", { name: "Tools offered" }), "edit_file")
  await detail.getByRole("radio", { name: "Changes" }).click()
  await expectText(
    detail.getByRole("list", { name: "Changes" }),
    /turn began.*tool write_file started.*file note\.md created by agent:host.*turn done.*busy → idle/,
  )

  await page.reload()
  await detail.waitFor()
  const chart = page.getByRole("main").getByRole("img", { name: /^Context use and cost of 1 turn\./ })
  await expectCount(chart, 1)
  await page.getByRole("figure").locator("summary").click()
  await expectText(page.getByRole("table"), /Turn.*Context.*Write it down/)
  await page.getByRole("link", { name: /^Back to/ }).click()
  await expectText(room.replies.last(), "It is written.")
})

test("[TAB-30] fits a phone; a turn that is not there says so", async () => {
  const { parlor, model } = stage()
  await parlor.sdk.conversation("host").send("Hello")
  const answer = await model.next()
  answer.say("Hello.")
  answer.end()
  const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }
  const page = await browser.page(parlor.address, phone)
  await page.getByRole("textbox", { name: "Message to host" }).waitFor()
  await goTo(page, "#inspect/host")
  await turns(page).first().tap()
  await page.getByRole("article", { name: "Hello" }).waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole("link", { name: "All turns" }).tap()
  await expectText(turns(page), /Hello.*Done/)
  browser.expectErrors(/404/)
  await goTo(page, "#inspect/host/main/trn_none")
  await expectText(page.getByRole("main").getByRole("alert"), "Reply not found")
})
