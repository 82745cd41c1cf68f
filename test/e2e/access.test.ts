import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectText, roomOf } from "./room.ts"

const WIDE = [
  "# A heading",
  `A${"very".repeat(60)}longword and https://example.com/${"path/".repeat(40)}`,
  `| ${"a wide column | ".repeat(9)}\n|${"---|".repeat(9)}\n| ${"and its value | ".repeat(9)}`,
  `\`\`\`ts\nconst ${"aLongLine".repeat(30)} = 1\n\`\`\``,
].join("\n\n")

const stage = useStage()
const browser = useBrowser()

test("[TAB-12] with the keyboard alone one reaches the box, sends, stops and goes on writing", async () => {
  const { parlor, model } = stage()
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await expectText(room.status, "Ready")
  expect(await focused(page)).toBe("Message to host")
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await tabTo(page, "Message to host")
  await page.keyboard.type("Typed, not clicked")
  await page.keyboard.press("Shift+Enter")
  await page.keyboard.type("on two lines")
  await page.keyboard.press("Enter")
  const answer = await model.next()
  expect(answer.asked).toBe("Typed, not clicked\non two lines")
  answer.say("Talking")
  await room.stop.waitFor()
  await tabTo(page, "Stop")
  expect(await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)).toBe("solid")
  await page.keyboard.press("Space")
  await expectText(room.status, "Stopped")
  expect(await focused(page)).toBe("Message to host")
})

test("[TAB-12] everything one can use has a name for screen readers", async () => {
  const { parlor, model } = stage()
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await room.say("Show me everything")
  const answer = await model.next()
  answer.say(`${WIDE}\n\n[a link](https://example.com) ![a picture](https://x.test/p.png)\n\n- [ ] to do`)
  await room.say("Queued")
  await expectText(room.queue, "Queued")
  expect(await namelessIn(page)).toEqual([])
  expect(await page.getByRole("main").count()).toBe(1)
  expect(await page.getByRole("navigation", { name: "Agents" }).count()).toBe(1)
  expect(await page.getByRole("heading", { level: 1 }).first().innerText()).toBe("host")
})

test("[TAB-12] it fits a phone and a narrow window without scrolling sideways, in light and in dark", async () => {
  const { parlor, model } = stage()
  const context = await browser.person({ colorScheme: "dark", viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await context.newPage()
  await page.goto(parlor.url)
  await page.getByRole("heading", { name: "Open Parlor" }).waitFor()
  expect(await overflow(page)).toBeLessThanOrEqual(0)
  await page.goto(parlor.address)
  await page.reload()
  const room = roomOf(page)
  await room.page.getByRole("heading", { name: "Talk with host" }).waitFor()
  expect(await overflow(page)).toBeLessThanOrEqual(0)
  await room.say(WIDE)
  const answer = await model.next()
  answer.say(WIDE)
  answer.end()
  await room.replies.getByRole("table").waitFor()
  for (const width of [390, 320, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await overflow(page), `at ${width}`).toBeLessThanOrEqual(0)
  }
  expect(await brightness(page)).toBeLessThan(60)
  await page.emulateMedia({ colorScheme: "light" })
  expect(await brightness(page)).toBeGreaterThan(220)
})

test("[TAB-12] on a phone the agents open from the name above the conversation", async () => {
  const { parlor } = stage()
  const page = await browser.page(parlor.address, { viewport: { width: 390, height: 844 } })
  await page.getByRole("button", { name: "Agent: host. Choose another" }).click()
  await page.getByRole("link", { name: /critic/ }).click()
  await page.getByRole("heading", { name: "Talk with critic" }).waitFor()
  expect(await page.getByRole("link", { name: /critic/ }).isVisible()).toBe(false)
})

const MOST_TABS = 20

async function tabTo(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    await page.keyboard.press("Tab")
    if ((await focused(page)) === name) return
  }
  throw new Error(`"${name}" is not reached by ${MOST_TABS} tabs`)
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "")
}

/** What takes part and has no name, as the browser tells screen readers. */
async function namelessIn(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send("Accessibility.getFullAXTree")
  const used = /^(button|link|textbox|checkbox|navigation|log|region|article|img|image|figure|DisclosureTriangle)$/
  return nodes
    .filter((node) => !node.ignored && used.test(String(node.role?.value)) && !String(node.name?.value ?? "").trim())
    .map((node) => String(node.role?.value))
}

function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const log = document.querySelector("[role=log]")?.parentElement
    const inner = log ? log.scrollWidth - log.clientWidth : 0
    return Math.max(document.documentElement.scrollWidth - window.innerWidth, inner)
  })
}

/** 0 for black, 255 for white. */
function brightness(page: Page): Promise<number> {
  return page.evaluate(() => {
    const colours = getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []
    return colours.slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3
  })
}
