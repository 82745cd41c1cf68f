/** Signing in at a real OpenID provider, in a real browser. */
import type { BrowserContext, Page } from "playwright-core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { barriers } from "./axe.ts"
import { UNREACHABLE, useBrowser } from "./browser.ts"
import { startIssuer, type TestIssuer } from "./issuer.ts"
import { type SteeredModel, startSteeredModel } from "./model.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectSame, expectText, expectWritten, roomOf } from "./room.ts"

const CLIENT = "parlor-page"
const AUDIENCE = "https://parlor.example.com"

let issuer: TestIssuer
let model: SteeredModel
let parlor: TestParlor

async function start(seconds?: number, env: Readonly<Record<string, string>> = {}): Promise<void> {
  issuer = await startIssuer({ clientId: CLIENT, audience: AUDIENCE, ...(seconds === undefined ? {} : { seconds }) })
  parlor = await startParlor({
    model,
    env: {
      PARLOR_JWT_ISSUER: issuer.url,
      PARLOR_JWT_AUDIENCE: AUDIENCE,
      PARLOR_OIDC_CLIENT_ID: CLIENT,
      ...env,
    },
  })
  issuer.open(`${parlor.url}/`)
}

beforeEach(async () => {
  model = await startSteeredModel()
})

afterEach(async () => {
  await parlor.close()
  await issuer.close()
  await model.close()
})

// After the hooks above: pages are closed before the servers they talk to.
const browser = useBrowser()

const signInHeading = (page: Page) => page.getByRole("heading", { name: "Sign in to Parlor" })
const signInButton = (page: Page) => page.getByRole("button", { name: "Sign in", exact: true })
const account = (page: Page, name: string) => page.getByRole("button", { name: `Account of ${name} of Example` })

/** At the issuer. */
async function giveName(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name").fill(name)
  await page.getByRole("button", { name: "Continue" }).click()
}

async function signIn(page: Page, name: string, hash = ""): Promise<void> {
  await page.goto(`${parlor.url}/${hash}`)
  await signInButton(page).click()
  await giveName(page, name)
  await account(page, name).waitFor()
}

async function newPerson(): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  const context = await browser.person()
  return { context, page: await context.newPage() }
}

test("[SEC-39] a person signs in, comes back to where they were, and talks; nothing secret stays in the address", async () => {
  await start()
  const { page } = await newPerson()
  const addresses: string[] = []
  page.on("request", (request) => void (request.url().startsWith(parlor.url) && addresses.push(request.url())))
  await signIn(page, "ana", "#/critic")
  expect(page.url()).toBe(`${parlor.url}/#/critic`)
  await page.goto(`${parlor.url}/#/host`)
  const room = roomOf(page)
  await room.say("Hello")
  const answer = await model.next()
  answer.say("Hello, Ana")
  answer.end()
  await expectText(room.replies, "Hello, Ana")
  await page.reload()
  await expectText(room.replies, "Hello, Ana")
  expect(issuer.counts).toEqual({ code: 1, refresh: 0, refused: 0 })
  expect(addresses.filter((address) => /code=|token=|state=/.test(address))).toEqual([])
  await page.goBack()
  await page.goBack()
  expect(page.url()).not.toMatch(/code=/)
})

test("[SEC-40] a token is renewed before it expires, in two windows at once, and rotation survives it", async () => {
  await start()
  const { context, page } = await newPerson()
  await signIn(page, "ana")
  const pages = [page, await context.newPage(), await context.newPage()]
  // A document of the same origin in which nothing of Parlor runs.
  const quiet = await context.newPage()
  await quiet.route("**/quiet", (route) => route.fulfill({ contentType: "text/html", body: QUIET }))
  await quiet.goto(`${parlor.url}/quiet`)
  for (let round = 1; round <= 3; round++) {
    for (const one of pages) await one.goto("about:blank")
    await quiet.evaluate(expire)
    await Promise.all(pages.map((one) => one.goto(parlor.url)))
    await Promise.all(pages.map((one) => account(one, "ana").waitFor()))
    await Promise.all(pages.map((one) => expectText(roomOf(one).status, "Ready")))
    expect(issuer.counts).toEqual({ code: 1, refresh: round, refused: 0 })
  }
})

