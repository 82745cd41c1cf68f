import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { type TestParlor, useStage } from "./parlor.ts"
import { expectCount, expectText, expectWritten, roomOf } from "./room.ts"

const SECRET = "my secret"

const stage = useStage()
const browser = useBrowser()

test("[SEC-37] the first sign-in asks nothing, the same token changes nothing, and neither stays in the address", async () => {
  const { parlor } = await mine()
  const page = await browser.page(parlor.address)
  await expectText(roomOf(page).mine, SECRET)
  expect(page.url()).toBe(`${parlor.url}/`)
  await page.goto("about:blank")
  await page.goto(parlor.address)
  await expectText(roomOf(page).mine, SECRET)
  expect(page.url()).toBe(`${parlor.url}/`)
  await expectCount(question(page), 0)
})

test("[SEC-37] a link with another token asks, says what is unsent, and changes nothing when it is turned down", async () => {
  const { parlor, theirs } = await mine()
  const page = await browser.page(parlor.address)
  const room = roomOf(page)
  await expectText(room.mine, SECRET)
  await room.box.fill("half a thought")
  await expectWritten(room, "half a thought")
  await page.goto("about:blank")
  await page.goto(`${parlor.url}/#token=${theirs}`)
  await expectText(question(page), /token for another account.*unsent text in host\/main/)
  expect(page.url()).toBe(`${parlor.url}/`)
  await expectText(room.mine, SECRET)
  await page.keyboard.press("Enter")
  await expectCount(question(page), 0)
  expect(await storedToken(page)).toBe(parlor.token)
  await page.reload()
  await expectText(room.mine, SECRET)
  await expectWritten(room, "half a thought")
  await expectCount(question(page), 0)
})

test("[SEC-37] in a page that is open it asks too, stays where it is, and switches when told to", async () => {
  const { parlor, theirs } = await mine()
  const page = await browser.page(parlor.address)
  await expectText(roomOf(page).mine, SECRET)
  await page.goto(`${parlor.url}/#/critic`)
  await expectText(roomOf(page, "critic").status, "Ready")
  await page.evaluate((token) => {
    location.hash = `#token=${token}`
  }, theirs)
  await question(page).waitFor()
  expect(page.url()).toBe(`${parlor.url}/#/critic`)
  await expectText(roomOf(page, "critic").status, "Ready")
  expect((await question(page).innerText()).includes("unsent")).toBe(false)
  expect(await storedToken(page)).toBe(parlor.token)
  await page.getByRole("button", { name: "Switch account" }).click()
  await expectCount(question(page), 0)
  expect(await storedToken(page)).toBe(theirs)
  await page.goto(`${parlor.url}/#/host`)
  await expectText(roomOf(page).status, "Ready")
  await page.reload()
  await expectText(roomOf(page).status, "Ready")
  expect(await storedToken(page)).toBe(theirs)
})

test("[SEC-37] a stored token that the server no longer accepts is replaced without a question", async () => {
  browser.expectErrors(/401/)
  const { parlor, theirs } = await mine()
  const page = await browser.page(parlor.url)
  await page.evaluate(() => localStorage.setItem("parlor.token", "an-old-token-that-was-replaced-long-ago"))
  await page.goto("about:blank")
  await page.goto(`${parlor.url}/#token=${theirs}`)
  await expectText(roomOf(page).mine, SECRET)
  await expectCount(question(page), 0)
  expect(await storedToken(page)).toBe(theirs)
})

function question(page: Page) {
  return page.getByRole("dialog", { name: "Switch account?" })
}

function storedToken(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem("parlor.token"))
}

type Mine = { readonly parlor: TestParlor; readonly theirs: string }

/** A server with some conversations, and a second token for it. The page cannot know whose token it is. */
async function mine(): Promise<Mine> {
  const { parlor } = stage()
  const { secret } = await parlor.sdk.keys.make({ name: "another" })
  await parlor.sdk.importLines("host", "main", JSON.stringify({ role: "person", text: SECRET }))
  return { parlor, theirs: secret }
}
