/** The triggers page: create, list, fire, pause, delete (TRG-7). */
import type { Page } from "playwright-core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectText } from "./room.ts"

let parlor: TestParlor
beforeEach(async () => {
  parlor = await startParlor()
})
afterEach(() => parlor.close())
const browser = useBrowser()

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true })

async function openTriggers(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Sidebar" }).getByRole("link", { name: "Triggers" }).click()
  await page.getByRole("heading", { name: "Triggers", exact: true }).waitFor()
}

test("[TRG-7] a person makes a schedule, fires it once, sees what became of it, pauses and deletes it", async () => {
  browser.expectErrors(/422/)
  const page = await browser.page(parlor.address)
  await openTriggers(page)
  await expectText(section(page, "Schedules"), "No schedules")
  await page.getByRole("button", { name: "New", exact: true }).click()
  await page.getByRole("menuitem", { name: "Schedule" }).click()
  const form = page.getByRole("form", { name: "New schedule" })
  await expect.poll(() => form.locator(":focus").count()).toBe(1)
  const tops = await form
    .locator("select, input")
    .evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().top))
  expect(new Set(tops.map(Math.round)).size, "the boxes of a row are on one line").toBe(1)
  await form.getByRole("button", { name: "Create" }).click()
  await expectText(form.getByRole("alert"), "Enter a message for the agent.")
  await form.getByLabel("Message for host").fill("what is new?")
  await expectText(form, "Every weekday at 09:00, your time")
  await form.getByLabel("Repeat").selectOption("weeks")
  await form.getByLabel("Day").selectOption("Friday")
  await form.getByLabel("Time").fill("18:30")
  await expectText(form, "Every Friday at 18:30, your time")
  await form.getByLabel("Repeat").selectOption("cron")
  await form.getByLabel("Minute hour day month weekday").fill("nonsense")
  await form.getByRole("button", { name: "Create" }).click()
  await expectText(page.getByRole("main").getByRole("alert"), "five fields")
  await form.getByLabel("Minute hour day month weekday").fill("0 9 * * 1-5")
  await form.getByRole("button", { name: "Create" }).click()
  await expectCount(form, 0)
  await expectText(section(page, "Schedules"), /what is new\?.*every weekday at 09:00.*next /)

  await page.getByRole("button", { name: "Fire what is new? now" }).click()
  await expect.poll(async () => (await parlor.sdk.conversation("host").open()).messages.length).toBe(2)
  await section(page, "Schedules").getByText("Recent firings").click()
  await expectText(section(page, "Schedules").getByRole("list").last(), /done|running|started/)
  const isOn = page.getByRole("switch", { name: "what is new? is on" })
  await isOn.click()
  await expect.poll(() => isOn.getAttribute("aria-checked")).toBe("false")
  expect(await parlor.sdk.schedules.list()).toMatchObject([{ state: "paused", last: { outcome: "started" } }])
  await page.getByRole("button", { name: "Delete what is new?" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click()
  await expectText(section(page, "Schedules"), "No schedules")
})

test("[TRG-5] a webhook's secret is shown once, and is on no page afterwards", async () => {
  const page = await browser.page(parlor.address)
  await openTriggers(page)
  await page.getByRole("button", { name: "New", exact: true }).click()
  await page.getByRole("menuitem", { name: "Webhook", exact: true }).click()
  const form = page.getByRole("form", { name: "New webhook" })
  await form.getByLabel("Message for host").fill("The build says {{body.status}}.")
  await form.getByRole("button", { name: "Create" }).click()
  const shown = section(page, "Webhook secret")
  await expectText(shown, "whsec_")
  await shown.getByRole("button", { name: "Done" }).click()
  await expectText(section(page, "Webhooks"), /The build says .*Standard Webhooks.*active/)
  await page.reload()
  await expectText(section(page, "Webhooks"), "The build says")
  expect(await page.content()).not.toContain("whsec_")
})
