import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { type SteeredModel, startSteeredModel } from "./model.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectText, type Room, roomOf } from "./room.ts"

/** TAB-5. */
const MOST_MOUNTED = 200
const IMPORTED = 2_000
/** Thread time of one frame: five times the target, generous for slow machines. */
const MOST_WORK_MS = 250
const TIMEOUT = { timeout: 240_000 }
/** The number of messages after each page of older ones except the last. */
const BY_PAGE = ["530", "1,030", "1,530"]

let model: SteeredModel
let parlor: TestParlor
beforeAll(async () => {
  model = await startSteeredModel()
  parlor = await startParlor({ model })
  const lines = Array.from({ length: IMPORTED }, (_, index) => {
    const text =
      index === 200 ? "Here is the **nee**dle, far up." : `Message ${index + 1}. ${"Words. ".repeat(index % 9)}`
    return JSON.stringify({ role: index % 2 === 0 ? "person" : "agent", text })
  })
  await parlor.sdk.importLines("host", "main", lines.join("\n"))
})
afterAll(async () => {
  await parlor.close()
  await model.close()
})
const browser = useBrowser()

test(
  "[TAB-5, TAB-7] of two thousand messages few are in the page, wherever one is, and the focus stays",
  TIMEOUT,
  async () => {
    const room = await open()
    const rows = room.log.locator("[data-row]")
    await loadAll(room)
    await watchRows(room.page)
    const box = room.page.getByRole("button", { name: "Copy message" }).last()
    await room.page.mouse.move(600, 300)
    for (const wheel of [-3_000, -100_000, -1_000_000, 500_000]) {
      await room.page.mouse.wheel(0, wheel)
      await room.page.evaluate(() => new Promise(requestAnimationFrame))
    }
    expect(await mostRows(room.page)).toBeLessThanOrEqual(MOST_MOUNTED)
    await room.page.mouse.wheel(0, 10_000_000)
    await expectText(room.log, `Message ${IMPORTED}.`)
    await expect.poll(() => distanceFromEnd(room)).toBeLessThanOrEqual(1)
    await box.focus()
    const named = await room.page.evaluate(
      () => document.activeElement?.closest("[data-row]")?.getAttribute("data-row") ?? "",
    )
    await room.page.mouse.wheel(0, -50_000)
    await expect.poll(() => distanceFromEnd(room)).toBeGreaterThan(10_000)
    await expectCount(room.log.locator(`[data-row="${named}"]`), 1)
    expect(await room.page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Copy message")
    expect(await rows.count()).toBeLessThanOrEqual(MOST_MOUNTED)
  },
)

test("[TAB-34] words are found in what is loaded, then in what is older, and marked", TIMEOUT, async () => {
  const room = await open()
  const { page } = room
  await room.box.focus()
  await page.keyboard.press("Control+f")
  const bar = page.getByRole("search", { name: "Find in this conversation" })
  const field = bar.getByRole("textbox")
  await field.fill("message 1999")
  await expectText(bar.getByRole("status"), "1 of 1")
  await field.fill("NEEDLE")
  await expectText(bar.getByRole("status"), "No matches")
  await expectText(bar, "Searched the 30 newest messages.")
  expect(await bar.getByRole("link", { name: "Search everything" }).getAttribute("href")).toContain("NEEDLE")
  const more = bar.getByRole("button", { name: "Load older" })
  for (const loaded of BY_PAGE) {
    await more.click()
    await expectText(bar, `Searched the ${loaded} newest messages.`)
  }
  await more.click()
  await expectText(bar.getByRole("status"), "1 found")
  await field.press("Enter")
  await expectText(bar.getByRole("status"), "1 of 1")
  const found = room.log.locator("article").filter({ hasText: "Here is the needle" })
  await expect.poll(async () => isInView(page, await found.boundingBox())).toBe(true)
  await expect.poll(() => marked(page)).toEqual(["needle"])
  await field.fill("words")
  await expectText(bar.getByRole("status"), /of 7,\d{3}/)
  await field.press("Shift+Enter")
  await field.press("Escape")
  await expectCount(bar, 0)
  await expect.poll(() => marked(page)).toEqual([])
  await expect.poll(() => room.box.evaluate((box) => box.contains(document.activeElement))).toBe(true)
})

test(
  "[TAB-7] a fast answer with code, a table and formulas is followed to its end without long tasks",
  TIMEOUT,
  async () => {
    const room = await open()
    await room.say("Tell me everything")
    const answer = await model.next()
    answer.say("It begins.\n\n")
    await expectText(room.replies.last(), "It begins.")
    const work = await watchWork(room.page)
    const parts = [
      ...Array.from({ length: 40 }, (_, index) =>
        `Paragraph ${index} with **bold** words and \`code\`. `.repeat(4).concat("\n\n"),
      ),
      "```ts\n",
      ...Array.from({ length: 300 }, (_, index) => `const line${index} = ${index} // a line of code\n`),
      "```\n\n| a | b |\n|---|---|\n",
      ...Array.from({ length: 40 }, (_, index) => `| row ${index} | $x_{${index}}^2$ |\n`),
      "\n$$\n\\int_0^1 x\\,dx = \\frac{1}{2}\n$$\n\nThe end of it.",
    ]
    for (const part of parts) {
      answer.say(part)
      await new Promise((resolve) => setImmediate(resolve))
    }
    answer.end()
    await expectText(room.replies.last(), "The end of it.")
    await expectText(room.status, "Ready")
    await room.log.locator(".katex-display").waitFor()
    await expectCount(room.log.locator("td .katex"), 40)
    expect(await work.longestMs()).toBeLessThan(MOST_WORK_MS)
    await expectCount(room.page.getByRole("button", { name: "Jump to newest" }), 0)
    await expect.poll(() => distanceFromEnd(room)).toBeLessThanOrEqual(1)
  },
)

test(
  "[TAB-51] on a slow device, too, a conversation with rows of all heights opens at its newest message",
  TIMEOUT,
  async () => {
    const texts = [
      (n: number) => `${"| a | b |\n|---|---|\n"}${"| 1 | 2 |\n".repeat(n % 17)}`,
      (n: number) => `\`\`\`ts\n${"const a = 1\n".repeat((n * 7) % 31)}\`\`\``,
      (n: number) => `$$\\frac{${n}}{2}$$\n\n${"Words. ".repeat((n * 53) % 400)}`,
      () => "Short.",
    ]
    const lines = Array.from({ length: 60 }, (_, index) =>
      JSON.stringify({ role: index % 2 === 0 ? "person" : "agent", text: texts[index % texts.length]?.(index) }),
    )
    await parlor.sdk.importLines(
      "host",
      "tall",
      [...lines, JSON.stringify({ role: "agent", text: "The end." })].join("\n"),
    )
    const page = await browser.page(parlor.address)
    await page.goto(`${parlor.url}/#/host/tall`)
    const room = roomOf(page)
    await expectText(room.replies.last(), "The end.")
    const cdp = await page.context().newCDPSession(page)
    for (const rate of [2, 4, 8, 16]) {
      await cdp.send("Emulation.setCPUThrottlingRate", { rate })
      await page.reload()
      await expectText(room.status, "Ready")
      await expectText(room.replies.last(), "The end.")
      await expect.poll(() => distanceFromEnd(room), { message: `${rate} times slower` }).toBeLessThanOrEqual(1)
    }
  },
)

async function open(): Promise<Room> {
  const room = roomOf(await browser.page(parlor.address))
  await expectText(room.status, "Ready")
  await expectText(room.log, /Message \d+\.|The end of it/)
  return room
}

/** Loads everything, as a person would. */
async function loadAll(room: Room): Promise<void> {
  await room.page.keyboard.press("Control+f")
  const bar = room.page.getByRole("search", { name: "Find in this conversation" })
  await bar.getByRole("textbox").fill("zzz")
  for (const loaded of BY_PAGE) {
    await bar.getByRole("button", { name: "Load older" }).click()
    await expectText(bar, `Searched the ${loaded} newest messages.`)
  }
  await bar.getByRole("button", { name: "Load older" }).click()
  await expectCount(bar.getByText("Searched the"), 0)
  await bar.getByRole("textbox").press("Escape")
}

function distanceFromEnd(room: Room): Promise<number> {
  return room.log.evaluate((log) => {
    const scroller = log.parentElement ?? log
    return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
  })
}

type Watching = { mostRows: number }

function watchRows(page: Page): Promise<void> {
  return page.evaluate(() => {
    const watching = globalThis as unknown as Watching
    watching.mostRows = 0
    const look = () => {
      watching.mostRows = Math.max(watching.mostRows, document.querySelectorAll("[data-row]").length)
      requestAnimationFrame(look)
    }
    look()
  })
}

function mostRows(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as Watching).mostRows)
}

