/** What a first visit costs, and its budget. The test `test/e2e/first-load.test.ts` fails above it. */

/** In kB of 1,000 bytes, compressed, with headers; the layout shift as browsers score it. */
export const BUDGET = { scriptKb: 250, styleKb: 20, requests: 40, layoutShift: 0.05 }

/**
 * @typedef {object} Load
 * @property {number} scriptBytes Until the conversation shows.
 * @property {number} totalScriptBytes Once the page is idle, without interaction.
 * @property {number} styleBytes
 * @property {number} requests Files of the page, not of its API.
 * @property {number} layoutShift The sum of all shifts, which is at least what browsers report.
 * @property {readonly string[]} shifted What moved.
 * @property {number} shownMs
 */

/**
 * How much is transferred and how much moves until a conversation shows, and until the page is idle.
 *
 * @type {import("./talkative.mjs").MeasuredPart}
 */
export async function firstLoad(browser, parlor) {
  await parlor.fill("main", 40)
  const context = await browser.newContext()
  const load = await loadOf(await context.newPage(), parlor.address)
  await context.close()
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const onPhone = await loadOf(await phone.newPage(), parlor.address)
  await phone.close()
  const kb = (/** @type {number} */ bytes) => bytes / 1_000
  const about = (/** @type {string} */ what, /** @type {number} */ seen, /** @type {number} */ asked, unit = "kB") => ({
    what: `first load: ${what}`,
    seen,
    asked,
    unit,
  })
  return [
    about("script, compressed, until the conversation shows", kb(load.scriptBytes), BUDGET.scriptKb),
    about("script, compressed, total without interaction", kb(load.totalScriptBytes), BUDGET.scriptKb),
    about("style, compressed", kb(load.styleBytes), BUDGET.styleKb),
    about("files of the page", load.requests, BUDGET.requests, ""),
    about("layout shift", load.layoutShift, BUDGET.layoutShift, ""),
    about("layout shift on a phone", onPhone.layoutShift, BUDGET.layoutShift, ""),
    { what: "first load: until the conversation shows", seen: load.shownMs, unit: "ms" },
  ]
}

/**
 * Opens the page, which must be new and show a conversation with `host`.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} address
 * @returns {Promise<Load>}
 */
export async function loadOf(page, address) {
  const wire = await page.context().newCDPSession(page)
  await wire.send("Network.enable")
  /** @type {Map<string, string>} */
  const types = new Map()
  const bytes = { Script: 0, Stylesheet: 0 }
  let requests = 0
  wire.on("Network.responseReceived", ({ requestId, type, response }) => {
    types.set(requestId, type)
    if (!new URL(response.url).pathname.startsWith("/v1/")) requests += 1
  })
  wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId)
    if (type === "Script" || type === "Stylesheet") bytes[type] += encodedDataLength
  })
  await page.addInitScript(watchShifts)
  const began = performance.now()
  await page.goto(address)
  await page.getByRole("textbox", { name: "Message to host" }).waitFor()
  await page.locator("[role=log] article").last().waitFor()
  const shownMs = performance.now() - began
  const scriptBytes = bytes.Script
  await page.waitForTimeout(2_000)
  const shifts = /** @type {{ value: number, of: string }[]} */ (await page.evaluate("window.layoutShifts"))
  return {
    scriptBytes,
    totalScriptBytes: bytes.Script,
    styleBytes: bytes.Stylesheet,
    requests,
    layoutShift: shifts.reduce((sum, { value }) => sum + value, 0),
    shifted: shifts.map(({ value, of }) => `${value.toFixed(4)} ${of}`),
    shownMs,
  }
}

/** Runs in the page, before it loads. */
function watchShifts() {
  /** @type {{ value: number, of: string }[]} */
  const shifts = []
  Object.assign(window, { layoutShifts: shifts })
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, sources = [] } = /** @type {{ value: number, sources?: { node?: Node }[] }} */ (
        /** @type {unknown} */ (entry)
      )
      const of = sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 80) : "")).join(" | ")
      shifts.push({ value, of })
    }
  })
  observer.observe({ type: "layout-shift", buffered: true })
}
