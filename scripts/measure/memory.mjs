import { openPage } from "./talkative.mjs"

const FEW = 5
const MANY = 50
const MESSAGES = 60

/**
 * Memory use of the page with 50 tabs opened one after another, compared with 5.
 *
 * @type {import("./talkative.mjs").MeasuredPart}
 */
export async function memory(browser, parlor) {
  const branches = Array.from({ length: MANY }, (_, index) => `topic-${index + 1}`)
  for (const branch of branches) await parlor.fill(branch, MESSAGES)
  const page = await openPage(browser, parlor.address)
  const visit = async (/** @type {string} */ branch) => {
    await page.locator(`nav a[href="#/host/${branch}"]`).click()
    await page.locator("[role=log] article", { hasText: `Question ${MESSAGES - 1} in ${branch}?` }).waitFor()
  }
  for (const branch of branches.slice(0, FEW)) await visit(branch)
  const few = await held(page)
  for (const branch of branches.slice(FEW)) await visit(branch)
  const many = await held(page)
  await page.context().close()
  return [
    { what: `JS heap with ${FEW} tabs opened`, seen: few.heap / 1e6, unit: "MB" },
    { what: `JS heap with ${MANY} tabs opened`, seen: many.heap / 1e6, unit: "MB" },
    { what: `${MANY} tabs against ${FEW}: JS heap`, seen: many.heap / few.heap, asked: 1.5, unit: "x" },
    { what: `${MANY} tabs against ${FEW}: DOM nodes`, seen: many.nodes / few.nodes, asked: 1.5, unit: "x" },
  ]
}

/**
 * Heap size and node count after garbage collection.
 *
 * @param {import("playwright-core").Page} page
 */
async function held(page) {
  await page.waitForTimeout(1_500)
  const inside = await page.context().newCDPSession(page)
  for (let round = 0; round < 3; round++) await inside.send("HeapProfiler.collectGarbage")
  const { usedSize } = await inside.send("Runtime.getHeapUsage")
  const { nodes } = await inside.send("Memory.getDOMCounters")
  await inside.detach()
  return { heap: usedSize, nodes }
}
