/**
 * The pictures in docs/images: a short conversation with the demo model, as a browser shows it.
 *
 *   node scripts/screenshots.mjs
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { chromium } from "playwright-core"
import { ensureBrowser } from "./browser.mjs"
import { ensureBuilt, ensureInstalled, root, script } from "./setup.mjs"

const FOLDER = join(root, "docs", "images")
const MAX_BYTES = 400_000
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]

/** @typedef {import("playwright-core").BrowserContextOptions} Look */

/** @type {Look} */
const LIGHT = { colorScheme: "light", viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 }
/** @type {Look} */
const DARK = { ...LIGHT, colorScheme: "dark" }
/** @type {Look} */
const PHONE = { ...LIGHT, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

await script(async () => {
  await ensureInstalled()
  await ensureBuilt({ web: true })
  const data = mkdtempSync(join(tmpdir(), "parlor-pictures-"))
  const { startServing } = await import(pathToFileURL(join(root, "packages", "cli", "dist", "serve.js")).href)
  const serving = await startServing({ PARLOR_DATA: data, PARLOR_PORT: "0", PARLOR_MODEL: "demo", PARLOR_LOG: "error" })
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: ARGS })
  try {
    mkdirSync(FOLDER, { recursive: true })
    const address = `${serving.url}/#token=${serving.token}`
    const talking = await open(browser, address, LIGHT)
    await converse(talking)
    await picture(await open(browser, address, LIGHT), "page")
    await keepBusy(talking)
    await picture(await open(browser, address, DARK), "page-dark")
    await picture(await open(browser, address, PHONE), "page-phone")
  } finally {
    await browser.close()
    await serving.close()
    rmSync(data, { recursive: true, force: true })
  }
})

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} address
 * @param {Look} look
 */
async function open(browser, address, look) {
  const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce", ...look })
  const page = await context.newPage()
  await page.goto(address)
  await page.getByRole("textbox", { name: "Message to host" }).waitFor()
  return page
}

/** @param {import("playwright-core").Page} page */
async function converse(page) {
  await say(page, "Hello!")
  await page.getByText("For a real model").waitFor()
  await idle(page)
  await say(page, "Show me markdown")
  await page.getByText("That was the tour.").waitFor()
  await idle(page)
  await say(page, "What time is it?")
  await page.getByText("I asked the").waitFor()
  await idle(page)
}

/**
 * An answer under way, and a message that waits for its end.
 *
 * @param {import("playwright-core").Page} page
 */
async function keepBusy(page) {
  await say(page, "Count slowly to 500")
  await page.getByText("1, 2, 3, 4").waitFor()
  await say(page, "And what did I say first?")
  await page.getByRole("region", { name: "Queue" }).getByText("next").waitFor()
}

/**
 * @param {import("playwright-core").Page} page
 * @param {string} text
 */
async function say(page, text) {
  const box = page.getByRole("textbox", { name: "Message to host" })
  await box.fill(text)
  await box.press("Enter")
}

/** @param {import("playwright-core").Page} page */
async function idle(page) {
  await page.getByRole("status").getByText("Ready").waitFor()
}

/**
 * @param {import("playwright-core").Page} page
 * @param {string} name
 */
async function picture(page, name) {
  // Words show before their looks do.
  await page.locator("[role=log] table").waitFor()
  const path = join(FOLDER, `${name}.png`)
  await page.screenshot({ path, caret: "initial" })
  const { size } = statSync(path)
  if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes; ${MAX_BYTES} are enough for a picture.`)
  console.log(`${path}: ${Math.round(size / 1000)} kB`)
}
