/** Tabs in the background: what they show, what they keep in memory, and what they release. */
import type { Page, Request } from "playwright-core"
import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"
import { capsule, expectState, fill, heldBack, keptInBrowser, staleLine, tab, unreadOf } from "./tabs.ts"

const stage = useStage({ asking: true })
const browser = useBrowser()

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
  await page.getByRole("link", { name: /^Beta 1.*, needs you/ }).waitFor()
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
  // Messages that arrive while it is in front are read.
  await expectText(room.log, "Alpha 40")
  const third = await model.next()
  third.say("Red it is.")
  third.end()
  await capsule(page, "beta", "done").waitFor()
  await expect.poll(() => page.title()).toMatch(/^Alpha 1/)
  expect(await unreadOf(parlor, "beta")).toBe(true)
  await expect.poll(() => streams()).toEqual(["/v1/conversations/host/main/events", "/v1/feed"])
})

test("[TAB-5, TAB-16, TAB-17] only so many tabs are held; under pressure a pinned one keeps what it has", async () => {
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
  await page.getByRole("button", { name: "Settings" }).click()
  await page.getByText("Developer").click()
  const holds = page.getByRole("region", { name: "Memory use" })
  await expectText(holds, "Conversations in memory 5 of 5")
  await expectText(holds, "Message lists on the page 1 of 1")
  await expectText(holds, /Messages on the page \d+ of 200/)
  await expectText(holds, /Streaming text 0 B of 1 MB File contents 0 B of 10 MB Background loading 0 of 2/)
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

/** The open streams, by path. */
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

/** How often the page has requested a conversation. */
function openings(page: Page, branch: string): () => number {
  let count = 0
  page.on("request", (request) => {
    if (request.method() === "GET" && new URL(request.url()).pathname === `/v1/conversations/host/${branch}`) count += 1
  })
  return () => count
}
