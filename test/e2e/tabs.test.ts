import type { BrowserContext, Locator, Page, Request, Route } from "playwright-core"
import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { type TestParlor, useStage } from "./parlor.ts"
import { expectCount, expectText, expectWritten, roomOf, textIn } from "./room.ts"
import { expectTogether, type Sight } from "./together.ts"

const stage = useStage({ asking: true })
const browser = useBrowser()

test("[TAB-2, TAB-3, TAB-4] an old conversation shows its shell, then what was kept of it, then its newest; no answer paints over another tab", async () => {
  const { parlor } = stage()
  await fill(parlor, "main", "Alpha")
  await fill(parlor, "beta", "Beta")
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await expectText(room.log, "Alpha 40")
  await expectText(tab(page, "beta"), "Beta 1")

  const beta = await heldBack(page, "beta")
  await tab(page, "beta").getByRole("link").click()
  await expectText(page.getByRole("heading", { level: 1 }), "Beta 1")
  await room.box.fill("Written before anything was loaded")
  await expectWritten(room, "Written before anything was loaded")
  await page.getByRole("status", { name: "Loading the conversation" }).waitFor()
  expect(await textIn(room.log)).not.toContain("Alpha")
  await expectState(page, "beta", "restoring")

  const alpha = await heldBack(page, "main")
  await tab(page, "main").getByRole("link").click()
  await expectText(room.log, "Alpha 40")
  await expectText(staleLine(page), /As of .*, loading the newest…/)
  await beta.letGo()
  await expectText(room.log, "Alpha 40")
  expect(await textIn(room.log)).not.toContain("Beta")
  await alpha.letGo()
  await expectCount(staleLine(page), 0)
  expect(await textIn(room.log)).not.toContain("Beta")
  await expectState(page, "main", "active")

  await tab(page, "beta").getByRole("link").click()
  await expectText(room.log, "Beta 40")
  await expectWritten(room, "Written before anything was loaded")
  await keptInBrowser(page, 2)
  const again = await heldBack(page, "beta")
  await page.reload()
  await expectText(room.log, "Beta 40")
  await expectText(staleLine(page), /As of .*, loading the newest…/)
  await expectText(tab(page, "main"), "Alpha 1")
  await again.letGo()
  await expectCount(staleLine(page), 0)
  const marks = () => page.evaluate(() => performance.getEntriesByType("mark").map((mark) => mark.name))
  const opened = async () => (await marks()).filter((step) => step.startsWith("parlor:"))
  await expect.poll(opened).toEqual(["parlor:open", "parlor:shell", "parlor:snapshot", "parlor:newest"])
})

test("[TAB-6, TAB-5] tabs in the background show what goes on in capsules, and have no list and no connection", async () => {
  const { parlor, model } = stage()
  await fill(parlor, "main", "Alpha")
  await fill(parlor, "beta", "Beta")
  const context = await browser.person()
  const page = await context.newPage()
  const streams = openStreams(page)
  const opened = openings(page, "main")
  await page.goto(parlor.address)
  const room = roomOf(page)
  await expectText(room.log, "Alpha 40")
  const other = parlor.sdk.conversation("host", "beta")
  await other.send("First")
  const first = await model.next("First")
  await capsule(page, "beta", "running").waitFor()
  await other.send("Second")
  await expectText(capsule(page, "beta", "queued"), "1")
  first.say("Done with it.")
  first.end()
  const second = await model.next("Second")
  await expectCount(capsule(page, "beta", "queued"), 0)
  await capsule(page, "beta", "unread").waitFor()
  second.call("ask_person", { question: "Which one?" })
  await capsule(page, "beta", "needs-you").waitFor()
  await expect.poll(() => page.title()).toMatch(/^\(1\) Alpha 1.* · Parlor$/)
  const named = () => tab(page, "beta").getByRole("link").getAttribute("aria-label")
  await expect.poll(named).toMatch(/^Beta 1.*, host, needs you/)
  expect(await page.locator("[role=log]").count()).toBe(1)
  await expect.poll(() => streams()).toEqual(["/v1/conversations/host/main/events", "/v1/feed"])

  await tab(page, "beta").getByRole("link").click()
  await expectText(room.log, "Which one?")
  await expect.poll(() => streams()).toEqual(["/v1/conversations/host/beta/events", "/v1/feed"])
  expect(opened()).toBe(1)
  await expectCount(capsule(page, "beta", "unread"), 0)
  await expect.poll(() => unreadOf(parlor, "beta")).toBe(false)
  const [ask] = (await other.open()).asks
  if (ask !== undefined) await other.answer(ask.id, "The red one")
  await tab(page, "main").getByRole("link").click()
  // What comes while it is still in front is read.
  await expectText(room.log, "Alpha 40")
  const third = await model.next()
  third.say("Red it is.")
  third.end()
  await capsule(page, "beta", "done").waitFor()
  await expect.poll(() => page.title()).toMatch(/^Alpha 1/)
  expect(await unreadOf(parlor, "beta")).toBe(true)
  await expect.poll(() => streams()).toEqual(["/v1/conversations/host/main/events", "/v1/feed"])
})

