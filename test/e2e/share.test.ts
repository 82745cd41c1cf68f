/** Sharing in a browser: a link without an account, a live reply, the end of a link, a viewer, copies to save. */
import { readFileSync } from "node:fs"
import { Parlor } from "@parlor/client"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { barriers } from "./axe.ts"
import { UNREACHABLE, useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText, type Room, roomOf } from "./room.ts"

const stage = useStage()
const browser = useBrowser()
/** The browser's line for a response that says the share has ended. */
const ENDED = /Failed to load resource.*(404|410)/

async function talked(text: string): Promise<Room> {
  const { parlor } = stage()
  const room = roomOf(await browser.page(parlor.address))
  await said(room, text)
  return room
}

async function said(room: Room, text: string): Promise<void> {
  await room.say(text)
  const answer = await stage().model.next()
  answer.say(`About **${text}**.`)
  answer.end()
  await expectText(room.replies.last(), `About ${text}.`)
  await expectCount(room.stop, 0)
}

async function openDialog({ page }: Room) {
  await page.getByRole("button", { name: "More actions for this conversation" }).click()
  await page.getByRole("menuitem", { name: "Share", exact: true }).click()
  const dialog = page.getByRole("dialog", { name: /^Share/ })
  await dialog.getByRole("button", { name: "Create link" }).waitFor()
  return dialog
}

async function linkFrom(room: Room, mode?: string): Promise<string> {
  const dialog = await openDialog(room)
  if (mode !== undefined) await dialog.getByRole("radio", { name: mode }).click()
  await dialog.getByRole("button", { name: "Create link" }).click()
  return dialog.getByRole("textbox", { name: "Link" }).inputValue()
}

/** Another person of the same server. */
async function asVera(): Promise<Parlor> {
  const { parlor } = stage()
  const { secret } = await parlor.sdk.keys.make({ name: "bridge", scopes: ["read", "write"], actFor: "vera*" })
  return new Parlor({ baseUrl: parlor.url, token: secret, person: "vera" })
}

const log = (page: Page) => page.getByRole("log")

test("[SHR-12, SHR-5, SHR-6] a live link opens without an account, streams a reply and ends when it is turned off", async () => {
  const { model } = stage()
  const room = await talked("Tulips")
  const link = await linkFrom(room, "New messages too")
  expect(new URL(link).pathname).toBe("/shared")
  expect(await barriers(room.page)).toEqual([])
  await room.page.keyboard.press("Escape")

  const reader = await browser.page(link)
  await expectText(log(reader), "About Tulips.")
  await expectCount(log(reader).locator("strong"), 1)
  await expectText(reader.locator("main header"), "Live")
  expect(await reader.evaluate(() => Object.keys(localStorage))).toEqual([])
  await expectCount(reader.getByRole("textbox"), 0)
  expect(await barriers(reader)).toEqual([])

  await room.say("Roses")
  const answer = await model.next()
  answer.say("Half of a reply")
  await expectText(log(reader), "Half of a reply")
  answer.say(", and the rest.")
  answer.end()
  await expectText(log(reader), "Half of a reply, and the rest.")

  browser.expectErrors(ENDED, UNREACHABLE)
  const dialog = await openDialog(room)
  await dialog.getByRole("button", { name: "Stop sharing: Link, live" }).click()
  await expectText(reader.getByRole("alert"), "This conversation is no longer shared")
  await expectText(reader.getByRole("alert"), "turned the link off")
  await expectText(log(reader), "Half of a reply, and the rest.")
  await reader.reload()
  await expectText(reader.getByRole("alert"), "turned the link off")
  await expectCount(log(reader), 0)
})

