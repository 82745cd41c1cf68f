import type { Locator, Page } from "playwright-core"
import { expect, onTestFinished, test } from "vitest"
import { barriers } from "./axe.ts"
import { useBrowser } from "./browser.ts"
import { startSteeredModel } from "./model.ts"
import { startParlor, useStage } from "./parlor.ts"
import { expectCount, expectSame, expectText, type Room, roomOf } from "./room.ts"

const WIDE = [
  "# A heading",
  `A${"very".repeat(60)}longword and https://example.com/${"path/".repeat(40)}`,
  `| ${"a wide column | ".repeat(9)}\n|${"---|".repeat(9)}\n| ${"and its value | ".repeat(9)}`,
  `\`\`\`ts\nconst ${"aLongLine".repeat(30)} = 1\n\`\`\``,
].join("\n\n")

const stage = useStage()
const browser = useBrowser()

test("[TAB-12, TAB-28] with the keyboard alone one reaches the box, sends, stops and goes on writing", async () => {
  const { parlor, model } = stage()
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await expectText(room.status, "Ready")
  await expect.poll(() => focused(page)).toBe("Message to host")
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
  await expect.poll(() => focused(page)).toBe("Message to host")
})

test("[TAB-27] everything one can use has a name for screen readers", async () => {
  const { parlor, model } = stage()
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await room.say("Show me everything")
  const answer = await model.next()
  answer.say(`${WIDE}\n\n[a link](https://example.com) ![a picture](https://x.test/p.png)\n\n- [ ] to do`)
  await room.say("Queued")
  await expectText(room.queue, "Queued")
  await room.replies.getByRole("checkbox").waitFor()
  expect(await namelessIn(page)).toEqual([])
  expect(await page.getByRole("main").count()).toBe(1)
  expect(await page.getByRole("navigation", { name: "Sidebar" }).count()).toBe(1)
  await expectSame(page.getByRole("heading", { level: 1 }).first(), "Show me everything")
})

test("[TAB-29, TAB-30] it fits a phone and a narrow window without scrolling sideways, in light and in dark", async () => {
  const { parlor, model } = stage()
  const context = await browser.person({ colorScheme: "dark", viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await context.newPage()
  await page.goto(parlor.url)
  await page.getByRole("heading", { name: "Open Parlor" }).waitFor()
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0)
  await page.goto(parlor.address)
  await page.reload()
  const room = roomOf(page)
  await room.page.getByRole("heading", { name: "Chat with host" }).waitFor()
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0)
  await room.say(WIDE)
  const answer = await model.next()
  answer.say(WIDE)
  answer.end()
  await room.replies.getByRole("table").waitFor()
  for (const width of [390, 320, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => overflow(page), { message: `at ${width}` }).toBeLessThanOrEqual(0)
  }
  await expect.poll(() => brightness(page)).toBeLessThan(60)
  await page.emulateMedia({ colorScheme: "light" })
  await expect.poll(() => brightness(page)).toBeGreaterThan(220)
})

test("[TAB-30, TAB-38] on a phone a chat with another agent starts from the sidebar, which opens on every page", async () => {
  const { parlor } = stage()
  const page = await browser.page(parlor.address, { viewport: { width: 390, height: 844 } })
  const drawer = page.getByRole("dialog", { name: "Conversations" })
  await page.getByRole("button", { name: "Open sidebar" }).click()
  await drawer.getByRole("button", { name: "New chat with another agent" }).click()
  await page.getByRole("menuitem", { name: "critic" }).click()
  await page.getByRole("heading", { name: "Chat with critic" }).waitFor()
  await expectCount(drawer, 0)
  for (const keys of ["Alt+m", "Alt+t", "Alt+f", "Alt+i"]) {
    await page.keyboard.press(keys)
    await page.getByRole("link", { name: /^Back to/ }).waitFor()
    await page.getByRole("button", { name: "Open sidebar" }).click()
    await drawer.waitFor()
    await page.keyboard.press("Escape")
    await expectCount(drawer, 0)
  }
})