test("[TAB-1, TAB-5] only so many tabs are held; under pressure a pinned one keeps what it has", async () => {
  const { parlor } = stage()
  const names = ["a", "b", "c", "d", "e", "f", "g"]
  for (const name of names) await fill(parlor, name, name.toUpperCase(), 6)
  await parlor.sdk.conversation("host", "b").mark({ pinned: true })
  const page = await browser.page(`${parlor.url}/#token=${parlor.token}`)
  const room = roomOf(page)
  for (const name of names) {
    await tab(page, name).getByRole("link").click()
    await expectText(room.log, `${name.toUpperCase()} 6`)
    await expectState(page, name, "active")
  }
  const states = async () => Promise.all(names.map((name) => tab(page, name).getAttribute("data-state")))
  const held = ["suspended", "pinned", "suspended", "recent", "recent", "recent", "active"]
  await expect.poll(states).toEqual(held)
  await page.getByRole("button", { name: "What this page holds" }).click()
  const holds = page.getByRole("dialog", { name: "What this page holds" })
  await expectText(holds, "Conversations in memory 5 of 5")
  await expectText(holds, "Message lists on the page 1 of 1")
  await expectText(holds, /Messages on the page \d+ of 200/)
  await expectText(holds, /Text still being written 0 B of 1 MiB File contents 0 B of 10 MiB Loading ahead 0 of 2/)
  await page.keyboard.press("Escape")

  for (let times = 0; times < 2; times++) await page.evaluate(() => document.dispatchEvent(new Event("freeze")))
  await expect.poll(states).toEqual(["discarded", "pinned", ...Array(4).fill("discarded"), "active"])
  await keptInBrowser(page, 2)
  const slow = await heldBack(page, "b")
  await tab(page, "b").getByRole("link").click()
  await expectText(room.log, "B 6")
  await expectText(staleLine(page), "As of")
  await slow.letGo()
  await expectCount(staleLine(page), 0)
  await tab(page, "a").getByRole("link").click()
  await expectText(room.log, "A 6")
})

