/** The settings dialog (SET-4 to SET-8). */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { barriers } from "./axe.ts"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectText } from "./room.ts"

const browser = useBrowser()
let parlor: TestParlor
beforeAll(async () => {
  parlor = await startParlor()
})
afterAll(() => parlor.close())

async function openSettings(page: Page) {
  await page.getByRole("log").waitFor()
  await page.keyboard.press("Alt+,")
  const settings = page.getByRole("dialog", { name: "Settings" })
  await settings.getByRole("button", { name: "Save" }).waitFor()
  return settings
}

test("[SET-4] the size of text is kept, and is there before the first paint", async () => {
  const page = await browser.page(parlor.address)
  const settings = await openSettings(page)
  await settings.getByRole("radio", { name: "Larger" }).click()
  const size = () => page.evaluate(() => getComputedStyle(document.documentElement).fontSize)
  await expect.poll(size).toBe("20px")
  await page.route("**/assets/**", (route) => route.abort())
  browser.expectErrors(/ERR_FAILED/)
  await page.reload()
  // Without any style or script of the page.
  expect(await page.locator("html").getAttribute("data-text")).toBe("larger")
})

test("[SET-5, SET-8] instructions, agent and budgets are the same on every device; a conflict keeps both", async () => {
  browser.expectErrors(/409/)
  const page = await browser.page(parlor.address)
  const other = await browser.page(parlor.address, { viewport: { width: 390, height: 844 } })
  const [here, there] = [await openSettings(page), await openSettings(other)]
  await here.getByLabel("Instructions for every agent").fill("Use metric units.")
  await here.getByLabel("New chats begin with").selectOption("critic")
  await here.getByRole("button", { name: "Save" }).click()
  await expectText(here.getByText("Saved."), "Saved.")
  await there.getByLabel("Tokens per day").fill("1.5")
  await expectText(there, "Enter a whole number above zero.")
  await there.getByLabel("Tokens per day").fill("1000000")
  await there.getByRole("button", { name: "Save" }).click()
  await expectText(there, "Your settings were changed on another device.")
  await expect.poll(() => there.getByLabel("Instructions for every agent").inputValue()).toBe("Use metric units.")
  await there.getByRole("button", { name: "Save" }).click()
  await expectText(there.getByText("Saved."), "Saved.")
  expect(await parlor.sdk.preferences()).toEqual({
    preferences: { instructions: "Use metric units.", agent: "critic", tokensPerDay: 1_000_000 },
    version: 2,
  })
  await page.keyboard.press("Escape")
  await page.getByRole("button", { name: "New chat", exact: true }).click()
  await page.getByRole("textbox", { name: "Message to critic" }).waitFor()
})

test("[SET-4, TAB-27] the settings fit a phone, in German too, and have no accessibility problems", async () => {
  for (const locale of ["en-US", "de-DE"]) {
    const page = await browser.page(parlor.address, { locale, viewport: { width: 390, height: 844 } })
    await page.getByRole("log").waitFor()
    await page.keyboard.press("Alt+,")
    await page.locator("dialog form textarea").waitFor()
    expect(await barriers(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    const cut = await page.locator("dialog[open]").evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)
    expect(cut).toBeLessThanOrEqual(0)
  }
})
