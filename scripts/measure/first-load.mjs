/**
 * How much script is transferred until a conversation shows, and in total once the page is idle.
 *
 * @type {import("./talkative.mjs").MeasuredPart}
 */
export async function firstLoad(browser, parlor) {
  await parlor.fill("main", 40)
  const context = await browser.newContext()
  const page = await context.newPage()
  const wire = await context.newCDPSession(page)
  await wire.send("Network.enable")
  /** @type {Set<string>} */
  const scripts = new Set()
  let bytes = 0
  wire.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Script") scripts.add(requestId)
  })
  wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  const began = performance.now()
  await page.goto(parlor.address)
  await page.getByRole("textbox", { name: "Message to host" }).waitFor()
  await page.locator("[role=log] article").last().waitFor()
  const shownMs = performance.now() - began
  const untilShown = bytes
  await page.waitForTimeout(2_000)
  await context.close()
  return [
    {
      what: "first load: script, compressed, until the conversation shows",
      seen: untilShown / 1_000,
      asked: 250,
      unit: "kB",
    },
    { what: "first load: script, compressed, total without interaction", seen: bytes / 1_000, asked: 250, unit: "kB" },
    { what: "first load: until the conversation shows", seen: shownMs, unit: "ms" },
  ]
}