test("[TAB-13] two windows and a phone have the same tabs within a second: pinned, archived, titled, unread", async () => {
  const { parlor } = stage()
  for (const name of ["main", "one", "two", "three"]) await fill(parlor, name, name, 2)
  const context = await browser.person()
  const first = await windowAt(context, parlor.address)
  const second = await windowAt(context, `${parlor.url}/#/host`)
  const phone = await browser.page(parlor.address, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await phone.getByRole("button", { name: /Choose another/ }).click()
  const all = [first, second, phone]
  for (const page of all) await expectOrder(page, ["three", "two", "one", "main"])

  // A window behind another one draws slowly.
  await first.bringToFront()
  await expectTogether(all, ordered("one", "three", "two", "main"), () => choose(first, "one", "Pin"))
  await first.getByRole("link", { name: "two 1" }).press("F2")
  const title = first.getByRole("textbox", { name: "Title" })
  await title.fill("Number two")
  await expectTogether(all, { of: `[data-tab="host/two"]`, wanted: /Number two/ }, () => title.press("Enter"))
  await second.bringToFront()
  const told: Sight = {
    of: `[data-tab="host/three"] [data-capsule]`,
    attribute: "data-capsule",
    wanted: /\bdone\b/,
  }
  await expectTogether(all, told, () => choose(second, "three", "Mark as unread"))
  await expectTogether(all, ordered("one", "two", "main"), () => choose(second, "three", "Archive"))

  await first.bringToFront()
  await first.getByRole("button", { name: "Archived 1" }).click()
  await tab(first, "three").getByRole("link").click()
  await expectText(roomOf(first).log, "three 2")
  await expectState(first, "three", "archived")
  await phone.getByRole("link", { name: "Number two" }).click()
  await expectText(roomOf(phone).log, "two 2")
  await expect.poll(() => phone.getByRole("link", { name: "Number two" }).isVisible()).toBe(false)
})

test("[TAB-1, TAB-12, TAB-13] tabs are moved by dragging and by keys, closed and reopened, in every window of the browser", async () => {
  const { parlor } = stage()
  for (const name of ["main", "one", "two", "three"]) await fill(parlor, name, name, 2)
  const context = await browser.person()
  const first = await windowAt(context, parlor.address)
  const second = await windowAt(context, `${parlor.url}/#/host`)
  const both = (wanted: readonly string[], act: () => Promise<void>) =>
    expectTogether([first, second], ordered(...wanted), act)
  await expectText(roomOf(first).log, "main 2")
  for (const page of [first, second]) await expectOrder(page, ["three", "two", "one", "main"])
  await first.bringToFront()
  const two = first.getByRole("link", { name: "two 1" })
  await both(["two", "three", "one", "main"], () => two.press("Alt+ArrowUp"))
  await expectText(first.locator("[role=status]"), "Moved two 1 to 1 of 4")
  await expect.poll(() => focused(first)).toBe("two 1, host")
  await both(["one", "two", "three", "main"], () => drag(first, "one", "two"))
  expect(first.url()).toBe(`${parlor.url}/`)

  await both(["one", "three", "main"], () => two.press("Delete"))
  await expect.poll(() => focused(first)).toBe("three 1, host")
  const reopen = first.getByRole("button", { name: "Reopen closed tab" })
  await both(["one", "two", "three", "main"], () => reopen.click())
  await expectText(roomOf(first).log, "two 2")
  await both(["one", "three", "main"], () => first.keyboard.press("Alt+w"))
  await expectText(roomOf(first).log, "three 2")
  await first.keyboard.press("Alt+Shift+T")
  await expectText(roomOf(first).log, "two 2")
  await first.reload()
  await expectOrder(first, ["one", "two", "three", "main"])
})

test("[TAB-2, TAB-6] a tab opens again where one was reading, also after its list was let go and after a reload", async () => {
  const { parlor, model } = stage()
  await fill(parlor, "main", "Alpha", 120)
  await fill(parlor, "beta", "Beta")
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await expectText(room.log, "Alpha 120")
  await room.page.getByRole("button", { name: "Load older messages" }).click()
  await room.page.mouse.move(600, 300)
  await expect
    .poll(async () => {
      await room.page.mouse.wheel(0, -700)
      return textIn(room.log)
    })
    .toContain("Alpha 55 ")
  await atRest(page)
  const place = await readAt(page)
  const visit = async (branch: string, last: string) => {
    await tab(page, branch).getByRole("link").click()
    await expectText(page.getByRole("heading", { level: 1 }), last)
  }
  const expectPlace = () => expect.poll(() => readAt(page)).toEqual(place)

  await visit("beta", "Beta 1")
  await expectText(room.log, "Beta 40")
  const slow = await heldBack(page, "main")
  await visit("main", "Alpha 1")
  await expectPlace()
  await slow.letGo()
  await expectCount(staleLine(page), 0)
  await expectPlace()
  await visit("beta", "Beta 1")
  await expectText(room.log, "Beta 40")
  for (let times = 0; times < 2; times++) await page.evaluate(() => document.dispatchEvent(new Event("freeze")))
  await parlor.sdk.conversation("host").send("News")
  const news = await model.next("News")
  news.say("Heard.")
  news.end()
  await capsule(page, "main", "done").waitFor()
  await visit("main", "Alpha 1")
  await expectPlace()
  await page.getByRole("button", { name: "Jump to newest, 2 new messages" }).waitFor()
  await page.reload()
  await expectCount(staleLine(page), 0)
  await expectPlace()
  expect(await unreadOf(parlor, "main")).toBe(true)
  await page.getByRole("button", { name: "Jump to newest, 2 new messages" }).click()
  await expectText(room.log, "Heard.")
  await expect.poll(() => unreadOf(parlor, "main")).toBe(false)
  await visit("beta", "Beta 1")
  await visit("main", "Alpha 1")
  await expectText(room.log, "Heard.")
  await expectCount(page.getByRole("button", { name: /^Jump to newest/ }), 0)
})

test("[SEC-2, TAB-2, TAB-10] what was kept of a person's conversations goes with their token; their words are theirs alone", async () => {
  browser.expectErrors(/401/)
  const { parlor } = stage()
  await fill(parlor, "main", "Secret")
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await expectText(room.log, "Secret 40")
  await room.box.fill("A secret draft")
  await keptInBrowser(page, 1)
  await page.evaluate(() => localStorage.setItem("parlor.token", "of-somebody-else"))
  const { letGo } = await heldBack(page, ({ pathname }) => pathname.startsWith("/v1/"))
  await page.reload()
  expect(await room.written()).toBe("")
  await letGo()
  await expectText(page.getByRole("alert"), "refused the token")
  expect(await page.evaluate(() => document.body.innerText)).not.toContain("Secret")
  await keptInBrowser(page, 0)
  await page.goto(parlor.address)
  await page.reload()
  await expectText(room.log, "Secret 40")
  await expectWritten(room, "A secret draft")
  await page.getByRole("button", { name: "Settings" }).click()
  await page.getByRole("button", { name: "Leave on this browser" }).click()
  await page.getByRole("heading", { name: "Open Parlor" }).waitFor()
  const kept = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  await expect.poll(kept).not.toMatch(/secret|host/i)
  await page.goto(parlor.address)
  await page.reload()
  await expectText(room.log, "Secret 40")
  expect(await room.written()).toBe("")
})

test("[TAB-1] a conversation in which nobody spoke keeps its tab while something is written in it", async () => {
  const { parlor } = stage()
  await fill(parlor, "beta", "Beta")
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await expectOrder(page, ["main", "beta"])
  await room.box.fill("Not yet said")
  await tab(page, "beta").getByRole("link").click()
  await expectText(room.log, "Beta 40")
  await expectOrder(page, ["main", "beta"])
  await page.reload()
  await expectText(room.log, "Beta 40")
  await expectOrder(page, ["main", "beta"])
  await tab(page, "main").getByRole("link").click()
  await expectWritten(room, "Not yet said")
  await room.box.fill("")
  await tab(page, "beta").getByRole("link").click()
  await expectOrder(page, ["beta"])
})

async function fill(parlor: TestParlor, branch: string, about: string, count = 40): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ role: index % 2 === 0 ? "person" : "agent", text: `${about} ${index + 1}` }),
  )
  await parlor.sdk.importLines("host", branch, lines.join("\n"))
}

