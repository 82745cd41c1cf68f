/** Opening a tab: at once, from its snapshot, at the reading position; and separately for each person. */
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText, expectWritten, roomOf, textIn } from "./room.ts"
import { capsule, expectState, fill, heldBack, keptInBrowser, staleLine, tab, unreadOf } from "./tabs.ts"

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
  await expectText(staleLine(page), /As of .*, loading new messages…/)
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
  await expectText(staleLine(page), /As of .*, loading new messages…/)
  await expectText(tab(page, "main"), "Alpha 1")
  await again.letGo()
  await expectCount(staleLine(page), 0)
  const marks = () => page.evaluate(() => performance.getEntriesByType("mark").map((mark) => mark.name))
  const opened = async () => (await marks()).filter((step) => step.startsWith("parlor:"))
  await expect.poll(opened).toEqual(["parlor:open", "parlor:shell", "parlor:snapshot", "parlor:newest"])
})

test("[TAB-6, TAB-23, TAB-25, TAB-26] a tab opens again where one was reading, also after its list was let go and after a reload", async () => {
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

test("[SEC-2, TAB-10] what was kept of a person's conversations goes with their token; their words are theirs alone", async () => {
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
  await expectText(page.getByRole("alert"), "rejected this browser's token")
  expect(await page.evaluate(() => document.body.innerText)).not.toContain("Secret")
  await keptInBrowser(page, 0)
  await page.goto(parlor.address)
  await page.reload()
  await expectText(room.log, "Secret 40")
  await expectWritten(room, "A secret draft")
  await page.getByRole("button", { name: "Settings" }).click()
  await page.getByRole("button", { name: "Sign out of this browser" }).click()
  await page.getByRole("heading", { name: "Open Parlor" }).waitFor()
  const kept = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  await expect.poll(kept).not.toMatch(/secret|host/i)
  await page.goto(parlor.address)
  await page.reload()
  await expectText(room.log, "Secret 40")
  expect(await room.written()).toBe("")
})

/** The first message in view, and its position. */
function readAt(page: Page): Promise<string> {
  return page.evaluate(() => {
    const scroller = document.querySelector("[role=log]")?.parentElement
    const top = scroller?.getBoundingClientRect().top ?? 0
    const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")]
    const first = rows.find((row) => row.getBoundingClientRect().bottom > top)
    return `${first?.innerText.trim()} at ${Math.round((first?.getBoundingClientRect().top ?? 0) - top)}`
  })
}

/** Wheel scrolling continues for some frames. */
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
