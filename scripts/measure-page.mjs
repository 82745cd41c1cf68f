/**
 * Measures the page in a real browser and prints one line per metric, with its target. Compare numbers only within one
 * run on an idle machine. A missed target is printed, but does not fail the run.
 *
 *   node scripts/measure-page.mjs            everything
 *   node scripts/measure-page.mjs stream     the parts whose name contains "stream"
 */
import { chromium } from "playwright-core"
import { ensureBrowser } from "./browser.mjs"
import { firstLoad } from "./measure/first-load.mjs"
import { memory } from "./measure/memory.mjs"
import { opening } from "./measure/opening.mjs"
import { scrolling } from "./measure/scrolling.mjs"
import { streaming } from "./measure/streaming.mjs"
import { startTalkative } from "./measure/talkative.mjs"
import { ensureBuilt, ensureInstalled, script } from "./setup.mjs"

const ARGS = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"]
const PARTS = { firstLoad, opening, streaming, scrolling, memory }

await script(async () => {
  await ensureInstalled()
  await ensureBuilt({ web: true })
  const wanted = process.argv[2] ?? ""
  const chosen = Object.entries(PARTS).filter(([name]) => name.toLowerCase().includes(wanted.toLowerCase()))
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: ARGS })
  try {
    for (const [, part] of chosen) await measure(browser, part)
  } finally {
    await browser.close()
  }
})

/**
 * Each part gets its own server, so that parts do not affect each other.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {import("./measure/talkative.mjs").MeasuredPart} part
 */
async function measure(browser, part) {
  const parlor = await startTalkative()
  try {
    for (const { what, seen, asked, unit } of await part(browser, parlor)) {
      const verdict = asked === undefined ? "" : seen <= asked ? `at most ${asked}: met` : `at most ${asked}: MISSED`
      console.log(`${what.padEnd(62)} ${format(seen).padStart(8)} ${unit.padEnd(4)} ${verdict}`)
    }
  } finally {
    await parlor.close()
  }
}

/** @param {number} value */
function format(value) {
  if (value >= 100) return value.toFixed(0)
  return value < 1 ? value.toFixed(3) : value.toFixed(1)
}
