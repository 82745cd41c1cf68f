import { openPage, quantile } from "./talkative.mjs"

const MESSAGES = 10_000
const ROUNDS = 12
/** The shortest time between two clicks of a person: background work of the last click is done by then. */
const REST_MS = 500

/**
 * Time from a click on a tab to its shell, and to its newest messages, in a conversation of 10,000 messages.
 *
 * @type {import("./talkative.mjs").MeasuredPart}
 */
export async function opening(browser, parlor) {
  await parlor.fill("long", MESSAGES)
  await parlor.fill("other", 400)
  /** @type {number[]} */
  const shells = []
  /** @type {number[]} */
  const newest = []
  const page = await openPage(browser, parlor.address)
  await page.locator('nav a[href="#/host/long"]').waitFor()
  for (let round = 0; round < ROUNDS; round++) {
    await page.waitForTimeout(REST_MS)
    const branch = round % 2 === 0 ? "long" : "other"
    const timed = await page.evaluate(clickAndWatch, { branch, last: branch === "long" ? MESSAGES : 400 })
    if (branch === "long") {
      shells.push(timed.shellMs)
      newest.push(timed.newestMs)
    }
  }
  /** @type {number[]} */
  const cold = []
  for (let round = 0; round < 3; round++) {
    const fresh = await openPage(browser, parlor.address)
    await fresh.locator('nav a[href="#/host/long"]').waitFor()
    await fresh.waitForTimeout(REST_MS)
    const timed = await fresh.evaluate(clickAndWatch, { branch: "long", last: MESSAGES })
    cold.push(timed.newestMs)
    shells.push(timed.shellMs)
    await fresh.context().close()
  }
  await page.context().close()
  return [
    {
      what: "open a tab of 10,000 messages: shell after the click, worst",
      seen: Math.max(...shells),
      asked: 50,
      unit: "ms",
    },
    { what: "open a tab of 10,000 messages: shell, median", seen: quantile(shells, 0.5), asked: 50, unit: "ms" },
    { what: "newest messages, never opened before, worst", seen: Math.max(...cold), asked: 300, unit: "ms" },
    { what: "newest messages, coming back, worst", seen: Math.max(...newest), asked: 300, unit: "ms" },
  ]
}

/**
 * Runs in the page. Both times are those of the frame that painted it.
 *
 * @param {{ branch: string, last: number }} wanted
 */
async function clickAndWatch({ branch, last }) {
  const link = document.querySelector(`nav a[href="#/host/${branch}"]`)
  if (!(link instanceof HTMLElement)) throw new Error("no such tab")
  const began = performance.now()
  link.click()
  const painted = async (/** @type {() => boolean} */ isThere) => {
    while (!isThere()) {
      if (performance.now() - began > 10_000) throw new Error("timed out waiting for the messages")
      await new Promise(requestAnimationFrame)
    }
    // It was found at the start of a frame, which is painted by now.
    await new Promise((resolve) => setTimeout(resolve))
    return performance.now() - began
  }
  const says = (/** @type {string} */ where, /** @type {string} */ text) =>
    [...document.querySelectorAll(where)].some((element) => element.textContent?.includes(text))
  const shellMs = await painted(() => location.hash === `#/host/${branch}` && says("main header", branch))
  const newestMs = await painted(() => says("[role=log] article", `Question ${last - 1} in ${branch}?`))
  return { shellMs, newestMs }
}
