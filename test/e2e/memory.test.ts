/** The memory page: list, search, create, edit, pin, delete (MEM-7). */
import type { Page } from "playwright-core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"

let parlor: TestParlor
beforeEach(async () => {
  parlor = await startParlor()
})
afterEach(() => parlor.close())
const browser = useBrowser()

const tea = { description: "Drinks tea", type: "user", body: "Green, **never** with milk." }
const items = (page: Page) => page.getByRole("main").getByRole("listitem")
const item = (page: Page, text: string) => items(page).filter({ hasText: text })

async function openMemory(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Sidebar" }).getByRole("link", { name: "Memory" }).click()
  await page.getByRole("heading", { name: "Memory", exact: true }).waitFor()
}

test("[MEM-7] what an agent remembers is on the page, with who wrote it, and the next conversation knows it", async () => {
  const room = roomOf(await browser.page(parlor.address))
  await openMemory(room.page)
  await expectText(room.page.getByRole("main"), "No memories yet")
  await room.page.getByRole("link", { name: /^Back to/ }).click()
  await room.say("remember that I want metric units")
  await expectText(room.replies, "I will remember that")
  await openMemory(room.page)
  await expectText(items(room.page), /I want metric units.*i-want-metric-units.*written by host/)
  expect(await parlor.sdk.memory.list()).toMatchObject([{ name: "i-want-metric-units", writtenBy: "host" }])
  await room.page.goBack()
  await room.say("what do you remember?")
  await expectText(room.replies, /I remember: i-want-metric-units: I want metric units/)
})

test("[MEM-7] a person writes, edits, pins, searches and deletes with their own hand", async () => {
  const page = await browser.page(parlor.address)
  await openMemory(page)
  await page.getByRole("button", { name: "New", exact: true }).click()
  const form = page.getByRole("form", { name: "New memory" })
  await form.getByRole("button", { name: "Save" }).click()
  await expectText(form.getByRole("alert"), "Write what to remember.")
  await page.keyboard.type("One line is enough")
  await form.getByRole("button", { name: "Save" }).click()
  await expectText(item(page, "One line is enough"), "one-line-is-enough")
  await expectCount(form, 0)
  await parlor.sdk.memory.delete("user", "one-line-is-enough")
  await page.reload()

  await page.getByRole("button", { name: "New", exact: true }).click()
  await form.getByLabel("What to remember").fill(tea.body)
  await form.getByText("Advanced").click()
  await form.getByLabel("Name").fill("Green Tea")
  await form.getByLabel("Description").fill(tea.description)
  await form.getByRole("button", { name: "Save" }).click()
  await expectText(form.getByRole("alert"), "such as metric-units")
  await form.getByLabel("Name").fill("tea")
  await form.getByRole("button", { name: "Save" }).click()
  await expectText(item(page, "Drinks tea"), "written by you")
  await expectCount(form, 0)

  await item(page, "Drinks tea").getByText("Text", { exact: true }).click()
  await expectText(item(page, "Drinks tea").locator("strong"), "never")
  await page.getByRole("button", { name: "Edit tea" }).click()
  const editor = page.getByRole("form", { name: "Edit tea" })
  await editor.getByText("Advanced").click()
  await editor.getByLabel("Description").fill("Loves tea")
  await editor.getByRole("button", { name: "Save" }).click()
  await expectText(items(page), "Loves tea")
  await page.getByRole("button", { name: /^Pin tea/ }).click()
  await page.getByRole("button", { name: "Unpin tea" }).waitFor()
  expect(await parlor.sdk.memory.read("user", "tea")).toMatchObject({
    ...tea,
    description: "Loves tea",
    pinned: true,
    writtenBy: "person",
  })

  await parlor.sdk.memory.write("project", "june", { description: "Ship in June", type: "project", body: "No milk." })
  const search = page.getByRole("searchbox", { name: "Search memories" })
  await search.fill("MILK ship")
  await expectText(page.getByRole("region", { name: "About the project" }), "Ship in June")
  await expectCount(items(page), 1)
  await search.fill("coffee")
  await expectText(page.getByRole("main"), "No memory contains all these words: coffee")
  await search.fill("")
  await expectCount(items(page), 2)

  await page.getByRole("button", { name: "Delete tea" }).click()
  const asked = page.getByRole("dialog", { name: "Delete tea?" })
  await asked.getByRole("button", { name: "Cancel" }).click()
  await page.getByRole("button", { name: "Delete tea" }).click()
  await asked.getByRole("button", { name: "Delete", exact: true }).click()
  await expectCount(items(page), 1)
  expect((await parlor.sdk.memory.list()).map(({ name }) => name)).toEqual(["june"])
})

test("[MEM-7] on a phone it is reached from the sidebar, and a reload stays there", async () => {
  const page = await browser.page(parlor.address, { viewport: { width: 390, height: 800 } })
  await parlor.sdk.memory.write("user", "tea", tea)
  await page.getByRole("button", { name: "Open sidebar" }).click()
  await openMemory(page)
  await expectText(items(page), "Drinks tea")
  await page.reload()
  await expectText(items(page), "Drinks tea")
  await expect.poll(() => page.title()).toBe("Memory · Parlor")
})

test("[MEM-7] what is turned down is told, and nothing typed is lost", async () => {
  for (let i = 0; i < 8; i++) await parlor.sdk.memory.write("user", `pin-${i}`, { ...tea, pinned: true })
  await parlor.sdk.memory.write("user", "tea", tea)
  const page = await browser.page(parlor.address)
  browser.expectErrors(/409/)
  await openMemory(page)
  await page.getByRole("button", { name: "Edit tea" }).click()
  const editor = page.getByRole("form", { name: "Edit tea" })
  await editor.getByText("Advanced").click()
  await editor.getByLabel("Description").fill("Typed with care")
  await editor.getByRole("switch", { name: /^Pinned/ }).click()
  await editor.getByRole("button", { name: "Save" }).click()
  await expectText(
    page.getByRole("alert"),
    "Memory limit reached. The scope user already has the maximum of 8 pinned memories",
  )
  expect(await editor.getByLabel("Description").inputValue()).toBe("Typed with care")
  expect((await parlor.sdk.memory.read("user", "tea")).description).toBe("Drinks tea")
})
