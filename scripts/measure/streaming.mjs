import { endFrames, openPage, quantile, startFrames, TOKENS_A_SECOND } from "./talkative.mjs"

/**
 * Frame times while a reply streams at 200 tokens per second into a long conversation.
 *
 * @type {import("./talkative.mjs").MeasuredPart}
 */
export async function streaming(browser, parlor) {
  await parlor.fill("main", 300)
  const page = await openPage(browser, parlor.address)
  await page.locator("[role=log] article").last().waitFor()
  const box = page.getByRole("textbox", { name: "Message to host" })
  await box.fill("Talk.")
  await box.press("Enter")
  await page.getByRole("button", { name: "Stop", exact: true }).waitFor()
  await page.waitForTimeout(500)
  await startFrames(page)
  await page.waitForTimeout(8_000)
  const { frames, longTasks } = await endFrames(page)
  await page.context().close()
  const what = `streaming ${TOKENS_A_SECOND} tokens/s`
  return [
    { what: `${what}: longest frame`, seen: Math.max(...frames), asked: 50, unit: "ms" },
    { what: `${what}: 95 % of frames`, seen: quantile(frames, 0.95), unit: "ms" },
    { what: `${what}: longest task of the main thread`, seen: Math.max(0, ...longTasks), asked: 50, unit: "ms" },
  ]
}
