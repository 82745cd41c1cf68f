import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"

const stage = useStage({ asking: true })
const browser = useBrowser()

test("[TAB-12] a whole job is done with the keyboard alone", async () => {
  const { parlor, model } = stage()
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  const keys = page.keyboard
  await expectText(room.status, "Ready")
  await expectFocus(page, "Message to host")

  await keys.type("The first")
  await keys.press("Enter")
  const first = await model.next()
  first.say("Working")
  await room.stop.waitFor()
  await keys.type("Bread")
  await keys.press("Enter")
  await expectText(room.queue, "Bread next")

  await keys.press("Alt+q")
  await expectFocus(page, "Edit: Bread")
  await keys.press("Enter")
  await expectFocus(page, "Edit queued message")
  await keys.type(", brown")
  await keys.press("Enter")
  await expectText(room.queue, "Bread, brown next")
  await keys.press("Alt+q")
  await expectFocus(page, "Edit: Bread, brown")
  await keys.press("/")
  await expectFocus(page, "Message to host")
  await keys.press("Escape")
  await expectText(room.queue, "Queue paused after you stopped")

  await keys.type("Ask me")
  await keys.press("Enter")
  const asking = await model.next()
  asking.call("ask_person", { question: "Tea or coffee?", options: ["Tea", "Coffee"] })
  await room.ask("Tea or coffee?").waitFor()
  await keys.press("Alt+a")
  await expectFocus(page, "Tea")
  await keys.press("Tab")
  await expectFocus(page, "Coffee")
  await keys.press("Enter")
  await expectText(room.log, "You chose Coffee")
  await expectFocus(page, "Message to host")
  const told = await model.next()
  told.say("Coffee it is.")
  told.end()
  const bread = await model.next()
  expect(bread.asked).toBe("Bread, brown")
  bread.say("About bread.")
  bread.end()
  await expectText(room.replies.last(), "About bread.")
  await expectText(room.status, "Ready")

  await keys.press("Alt+r")
  const dialog = page.getByRole("dialog", { name: "Roll back" })
  await dialog.waitFor()
  await dialog.getByRole("button", { name: "Roll back" }).waitFor()
  await tabTo(page, "Roll back")
  await keys.press("Enter")
  await expectCount(dialog, 0)
  await expectText(room.log, /rolled back/)

  await keys.press("Alt+n")
  await page.getByRole("heading", { name: "Chat with host" }).waitFor()
  const tabs = page.locator("[data-tab]")
  await expectCount(tabs, 1)
  await keys.press("Alt+ArrowDown")
  await expectText(room.log, "Coffee it is.")

  const palette = "Find a conversation, agent, page or action"
  await keys.press("Control+k")
  await expectFocus(page, palette)
  await keys.type("coffee it")
  await expectText(page.getByRole("option", { selected: true }), "Search everything for “coffee it”")
  await keys.press("Enter")
  await expectText(page.getByRole("main"), /Coffee it is\./)
  await keys.press("Control+k")
  await expectFocus(page, palette)
  await keys.press("Escape")
  await expectCount(page.getByRole("listbox"), 0)

  await page.goBack()
  await expectText(room.log, "Coffee it is.")
  await keys.press("Alt+w")
  await expectCount(tabs, 0)
  await page.getByRole("heading", { name: "Chat with host" }).waitFor()
  await tabTo(page, "Undo")
  await keys.press("Enter")
  await expectCount(tabs, 1)
})

test("[TAB-12, TAB-29, TAB-32] every key is shown, a removed message comes back, and the look is chosen and kept", async () => {
  const { parlor, model } = stage()
  const page = await browser.page(parlor.address, { colorScheme: "light" })
  const room = roomOf(page)
  await room.say("The first")
  const answer = await model.next()
  answer.say("Working")
  for (const text of ["Apples", "Bread", "Cheese"]) await room.say(text)
  await expectText(room.queue, /Apples next Bread .*Cheese/)
  await page.keyboard.press("Alt+q")
  await expectFocus(page, "Edit: Apples")
  await page.keyboard.press("Alt+ArrowDown")
  await expectText(room.queue, /Bread next Apples .*Cheese/)
  await expectFocus(page, "Edit: Apples")
  await page.keyboard.press("Delete")
  await expectText(room.queue, "Removed: Apples")
  await expectFocus(page, "Edit: Cheese")
  await room.queue.getByRole("button", { name: "Undo" }).press("Enter")
  await expectText(room.queue, /Bread next Apples 2nd in line Cheese/)
  await room.waiting("Cheese").dragTo(room.waiting("Bread"), { targetPosition: { x: 60, y: 3 } })
  await expectText(room.queue, /Cheese next Bread .*Apples/)

  await page.keyboard.press("Control+/")
  const list = page.getByRole("dialog", { name: "Keyboard" })
  await expectText(list, /Ctrl\+K.*Roll back to before my last message/)
  await page.keyboard.press("Escape")
  await expectCount(list, 0)
  await page.keyboard.press("Alt+,")
  const settings = page.getByRole("dialog", { name: "Settings" })
  await settings.getByRole("radio", { name: "Dark" }).click()
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await expect.poll(colour).toBe("rgb(19, 20, 22)")
  await page.reload()
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark")
})

const MOST_TABS = 20

async function tabTo(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if ((await focused(page)) === name) return
    await page.keyboard.press("Tab")
  }
  throw new Error(`"${name}" is not reached by ${MOST_TABS} tabs`)
}

async function expectFocus(page: Page, name: string): Promise<void> {
  await expect.poll(() => focused(page)).toBe(name)
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement
    return at?.getAttribute("aria-label") ?? at?.textContent ?? ""
  })
}