async function windowAt(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  return page
}

function focused(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute("aria-label"))
}

function tab(page: Page, branch: string): Locator {
  return page.locator(`[data-tab="host/${branch}"]`)
}

function capsule(page: Page, branch: string, kind: string): Locator {
  return tab(page, branch).locator(`[data-capsule="${kind}"]`)
}

function staleLine(page: Page): Locator {
  return page.locator('[data-stale="true"]')
}

const OPEN_TABS = 'ul[aria-label="Tabs"] > [data-tab]'

/** The branches of the tabs, from the top. */
async function expectOrder(page: Page, wanted: readonly string[]): Promise<void> {
  const rows = page.locator(OPEN_TABS)
  const order = () => rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-tab")?.split("/")[1] ?? ""))
  await expect.poll(order).toEqual(wanted)
}

function ordered(...branches: readonly string[]): Sight {
  const keys = branches.map((branch) => `host/${branch}`).join(" ")
  return { of: OPEN_TABS, attribute: "data-tab", wanted: new RegExp(`^${keys}$`) }
}

async function expectState(page: Page, branch: string, state: string): Promise<void> {
  await expect.poll(() => tab(page, branch).getAttribute("data-state")).toBe(state)
}

async function choose(page: Page, branch: string, item: string): Promise<void> {
  await tab(page, branch).hover()
  await tab(page, branch).getByRole("button").click()
  await page.getByRole("menuitem", { name: item }).click()
}