test("[SHR-4, SHR-12] a snapshot shows what there was, on a phone too, and a broken link says so", async () => {
  const room = await talked("Tulips")
  const link = await linkFrom(room)
  await room.page.keyboard.press("Escape")
  await said(room, "Roses")
  const reader = await browser.page(link, { viewport: { width: 390, height: 844 }, colorScheme: "dark" })
  await expectText(log(reader), "About Tulips.")
  await expectCount(log(reader).getByText("Roses"), 0)
  expect(await reader.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  browser.expectErrors(ENDED)
  const broken = await browser.page(`${link.slice(0, -5)}XXXXX`)
  await expectText(broken.getByRole("alert"), "Nothing is shared at this address.")
  const empty = await browser.page(new URL("/shared", link).href)
  await expectText(empty.getByRole("alert"), "Nothing is shared at this address.")
})

test("[SHR-12] a link neither uses nor changes the account of the browser that opens it", async () => {
  const room = await talked("Tulips")
  const link = await linkFrom(room)
  const before = await room.page.evaluate(() => localStorage.getItem("parlor.token"))
  const tab = await room.page.context().newPage()
  const seen: string[] = []
  tab.on("request", (request) => {
    const sent = request.headers().authorization
    if (sent !== undefined) seen.push(sent)
  })
  await tab.goto(link)
  await expectText(log(tab), "About Tulips.")
  expect(seen.length).toBeGreaterThan(0)
  for (const one of seen) expect(one).toMatch(/^Bearer parlor_share_/)
  expect(await tab.evaluate(() => localStorage.getItem("parlor.token"))).toBe(before)
})

test("[SHR-13] a conversation is shared with a person, who has to exist, and is told that they see it", async () => {
  const { parlor } = stage()
  const room = await talked("Tulips")
  const dialog = await openDialog(room)
  const share = async () => {
    await dialog.getByRole("textbox", { name: "Name of the person" }).fill("vera")
    await dialog.getByRole("button", { name: "Share", exact: true }).click()
  }
  browser.expectErrors(/status of 422/)
  await share()
  await expectText(dialog.getByRole("alert"), "vera")
  await (await asVera()).conversation("host", "hers").make()
  await share()
  await dialog.getByRole("button", { name: "Stop sharing: vera" }).waitFor()
  expect(await parlor.sdk.shares.list()).toMatchObject([{ viewer: "vera", shows: { name: true } }])
})

test("[SHR-13, SHR-14] what others share is listed at once, opens read only, and leaves with its share", async () => {
  const { parlor, model } = stage()
  const vera = await asVera()
  await vera.conversation("host").send("Gardens")
  const first = await model.next()
  first.say("About gardens.")
  first.end()
  const room = roomOf(await browser.page(parlor.address))
  await room.box.waitFor()
  await expectCount(room.page.getByRole("region", { name: "Shared with me" }), 0)
  const { id } = await vera.shares.make("host", "main", { viewer: "me", mode: "live" })
  const list = room.page.getByRole("region", { name: "Shared with me" })
  await list.getByRole("link", { name: /Gardens/ }).click()
  const main = room.page.getByRole("main")
  await expectText(main, "Shared by vera")
  await expectText(log(room.page), "About gardens.")
  await expectCount(main.getByRole("textbox"), 0)
  expect(await barriers(room.page)).toEqual([])
  browser.expectErrors(ENDED, UNREACHABLE)
  await vera.shares.revoke(id)
  await expectText(main.getByRole("alert"), "no longer shared")
  await expectCount(list, 0)
  await room.page.reload()
  await expectText(main.getByRole("alert"), "no longer shared")
  await expectCount(list, 0)
})

test("[SHR-11] the conversation is saved as Markdown and HTML, and printed without the page around it", async () => {
  const room = await talked("Tulips")
  const dialog = await openDialog(room)
  const saved = async (name: string) => {
    const [file] = await Promise.all([
      room.page.waitForEvent("download"),
      dialog.getByRole("button", { name, exact: true }).click(),
    ])
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") }
  }
  const md = await saved("Markdown")
  expect(md.name).toBe("host-main.md")
  expect(md.text).toContain("About **Tulips**.")
  const html = await saved("HTML")
  expect(html.name).toBe("host-main.html")
  expect(html.text).toContain("<strong>Tulips</strong>")
  await room.page.evaluate(() => {
    // A print dialog would block the page.
    Object.defineProperty(HTMLIFrameElement.prototype, "contentWindow", {
      get(this: HTMLIFrameElement) {
        const text = this.contentDocument?.body.innerText ?? ""
        return { print: () => document.body.setAttribute("data-printed", text), addEventListener: () => undefined }
      },
    })
  })
  await dialog.getByRole("button", { name: "Print or save as PDF" }).click()
  await expect.poll(() => room.page.locator("body").getAttribute("data-printed")).toContain("About Tulips.")
})