type TraceEvent = { readonly name: string; readonly ph: string; readonly tid: number; readonly tdur?: number }

/** Records the longest task of the main thread until it is read. */
async function watchWork(page: Page): Promise<{ longestMs(): Promise<number> }> {
  const cdp = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  cdp.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const traceConfig = { includedCategories: ["toplevel", "devtools.timeline"] }
  await cdp.send("Tracing.start", { transferMode: "ReportEvents", traceConfig })
  return {
    async longestMs() {
      const complete = new Promise((resolve) => cdp.once("Tracing.tracingComplete", resolve))
      await cdp.send("Tracing.end")
      await complete
      const layouts = events.filter(({ name }) => name === "UpdateLayoutTree" || name === "Layout")
      const threads = new Set(layouts.map(({ tid }) => tid))
      const tasks = events.filter(({ name, tid }) => name.endsWith("RunTask") && threads.has(tid))
      expect(tasks.length, "tasks that were seen").toBeGreaterThan(100)
      return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000
    },
  }
}

/** The words that the browser highlights. */
function marked(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [...(CSS.highlights.get("found") ?? [])].map((range) => String(range)))
}

function isInView(page: Page, box: { readonly y: number; readonly height: number } | null): boolean {
  const height = page.viewportSize()?.height ?? 0
  return box !== null && box.y > 0 && box.y + box.height < height
}
