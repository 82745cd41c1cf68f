/** The languages of the page (SET-1 to SET-3). */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { barriers } from "./axe.ts"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectText, roomOf } from "./room.ts"

const browser = useBrowser()
let parlor: TestParlor
beforeAll(async () => {
  parlor = await startParlor()
})
afterAll(() => parlor.close())

const GERMAN_CHUNK = /\/assets\/de-[\w-]+\.js/
const lang = (page: Page) => page.locator("html").getAttribute("lang")

/** Opens the search page and returns every heading that was ever drawn, and the scripts that were loaded. */
async function openSearch(locale: string) {
  const context = await browser.person({ locale })
  const scripts: string[] = []
  context.on("request", (request) => void scripts.push(request.url()))
  await context.addInitScript(() => {
    const drawn = new Set<string>()
    Object.assign(globalThis, { drawn })
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll("h1, h2, button, [aria-label]")) drawn.add(textContent)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
  const page = await context.newPage()
  await page.goto(parlor.address)
  await page.getByRole("log").waitFor()
  await page.evaluate(() => location.assign("#search/host/main"))
  const drawn = () => page.evaluate(() => [...(globalThis as unknown as { drawn: Set<string> }).drawn])
  return { context, page, scripts, drawn }
}

test("[SET-1, SET-2] a German browser gets German before anything is drawn", async () => {
  const { page, scripts, drawn } = await openSearch("de-DE")
  await page.getByRole("searchbox", { name: "Alle Chats und Erinnerungen durchsuchen" }).waitFor()
  expect(await lang(page)).toBe("de")
  expect(scripts.filter((url) => GERMAN_CHUNK.test(url))).toHaveLength(1)
  expect((await drawn()).filter((text) => text === "Search" || text === "Settings")).toEqual([])
})

test("[SET-1, SET-2] an English browser never loads German; a choice changes every window, and is kept", async () => {
  const { context, page, scripts } = await openSearch("en-US")
  const box = page.getByRole("searchbox", { name: "Search all conversations and memories" })
  await box.fill("heron")
  expect(await lang(page)).toBe("en")
  expect(scripts.filter((url) => GERMAN_CHUNK.test(url))).toEqual([])
  const other = await context.newPage()
  await other.goto(parlor.address)
  await other.getByRole("log").waitFor()
  await other.keyboard.press("Alt+,")
  const settings = other.getByRole("dialog", { name: "Settings" })
  await settings.getByRole("radio", { name: "Deutsch" }).click()
  await expect.poll(() => lang(page)).toBe("de")
  // The place and the words in the box survive.
  const translated = page.getByRole("searchbox", { name: "Alle Chats und Erinnerungen durchsuchen" })
  await expect.poll(() => translated.inputValue()).toBe("heron")
  await page.reload()
  await translated.waitFor()
  expect(await lang(page)).toBe("de")
})

test("[SET-1] without the chunk of its language the page speaks English, and works", async () => {
  browser.expectErrors(/ERR_FAILED|Failed to load/)
  const context = await browser.person({ locale: "de" })
  await context.route(GERMAN_CHUNK, (route) => route.abort())
  const page = await context.newPage()
  await page.goto(parlor.address)
  await expectText(roomOf(page).status, "Ready")
  expect(await lang(page)).toBe("en")
})

test.each([
  ["memory", "Gedächtnis"],
  ["triggers", "Auslöser"],
  ["files", "Dateien"],
  ["inspect", "Inspektor"],
  ["attachments", "Anhänge"],
])("[SET-2, TAB-27] the page %s is in German", async (name, title) => {
  const page = await browser.page(parlor.address, { locale: "de-DE" })
  await page.getByRole("log").waitFor()
  await page.evaluate((name) => location.assign(`#${name}/host/main`), name)
  await page.getByRole("heading", { level: 1, name: title }).waitFor()
  await expect.poll(() => page.title()).toContain(title)
  expect(await barriers(page)).toEqual([])
})

test("[SET-2, TAB-39] a schedule is created and listed in German words", async () => {
  const page = await browser.page(parlor.address, { locale: "de-DE" })
  await page.getByRole("log").waitFor()
  await page.evaluate(() => location.assign("#triggers/host/main"))
  await page.getByRole("button", { name: "Neu", exact: true }).click()
  await page.getByRole("menuitem", { name: "Zeitplan" }).click()
  const form = page.getByRole("form", { name: "Neuer Zeitplan" })
  await form.getByLabel("Nachricht an host").fill("Guten Morgen")
  await form.getByLabel("Wiederholen").selectOption({ label: "Jede Woche" })
  await expectText(form, /Jeden Montag um 09:00, deine Zeit/)
  await form.getByRole("button", { name: "Erstellen" }).click()
  const schedules = page.getByRole("region", { name: "Zeitpläne" })
  await expectText(schedules, /Guten Morgen.*jeden Montag um 09:00.*als Nächstes/)
})