const QUIET = `<!doctype html><link rel="icon" href="data:,">`

/** Runs in the page: the stored token has expired. */
function expire(): void {
  const session = JSON.parse(localStorage.getItem("parlor.session") ?? "{}")
  localStorage.setItem("parlor.session", JSON.stringify({ ...session, renewAt: 0, expiresAt: 0 }))
}

test("[SEC-40] a session that ends while a message is written loses nothing", async () => {
  browser.expectErrors(/400|401/)
  await start(4)
  const { page } = await newPerson()
  await signIn(page, "ana", "#/critic")
  const room = roomOf(page, "critic")
  await room.box.fill("half a thought")
  await expectWritten(room, "half a thought")
  await issuer.endGrants()
  await expect.poll(() => page.evaluate(isExpired)).toBe(true)
  // Another request of the page may notice it first; then there is no box any more.
  await room.box.press("Enter", { timeout: 5_000 }).catch(() => undefined)
  await expectText(
    page.getByRole("status"),
    "Your session has ended. Sign in again to continue. What you wrote is kept.",
  )
  expect(await page.evaluate(() => localStorage.getItem("parlor.session"))).not.toContain("oken")
  await signInButton(page).click()
  // The issuer still knows who this is.
  await account(page, "ana").waitFor()
  expect(page.url()).toBe(`${parlor.url}/#/critic`)
  await expectWritten(room, "half a thought")
  await expectCount(room.mine, 0)
})

/** Runs in the page. */
function isExpired(): boolean {
  return Date.now() >= JSON.parse(localStorage.getItem("parlor.session") ?? "{}").expiresAt
}

test("[SEC-40] text that is only written is in the box again after signing in", async () => {
  browser.expectErrors(/400|401/)
  await start()
  const { page } = await newPerson()
  await signIn(page, "ana")
  const room = roomOf(page)
  await room.box.fill("half a thought")
  await expectWritten(room, "half a thought")
  await issuer.endGrants()
  await page.evaluate(expire)
  await page.reload()
  await signInButton(page).click()
  await account(page, "ana").waitFor()
  await expectWritten(room, "half a thought")
})

test("[SEC-40] signing out ends it at the issuer and in every window; the next person finds nothing of it", async () => {
  browser.expectErrors(/400|401/)
  await start()
  const { context, page } = await newPerson()
  await signIn(page, "ana")
  const other = await context.newPage()
  await other.goto(parlor.url)
  await account(other, "ana").waitFor()
  await roomOf(other).box.fill("for my eyes only")
  await expectWritten(roomOf(other), "for my eyes only")
  await account(page, "ana").click()
  await page.getByRole("menuitem", { name: "Sign out" }).click()
  // The issuer asks whether to end its own session too.
  await page.getByRole("button", { name: /yes/i }).click()
  await expectText(page.getByRole("status"), "You are signed out.")
  expect(page.url()).toBe(`${parlor.url}/`)
  await expectText(other.getByRole("status"), "You are signed out.")
  const left = await Promise.all(
    [page, other].map((one) => one.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))),
  )
  for (const text of left) expect(text).not.toMatch(/for my eyes|refreshToken|idToken/)
  await signInButton(other).click()
  await giveName(other, "bob")
  await account(other, "bob").waitFor()
  await expectWritten(roomOf(other), "")
  await account(page, "bob").waitFor()
})

test("[SEC-40] another person who signs in in another window takes over all windows, with nothing mixed", async () => {
  await start()
  const { context, page } = await newPerson()
  await signIn(page, "ana")
  await roomOf(page).box.fill("written by Ana")
  await expectWritten(roomOf(page), "written by Ana")
  const other = await context.newPage()
  await other.goto(parlor.url)
  await account(other, "ana").waitFor()
  const bobs = await (await newPerson()).page
  await signIn(bobs, "bob")
  const session = await bobs.evaluate(() => localStorage.getItem("parlor.session") ?? "")
  await other.evaluate((text) => localStorage.setItem("parlor.session", text), session)
  await account(page, "bob").waitFor()
  await expectWritten(roomOf(page), "")
  await roomOf(page).say("From Bob")
  const answer = await model.next()
  answer.end()
  const { conversations } = await parlor.sdk.conversations()
  expect(conversations).toEqual([])
  expect((await parlor.sdk.people()).people.map(({ person }) => person)).toEqual(["jwt:bob"])
})

