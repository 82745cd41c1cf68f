import { endFrames, openPage, quantile, startFrames } from "./talkative.mjs"

const MESSAGES = 10_000
const OLDER = "Load older messages"

/**
 * Frame times while scrolling through 10,000 loaded messages.
 *
 * @type {import("./talkative.mjs").MeasuredPart}
 */
export async function scrolling(browser, parlor) {
  await parlor.fill("main", MESSAGES)
  const page = await openPage(browser, parlor.address)
  const log = page.locator("[role=log]")
  await log.locator("article").last().waitFor()
  const loaded = await page.evaluate(loadAll, OLDER)
  await page.evaluate(toEnd, "bottom")
  await page.waitForTimeout(1_000)
  await startFrames(page)
  const path = await page.evaluate(scrollUp, 12_000)
  const { frames, longTasks } = await endFrames(page)
  const mounted = await log.locator("article").count()
  await page.context().close()
  return [
    { what: `pages of older messages loaded by hand`, seen: loaded, unit: "" },
    { what: "pixels scrolled", seen: path, unit: "px" },
    { what: "scrolling 10,000 messages: 95 % of frames", seen: quantile(frames, 0.95), asked: 17, unit: "ms" },
    { what: "scrolling 10,000 messages: longest frame", seen: Math.max(...frames), unit: "ms" },
    { what: "scrolling 10,000 messages: longest task of the main thread", seen: Math.max(0, ...longTasks), unit: "ms" },
    { what: "messages mounted at the end", seen: mounted, asked: 200, unit: "" },
  ]
}

/**
 * Runs in the page: loads older pages until there are none left.
 *
 * @param {string} name
 */
async function loadAll(name) {
  let pages = 0
  const scroller = document.querySelector("[role=log]")?.parentElement
  for (let idle = 0; idle < 200; ) {
    if (scroller) scroller.scrollTop = 0
    const button = [...document.querySelectorAll("button")].find((one) => one.textContent?.includes(name))
    if (button === undefined || button.disabled) idle += 1
    else {
      button.click()
      pages += 1
      idle = 0
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return pages
}

/**
 * Runs in the page.
 *
 * @param {string} end
 */
function toEnd(end) {
  const scroller = document.querySelector("[role=log]")?.parentElement
  if (scroller) scroller.scrollTop = end === "bottom" ? scroller.scrollHeight : 0
}

/**
 * Runs in the page: scrolls up at a constant speed, to the top at most.
 *
 * @param {number} forMs
 */
async function scrollUp(forMs) {
  const scroller = document.querySelector("[role=log]")?.parentElement
  if (!scroller) return 0
  const began = performance.now()
  let path = 0
  while (performance.now() - began < forMs && scroller.scrollTop > 0) {
    scroller.scrollTop -= 60
    path += 60
    await new Promise(requestAnimationFrame)
  }
  return path
}
