/** The palette, the default agent, and the queue on a phone. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { expect, onTestFinished, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { startSteeredModel } from "./model.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"
import { startNamed } from "./serving.ts"
import { fill, tab } from "./tabs.ts"

const stage = useStage()
const browser = useBrowser()
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test("[TAB-36] nothing that is typed right after the shortcut is lost while the palette is loading", async () => {
  const { parlor } = stage()
  const page = await browser.page(parlor.address)
  await roomOf(page).box.waitFor()
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(/\/Palette-[^/]*\.js/, async (route) => {
    await held
    await route.continue()
  })
  await page.keyboard.press("Control+k")
  await page.keyboard.type("sett")
  letGo()
  await page.keyboard.type("ings")
  await expectText(page.getByRole("option", { selected: true }), "Settings")
  await page.keyboard.press("Enter")
  await page.getByRole("dialog", { name: "Settings" }).waitFor()
})

test("[TAB-36] finds every action, settings and archived conversations, and does what it says", async () => {
  const { parlor, model } = stage()
  await fill(parlor, "rome", "Rome", 2)
  await fill(parlor, "paris", "Paris", 2)
  await parlor.sdk.conversation("host", "paris").mark({ archived: true })
  const page = await browser.page(`${parlor.url}/#token=${parlor.token}`, { colorScheme: "light" })
  await tab(page, "rome").getByRole("link").click()
  await expectText(roomOf(page).log, "Rome 2")
  const actions = ["Delete this", "Archive this", "Export this", "Theme: Dark", "Branches of", "Rename", "Pin or unpin"]
  for (const words of actions) await expectFirst(page, words)
  await roomOf(page).say("Count")
  const answer = await model.next()
  answer.say("One")
  await expectText(roomOf(page).replies.last(), "One")
  await choose(page, "Stop the reply")
  await expectText(roomOf(page).log, "Stopped")
  await choose(page, "Theme: Dark")
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark")
  await choose(page, "Paris 1")
  await expectText(roomOf(page).log, "Paris 2")
  await choose(page, "Unarchive this conversation")
  await expectCount(page.locator('[data-tabs] [data-tab="host/paris"]'), 1)
  await choose(page, "Delete this conversation")
  await expectText(page.locator("[role=status]"), "“Paris 1” deleted")
  await page.getByRole("heading", { name: "Chat with host" }).waitFor()
})

test("[TAB-36] the shortcut opens the palette again in the very moment it closes", async () => {
  const page = await browser.page(stage().parlor.address)
  const box = page.getByRole("combobox", { name: "Find a conversation, agent, page or action" })
  await roomOf(page).box.waitFor()
  await page.keyboard.press("Control+k")
  await box.waitFor()
  // The browser reports the closing in a later task; these keys come before that.
  await page.evaluate(() => {
    const press = () =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent("keydown", { key: "k", code: "KeyK", ctrlKey: true, bubbles: true }),
      )
    for (let times = 0; times < 3; times++) {
      document.querySelector<HTMLDialogElement>("dialog:modal")?.close()
      press()
    }
    return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  })
  await expectCount(box, 1)
  await box.fill("settings")
  await page.keyboard.press("Enter")
  await page.getByRole("dialog", { name: "Settings" }).waitFor()
})

test("[TAB-38] without an agent called host, the printed address opens the first agent of the server", async () => {
  const model = await startSteeredModel()
  const folder = mkdtempSync(join(tmpdir(), "parlor-e2e-"))
  const token = "a-token-for-a-server-without-a-host-0123456789"
  const serving = await startNamed({ folder, token, port: 0, modelUrl: model.url }, ["guide", "critic"])
  onTestFinished(async () => {
    await serving.close()
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const page = await browser.page(`${serving.url}/#token=${token}`)
  await page.getByRole("heading", { name: "Chat with guide" }).waitFor()
  await expectCount(page.getByRole("alert"), 0)
  const room = roomOf(page, "guide")
  await room.say("Hello")
  const answer = await model.next()
  answer.say("Welcome.")
  answer.end()
  await expectText(room.replies, "Welcome.")
  await page.goto("about:blank")
  await page.goto(serving.url)
  await expectText(room.replies, "Welcome.")
})

test("[TAB-30, TAB-40] on a phone the header is one line that fits, and each queued message one line with a menu", async () => {
  const { parlor, model } = stage()
  await fill(parlor, "main", "A very long title that does not fit into the header of a phone, not even nearly", 2)
  const page = await browser.page(parlor.address, PHONE)
  const room = roomOf(page)
  await room.say("Count")
  const answer = await model.next()
  answer.say("One")
  for (const text of ["Apples and a long list of other things to buy on the way home", "Bread"]) await room.say(text)
  await expectText(room.queue, "2 queued")
  const heights = await room.queue.getByRole("listitem").evaluateAll((rows) => rows.map((row) => row.clientHeight))
  expect(Math.max(...heights)).toBeLessThanOrEqual(48)
  const head = await room.queue.getByRole("heading").evaluate((title) => title.parentElement?.clientHeight ?? 0)
  expect(head).toBeLessThanOrEqual(48)
  const header = page.locator("main > header, main header").first()
  const isCut = await header.evaluate(
    (element) => element.scrollWidth > element.clientWidth || element.clientHeight > 60,
  )
  expect(isCut).toBe(false)
  await room.waiting("Bread").getByRole("button", { name: "More actions for Bread" }).tap()
  await page.getByRole("menuitem", { name: "Move up" }).tap()
  await expectText(room.queue, /Bread next Apples/)

  await room.queue.getByRole("button", { name: "Clear all" }).tap()
  await expectText(room.queue, "Remove all 2?")
  await parlor.sdk.conversation("host").send("Cheese")
  await expectText(room.queue, "3 queued")
  await expectCount(room.queue.getByText(/Remove all/), 0)
  answer.end()
})

async function open(page: Page, typed: string) {
  const box = page.getByRole("combobox", { name: "Find a conversation, agent, page or action" })
  await page.keyboard.press("Control+k")
  await box.fill(typed)
  return page.getByRole("option", { selected: true })
}

async function expectFirst(page: Page, words: string): Promise<void> {
  await expectText(await open(page, words), words)
  await page.keyboard.press("Escape")
  await expectCount(page.getByRole("listbox", { name: "Results" }), 0)
}

async function choose(page: Page, words: string): Promise<void> {
  await expectText(await open(page, words), words)
  await page.keyboard.press("Enter")
  await expectCount(page.getByRole("listbox", { name: "Results" }), 0)
}
