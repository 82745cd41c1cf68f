import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectText, roomOf, textIn } from "./room.ts"

const browser = useBrowser()
let parlor: TestParlor
beforeAll(async () => {
  parlor = await startParlor()
})
afterAll(() => parlor.close())

describe("coming in", () => {
  test("[SEC-2] the token in the address is kept, and the address is cleared", async () => {
    const page = await browser.page(parlor.address)
    await roomOf(page).box.waitFor()
    await expect.poll(() => page.url()).toBe(`${parlor.url}/`)
    await page.reload()
    await expectText(roomOf(page).status, "Ready")
  })

  test("[SEC-3] no request carries the token in its address", async () => {
    const context = await browser.person()
    const page = await context.newPage()
    const asked: string[] = []
    page.on("request", (request) => asked.push(request.url()))
    await page.goto(parlor.address)
    await expectText(roomOf(page).status, "Ready")
    expect(asked.some((url) => url.includes("/v1/"))).toBe(true)
    // The browser reports the fragment of a navigation too, but does not send it.
    expect(asked.map((url) => url.replace(/#.*/, "")).filter((url) => url.includes(parlor.token))).toEqual([])
  })

  test("[SEC-2] without a token the page says where to find it, and takes it pasted", async () => {
    const page = await browser.page(parlor.url)
    await page.getByRole("heading", { name: "Open Parlor" }).waitFor()
    expect(await textIn(page.getByRole("main"))).toContain(`Parlor is ready: ${parlor.url}/#token=`)
    const field = page.getByRole("textbox", { name: "Address or token" })
    await field.fill("not a token at all")
    await page.getByRole("button", { name: "Open" }).click()
    await expectText(page.getByRole("main"), "That text contains no token")
    await field.fill(parlor.address)
    await field.press("Enter")
    await expectText(roomOf(page).status, "Ready")
  })

  test("[SEC-2] a wrong token is refused in words, and forgotten", async () => {
    browser.expectErrors(/401/)
    const page = await browser.page(`${parlor.url}/#token=${"wrong".repeat(8)}`)
    await expectText(page.getByRole("alert"), "rejected this browser's token")
    await expect.poll(() => page.evaluate(() => Object.values(localStorage).join())).not.toContain("wrong")
    await page.goto(parlor.address)
    await page.reload()
    await expectText(roomOf(page).status, "Ready")
  })
})

test("[SEC-6] the page is served with a strict content policy and without type sniffing", async () => {
  const context = await browser.person()
  const response = await (await context.newPage()).goto(parlor.url)
  const headers = response?.headers() ?? {}
  const policy = headers["content-security-policy"] ?? ""
  for (const rule of ["default-src 'self'", "script-src 'self'", "connect-src 'self'", "object-src 'none'"])
    expect(policy.split("; ")).toContain(rule)
  for (const rule of ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"])
    expect(policy.split("; ")).toContain(rule)
  expect(headers["x-content-type-options"]).toBe("nosniff")
  expect(headers["referrer-policy"]).toBe("no-referrer")
})

test("a first message to host is answered by the demo model, with a tool at work", async () => {
  const room = roomOf(await browser.page(parlor.address))
  await room.page.getByRole("heading", { name: "Chat with host" }).waitFor()
  await room.say("hello")
  await expectText(room.replies.first(), "For a real model, set OPENAI_API_KEY")
  await expectText(room.status, "Ready")
  await room.say("What time is it?")
  await expectText(room.replies.nth(1), /Checked the time.*done/s)
  await room.replies.nth(1).locator("summary").click()
  await expectText(room.replies.nth(1), '"iso"')
})