/** Every view of the page. Each begins where the previous one ended, with no dialog open. */
const views: readonly View[] = [
  {
    name: "an empty conversation",
    open: async ({ page }) => void (await page.getByRole("heading", { name: "Chat with host" }).waitFor()),
  },
  {
    name: "an answer under way, and a queue",
    open: async (room) => {
      await room.say("Show me everything")
      const answer = await stage().model.next()
      answer.say(`${WIDE}\n\n[a link](https://example.com)\n\n- [ ] to do\n\n> quoted`)
      await room.say("Queued")
      await room.say("And another")
      await expectText(room.queue, "2 queued")
      await room.waiting("Queued").getByRole("button", { name: "Edit: Queued" }).click()
      await room.page.getByRole("textbox", { name: "Edit queued message" }).waitFor()
    },
  },
  {
    name: "a stopped answer, and a paused queue",
    open: async (room) => {
      await room.page.keyboard.press("Escape")
      await room.stop.click()
      await expectText(room.queue, "Queue paused after you stopped")
    },
  },
  {
    name: "before rolling back",
    open: async (room) => {
      await room.queue.getByRole("button", { name: "Clear all" }).click()
      await room.queue.getByRole("button", { name: "Remove", exact: true }).first().click()
      await room.page.keyboard.press("Alt+r")
      await room.page.getByRole("dialog", { name: "Roll back" }).getByRole("button", { name: "Roll back" }).waitFor()
    },
  },
  {
    name: "a side chat",
    open: pressed("Alt+s", (page) => page.getByRole("complementary", { name: "Side chat" })),
  },
  { name: "the palette", open: pressed("Control+k", (page) => page.getByRole("listbox", { name: "Results" })) },
  { name: "the keyboard list", open: pressed("Control+/", (page) => page.getByRole("dialog", { name: "Keyboard" })) },
  { name: "the settings", open: pressed("Alt+,", (page) => page.getByRole("dialog", { name: "Settings" })) },
  { name: "the files", open: pressed("Alt+f", (page) => title(page, "Files")) },
  { name: "the memory", open: pressed("Alt+m", (page) => title(page, "Memory")) },
  { name: "the triggers", open: pressed("Alt+t", (page) => title(page, "Triggers")) },
  { name: "the attachments", open: pressed("Alt+u", (page) => title(page, "Attachments")) },
  { name: "the chapters", open: pressed("Alt+c", (page) => title(page, "Chapters")) },
  {
    name: "the account",
    open: async ({ page }) => {
      await page.getByRole("button", { name: "Account", exact: true }).click()
      await page.getByRole("menuitem", { name: "API keys" }).click()
      await page.getByRole("button", { name: "New key" }).click()
    },
  },
  { name: "the search", open: pressed("Alt+Shift+f", (page) => title(page, "Search")) },
  { name: "the inspector", open: pressed("Alt+i", (page) => title(page, "Inspector")) },
]

type View = { readonly name: string; readonly open: (room: Room) => Promise<void> }

const ALL_VIEWS_MS = 300_000

test("[TAB-27, TAB-28] nothing in any view stands in the way of a screen reader, in light and in dark", {
  timeout: ALL_VIEWS_MS,
}, async () => {
  const page = await browser.page(stage().parlor.address, { reducedMotion: "reduce" })
  const found: string[] = []
  for (const view of views) {
    await leaveDialogs(page)
    await view.open(roomOf(page))
    found.push(...(await inBothLooks(page)).map((line) => `${view.name}: ${line}`))
  }
  expect(found).toEqual([])
})

test("[TAB-27, TAB-28, TAB-31] nor in a phone's drawer, on the page that asks for a token, or in what an agent asks", {
  timeout: ALL_VIEWS_MS,
}, async () => {
  const model = await startSteeredModel()
  const parlor = await startParlor({ asking: true, model })
  // After the page is closed: a page that loses its server logs errors.
  onTestFinished(async () => {
    await parlor.close()
    await model.close()
  })
  const page = await browser.page(parlor.url, {
    reducedMotion: "reduce",
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  })
  await page.getByRole("heading", { name: "Open Parlor" }).waitFor()
  const found = [...(await inBothLooks(page))]
  await page.goto(parlor.address)
  await page.reload()
  await page.getByRole("button", { name: "Open sidebar" }).click()
  const drawer = page.getByRole("dialog", { name: "Conversations" })
  await drawer.waitFor()
  found.push(...(await inBothLooks(page)))
  expect(await tooSmallIn(page)).toEqual([])
  await page.keyboard.press("Escape")
  await expectCount(drawer, 0)
  const room = roomOf(page)
  for (const [tool, input, asked] of [
    ["delete_file", { path: "notes.md" }, "Allow host to use delete_file?"],
    ["book_table", {}, "Which table shall it be?"],
    ["ask_person", { question: "Tea or coffee?", options: ["Tea", "Coffee"] }, "Tea or coffee?"],
  ] as const) {
    await room.say("Go on")
    const answer = await model.next()
    answer.call(tool, input)
    await room.ask(asked).waitFor()
    found.push(...(await inBothLooks(page)))
    expect(await tooSmallIn(page)).toEqual([])
    await room.stop.click()
    await expectText(room.status, "Stopped")
  }
  expect(found).toEqual([])
})

/** Checks color contrast in the dark theme too. */
async function inBothLooks(page: Page): Promise<readonly string[]> {
  const found = await barriers(page)
  await page.emulateMedia({ colorScheme: "dark" })
  const dark = await barriers(page, ["color-contrast"])
  await page.emulateMedia({ colorScheme: "light" })
  return [...found, ...dark.map((line) => `in dark, ${line}`)]
}

function pressed(keys: string, shown: (page: Page) => Locator) {
  return async ({ page }: Room) => {
    await page.keyboard.press(keys)
    await shown(page).waitFor()
  }
}

function title(page: Page, name: string): Locator {
  return page.getByRole("main").getByRole("heading", { name, level: 1 })
}

async function leaveDialogs(page: Page): Promise<void> {
  if ((await page.locator("dialog[open]").count()) > 0) await page.keyboard.press("Escape")
  await expectCount(page.locator("dialog[open]"), 0)
}

/** Touch targets smaller than 40 px. Links within a line of text are exempt. */
function tooSmallIn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const inFront = document.querySelector("dialog:modal") ?? document
    return Array.from(inFront.querySelectorAll("button"))
      .filter((button) => button.checkVisibility() && button.closest("p") === null)
      .filter((button) => {
        const { width, height } = button.getBoundingClientRect()
        return height < 39.5 && width > 2 && width < 200
      })
      .map((button) => button.getAttribute("aria-label") ?? button.textContent ?? "")
  })
}

const MOST_TABS = 40

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

/** Interactive elements without a name in the accessibility tree. */
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