test("[SEC-39] what goes wrong is said in plain words, and one can try again", async () => {
  browser.expectErrors(/401|424/, UNREACHABLE)
  await start()
  const { page } = await newPerson()
  const said = page.getByRole("alert")
  await page.goto(parlor.url)
  await signInButton(page).click()
  await page.getByRole("button", { name: "Turn back" }).click()
  await expectText(said, "Sign-in was canceled, or you are not allowed to use this server.")
  // A response that nobody here asked for, and one that was used before.
  await page.goto("about:blank")
  await page.goto(`${parlor.url}/#code=stolen&state=guessed`)
  await expectText(said, "This sign-in has expired or was started in another window.")
  expect(page.url()).toBe(`${parlor.url}/`)
  // A token for another program.
  issuer.audience = "https://elsewhere.example.com"
  await page.getByRole("button", { name: "Try again" }).click()
  await giveName(page, "ana")
  await expectText(said, "This server did not accept your sign-in: This token is for another audience.")
  expect(await page.evaluate(() => localStorage.getItem("parlor.session"))).toBeNull()
  issuer.audience = AUDIENCE
  await page.getByRole("button", { name: "Try again" }).click()
  await account(page, "ana").waitFor()
})

test("[SEC-39] while the issuer is down the page says so; a session continues with the token it has", async () => {
  browser.expectErrors(/401|424/, UNREACHABLE)
  await start()
  const { context, page } = await newPerson()
  await signIn(page, "ana")
  await issuer.goDown()
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem("parlor.session") ?? "{}")
    localStorage.setItem("parlor.session", JSON.stringify({ ...session, renewAt: 0 }))
  })
  await page.reload()
  await expectText(roomOf(page).status, "Ready")
  await parlor.stop()
  await parlor.start()
  const other = await (await browser.person()).newPage()
  await other.goto(parlor.url)
  await expectText(other.getByRole("alert"), "The sign-in service can't be reached right now.")
  await other.getByText("Use a token").click()
  await other.getByLabel("Address or token").fill(parlor.token)
  await other.getByRole("button", { name: "Open", exact: true }).click()
  await expectText(roomOf(other).status, "Ready")
  await issuer.comeBack()
  expect(context.pages()).toHaveLength(1)
})

test("[SEC-39, SEC-37] a clock that is wrong is named; a link with a token does not replace a session unasked", async () => {
  browser.expectErrors(/401/)
  await start()
  const wrong = await newPerson()
  await wrong.context.addInitScript(() => {
    const now = Date.now
    Date.now = () => now() + 86_400_000
  })
  await wrong.page.goto(parlor.url)
  await signInButton(wrong.page).click()
  await giveName(wrong.page, "ana")
  await expectText(wrong.page.getByRole("alert"), "The date or time of this device seems to be wrong.")
  const { page } = await newPerson()
  await signIn(page, "ana")
  await page.goto("about:blank")
  await page.goto(parlor.address)
  await page.getByRole("dialog", { name: "Switch account?" }).waitFor()
  await page.keyboard.press("Escape")
  await account(page, "ana").waitFor()
})

test("[SEC-39] where the client is the audience, the ID token signs in, and is renewed too", async () => {
  await start(300, { PARLOR_JWT_AUDIENCE: CLIENT })
  const { page } = await newPerson()
  await signIn(page, "ana")
  await page.evaluate(expire)
  await page.reload()
  await expectText(roomOf(page).status, "Ready")
  expect(issuer.counts).toEqual({ code: 1, refresh: 1, refused: 0 })
})

test("[TAB-27, TAB-28, TAB-30] the page for signing in stands in nobody's way, on a phone, in light and in dark", async () => {
  await start()
  const page = await browser.page(parlor.url, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await signInHeading(page).waitFor()
  await page.getByText("Use a token").click()
  expect(await barriers(page)).toEqual([])
  await page.emulateMedia({ colorScheme: "dark" })
  expect(await barriers(page, ["color-contrast"])).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  await expectSame(signInHeading(page), "Sign in to Parlor")
})