async function drag(page: Page, from: string, to: string): Promise<void> {
  const [start, end] = [await tab(page, from).boundingBox(), await tab(page, to).boundingBox()]
  if (start === null || end === null) throw new Error("there is nothing to drag")
  await page.mouse.move(start.x + 60, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x + 60, end.y + end.height / 2, { steps: 6 })
  await page.mouse.move(end.x + 60, end.y + 4, { steps: 3 })
  // It is let go where it is seen to stand.
  await expect.poll(async () => (await tab(page, from).boundingBox())?.y).toBeCloseTo(end.y, 0)
  await page.mouse.up()
}

/** The server answers for this conversation, or whatever is meant, only when it is let go. */
async function heldBack(page: Page, what: string | ((url: URL) => boolean)): Promise<{ letGo(): Promise<void> }> {
  const waiting: Route[] = []
  const address = typeof what === "string" ? (url: URL) => url.pathname === `/v1/conversations/host/${what}` : what
  const hold = (route: Route) => void waiting.push(route)
  await page.route(address, hold)
  return {
    async letGo() {
      await page.unroute(address, hold)
      // A request that the page has given up cannot be answered.
      await Promise.all(waiting.map((route) => route.continue().catch(() => undefined)))
    },
  }
}

/** The streams that are open now, by path. */
function openStreams(page: Page): () => readonly string[] {
  const open = new Map<Request, string>()
  page.on("request", (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === "/v1/feed" || pathname.endsWith("/events")) open.set(request, pathname)
  })
  for (const over of ["requestfinished", "requestfailed"] as const)
    page.on(over as "requestfinished", (request) => void open.delete(request))
  return () => [...open.values()].sort()
}

/** How often the page has asked for a conversation. */
function openings(page: Page, branch: string): () => number {
  let count = 0
  page.on("request", (request) => {
    if (request.method() === "GET" && new URL(request.url()).pathname === `/v1/conversations/host/${branch}`) count += 1
  })
  return () => count
}

async function unreadOf(parlor: TestParlor, branch: string): Promise<boolean | undefined> {
  const { conversations } = await parlor.sdk.conversations()
  return conversations.find((row) => row.branch === branch)?.unread
}

/** The first message in view, and where it begins there. */
function readAt(page: Page): Promise<string> {
  return page.evaluate(() => {
    const scroller = document.querySelector("[role=log]")?.parentElement
    const top = scroller?.getBoundingClientRect().top ?? 0
    const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")]
    const first = rows.find((row) => row.getBoundingClientRect().bottom > top)
    return `${first?.innerText.trim()} at ${Math.round((first?.getBoundingClientRect().top ?? 0) - top)}`
  })
}

/** A wheel goes on for some frames. */
function atRest(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const scroller = document.querySelector("[role=log]")?.parentElement
    let [last, still] = [-1, 0]
    while (still < 10) {
      await new Promise(requestAnimationFrame)
      still = scroller?.scrollTop === last ? still + 1 : 0
      last = scroller?.scrollTop ?? 0
    }
  })
}

/** How many conversations the browser has snapshots of. */
async function keptInBrowser(page: Page, count: number): Promise<void> {
  const look = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open("parlor")
          opening.onerror = () => reject(opening.error)
          opening.onsuccess = () => {
            const counting = opening.result.transaction("snapshots").objectStore("snapshots").count()
            counting.onsuccess = () => {
              opening.result.close()
              resolve(counting.result)
            }
          }
        }),
    )
  await expect.poll(look).toBe(count)
}
