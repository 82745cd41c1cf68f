/**
 * Takes screenshots of the page with the demo model.
 *
 *   node scripts/screenshots.mjs               those in docs/images
 *   node scripts/screenshots.mjs all <folder>  every view, light and dark, on a desktop and a phone
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { chromium } from "playwright-core"
import { ensureBrowser } from "./browser.mjs"
import { setStage } from "./pictures/stage.mjs"
import { views } from "./pictures/views.mjs"
import { ensureBuilt, ensureInstalled, root, script } from "./setup.mjs"

const FOLDER = join(root, "docs", "images")
const MAX_BYTES = 400_000
const SETTLE_MS = 400
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]

/** @typedef {import("playwright-core").BrowserContextOptions} Look */

/** @type {Look} */
const DESKTOP = { viewport: { width: 1440, height: 900 } }
/** @type {Look} */
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
/** @type {Readonly<Record<string, Look>>} */
const looks = {
  light: { ...DESKTOP, colorScheme: "light" },
  dark: { ...DESKTOP, colorScheme: "dark" },
  phone: { ...PHONE, colorScheme: "light" },
  "phone-dark": { ...PHONE, colorScheme: "dark" },
}
/** The screenshots in the documents: a view and its look. */
const DOCUMENTS = [
  ["conversation", "light"],
  ["busy", "dark"],
  ["conversation", "phone"],
  ["sidecar", "light"],
  ["rolled-back", "light"],
  ["files", "light"],
  ["inspector", "light"],
  ["palette", "dark"],
]

await script(async () => {
  await ensureInstalled()
  await ensureBuilt({ web: true })
  const [mode, folder] = process.argv.slice(2)
  const isAll = mode === "all"
  const into = isAll ? resolve(folder ?? "pictures") : FOLDER
  const data = mkdtempSync(join(tmpdir(), "parlor-pictures-"))
  const load = (/** @type {string} */ name) => import(pathToFileURL(join(root, "packages", name)).href)
  const { startServing } = await load("cli/dist/serve.js")
  const { Parlor } = await load("client/dist/index.js")
  const { composed } = await load("client/dist/composer.js")
  const settings = { PARLOR_MODEL: "demo", PARLOR_LOG: "error", PARLOR_DRAIN_MS: "0" }
  const serving = await startServing({ PARLOR_DATA: data, PARLOR_PORT: "0", ...settings })
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: ARGS })
  try {
    mkdirSync(into, { recursive: true })
    const compose = (/** @type {string} */ text) => composed(text, { agents: ["critic"] })
    await setStage(new Parlor({ baseUrl: serving.url, token: serving.token }), compose)
    const wanted = isAll ? views.flatMap(({ name }) => Object.keys(looks).map((look) => [name, look])) : DOCUMENTS
    for (const [name, look] of wanted) {
      const view = views.find((one) => one.name === name)
      if (view !== undefined && look !== undefined) await picture(browser, serving, view, look, { into, isAll })
    }
  } finally {
    await browser.close()
    await serving.close()
    rmSync(data, { recursive: true, force: true })
  }
})

/**
 * @param {import("playwright-core").Browser} browser
 * @param {{ url: string, token: string }} serving
 * @param {import("./pictures/views.mjs").View} view
 * @param {string} look
 * @param {{ into: string, isAll: boolean }} options
 */
async function picture(browser, serving, view, look, { into, isAll }) {
  const context = await browser.newContext({
    locale: "en-GB",
    reducedMotion: "reduce",
    deviceScaleFactor: isAll ? 1 : 1.5,
    ...looks[look],
  })
  const path = join(into, `${view.name}-${look}.png`)
  try {
    const page = await context.newPage()
    await page.goto(`${serving.url}/#token=${serving.token}`)
    await page.getByRole("textbox", { name: "Message to host" }).waitFor()
    await page.evaluate((address) => {
      location.hash = address
    }, view.at)
    if (view.act) {
      await page.getByRole("textbox", { name: "Message to host" }).waitFor()
      await view.act(page)
    }
    await view.ready(page).waitFor()
    // Text shows before fonts and styles have loaded.
    await page.waitForTimeout(SETTLE_MS)
    // A notification would cover what a picture is about.
    const news = page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Dismiss" })
    if (!isAll) for (const dismiss of await news.all()) await dismiss.click()
    await page.screenshot({ path, caret: "initial" })
  } catch (error) {
    if (!isAll) throw error
    console.error(`${view.name}, ${look}: ${error instanceof Error ? error.message.split("\n")[0] : error}`)
    return
  } finally {
    await context.close()
  }
  const { size } = statSync(path)
  if (!isAll && size > MAX_BYTES)
    throw new Error(`${path} is too large (${size} bytes). The maximum is ${MAX_BYTES} bytes.`)
  console.log(`${path}: ${Math.round(size / 1000)} kB`)
}
