/** The account menu and its page, in a real browser. */
import { buffer } from "node:stream/consumers"
import { Parlor } from "@parlor/client"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { barriers } from "./axe.ts"
import { UNREACHABLE, useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText } from "./room.ts"

const stage = useStage()
const browser = useBrowser()

test("[TAB-41, TAB-12] with the keyboard alone a key is created, shown once, works, and ends when it is revoked", async () => {
  const { parlor } = stage()
  const page = await browser.page(parlor.address)
  await menu(page, "API keys")
  await expectText(section(page, "API keys"), "You have no API keys.")
  const add = section(page, "API keys").getByRole("button", { name: "New key" })
  await add.focus()
  await page.keyboard.press("Enter")
  await page.keyboard.type("ci")
  await page.keyboard.press("Enter")
  const shown = page.getByRole("region", { name: "New API key" })
  const secret = (await shown.locator("code").textContent()) ?? ""
  const program = new Parlor({ baseUrl: parlor.url, token: secret })
  expect(await program.account()).toMatchObject({ person: "me", credential: "key", scopes: ["read", "write"] })
  await shown.getByRole("button", { name: "Done" }).click()
  await expectCount(shown, 0)
  const key = page.getByRole("list", { name: "API keys" }).getByRole("listitem")
  await expectText(key, /^ci read, write · created .* · expires .* Revoke$/)
  await key.getByRole("button", { name: "Revoke ci" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
  await expectCount(key, 0)
  await expect(program.account()).rejects.toMatchObject({ code: "auth.revoked" })
})

test("[TAB-41, TAB-27, TAB-30, TAB-37] usage and limits are shown on a phone too, and nothing stands in the way", async () => {
  const { parlor } = stage()
  const page = await browser.page(parlor.address, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: "reduce",
  })
  await page.getByRole("button", { name: "Open sidebar" }).click()
  await menu(page, "Usage")
  await page.getByRole("button", { name: "Open sidebar" }).click()
  await expectCount(page.getByRole("navigation", { name: "Sidebar" }).locator("[aria-current]"), 1)
  await page.keyboard.press("Escape")
  await expectText(section(page, "Usage"), /Tokens today 0 of 50,000,000/)
  await expectText(section(page, "Usage"), /Conversations \d+ of 5,000/)
  await section(page, "API keys").getByRole("button", { name: "New key" }).click()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  expect(await barriers(page)).toEqual([])
  await page.emulateMedia({ colorScheme: "dark" })
  expect(await barriers(page, ["color-contrast"])).toEqual([])
})

test("[TAB-41] signing out from the menu leaves nothing of the person in the browser", async () => {
  const { parlor } = stage()
  const page = await browser.page(parlor.address)
  await menu(page, "Sign out")
  await page.getByRole("heading", { name: "Open Parlor" }).waitFor()
  expect(await page.evaluate(() => localStorage.getItem("parlor.token"))).toBeNull()
})

test("[TAB-42] everything of the person is downloaded as an archive", async () => {
  const { parlor } = stage()
  await parlor.sdk.importLines("host", "main", JSON.stringify({ role: "person", text: "Words to take along" }))
  const page = await browser.page(parlor.address)
  await menu(page, "Your data")
  await expectText(page.locator("main"), "Signed in as me")
  const saved = page.waitForEvent("download")
  await page.getByRole("button", { name: "Export my data" }).click()
  const download = await saved
  expect(download.suggestedFilename()).toMatch(/^parlor-\d{4}-\d\d-\d\d\.zip$/)
  const archive = await buffer(await download.createReadStream())
  expect(archive.subarray(0, 2).toString()).toBe("PK")
  expect(archive.includes("conversations/host/main.jsonl")).toBe(true)
  await page.getByRole("button", { name: "Export my data" }).waitFor()
})

test("[TAB-42, TAB-12] deleting one's data needs a typed phrase, then it is gone and the person is signed out", async () => {
  // The server ends the streams of whoever is deleted.
  browser.expectErrors(/40[149]/, UNREACHABLE)
  const { parlor } = stage()
  await parlor.sdk.importLines("host", "main", JSON.stringify({ role: "person", text: "Words to forget" }))
  const page = await browser.page(parlor.address)
  await menu(page, "Your data")
  await page.getByRole("button", { name: "Delete my data" }).click()
  const dialog = page.getByRole("dialog", { name: "Delete all your data?" })
  const confirm = dialog.getByRole("button", { name: "Delete everything" })
  await page.keyboard.type("delete")
  expect(await confirm.isDisabled()).toBe(true)
  await page.keyboard.press("Enter")
  expect((await parlor.sdk.people()).people.map(({ person }) => person)).toEqual(["me"])
  expect(await barriers(page)).toEqual([])
  await page.keyboard.type(" my data")
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Open Parlor" }).waitFor()
  expect((await parlor.sdk.people()).people).toEqual([])
})

async function menu(page: Page, item: string): Promise<void> {
  await page.getByRole("navigation", { name: "Sidebar" }).getByRole("button", { name: "Account" }).click()
  await page.getByRole("menuitem", { name: item }).click()
}

function section(page: Page, name: string) {
  return page.getByRole("region", { name, exact: true })
}
