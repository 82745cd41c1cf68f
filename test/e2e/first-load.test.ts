/** The budget of a first visit: what is transferred, and what moves while it loads. */
import { expect, test } from "vitest"
import { BUDGET, loadOf } from "../../scripts/measure/first-load.mjs"
import { useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"

const stage = useStage()
const browser = useBrowser()

test.each([
  ["a desktop", { viewport: { width: 1440, height: 900 } }],
  ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true }],
] as const)("[TAB-43, TAB-44] on %s, the first load stays within its budget", async (_, options) => {
  const { parlor } = stage()
  const text = "Some **words** in several styles, with `code`, going on for a while. ".repeat(6)
  const table = "\n\n| name | value |\n|---|---|\n| first | 1 |\n\n```ts\nconst a = 1\n```\n"
  const lines = Array.from({ length: 40 }, (_, n) =>
    JSON.stringify(n % 2 === 0 ? { role: "person", text: `Question ${n}?` } : { role: "agent", text: text + table }),
  )
  await parlor.sdk.importLines("host", "main", lines.join("\n"))
  const context = await browser.person(options)
  const load = await loadOf(await context.newPage(), parlor.address)
  expect(load.totalScriptBytes / 1_000).toBeLessThanOrEqual(BUDGET.scriptKb)
  expect(load.totalScriptBytes).toBeGreaterThan(100_000)
  expect(load.styleBytes / 1_000).toBeLessThanOrEqual(BUDGET.styleKb)
  expect(load.requests).toBeLessThanOrEqual(BUDGET.requests)
  expect(load.layoutShift, load.shifted.join("\n")).toBeLessThanOrEqual(BUDGET.layoutShift)
})
