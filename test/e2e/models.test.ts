/** [MOD-19] The model in use, choosing another one, and connecting a provider on the page. */
import type { Page } from "playwright-core"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type AccountServer, openAccountServer } from "../providers/account-server.ts"
import { barriers } from "./axe.ts"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"

const KEY = "sk-account-key-0123456789abcdefWXYZ"
const MODELS = ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"]

let account: AccountServer
let local: AccountServer
let parlor: TestParlor

beforeEach(async () => {
  account = await openAccountServer(KEY)
  account.models = MODELS
  local = await openAccountServer(undefined)
  const env = { ...account.env, PARLOR_MODEL: "", PARLOR_LOCAL_MODELS: `${local.url}/v1` }
  parlor = await startParlor({ env })
})
afterEach(async () => {
  await parlor.close()
  await account.close()
  await local.close()
})
// Its pages are closed before the server.
const browser = useBrowser()

const demo = (page: Page) => page.getByRole("button", { name: /Demo model/ })
const dialog = (page: Page) => page.getByRole("dialog", { name: "Models and API keys" })
const inUse = (page: Page, name: string) => page.getByRole("button", { name: `Model: ${name}. Choose another` })

async function connectAnthropic(page: Page, key = KEY): Promise<void> {
  await demo(page).click()
  await dialog(page).getByRole("button", { name: "Connect Anthropic" }).click()
  // The focus is in the field.
  await page.keyboard.type(key)
  await page.keyboard.press("Enter")
}

describe("the owner", () => {
  test("[MOD-19] connects a real model from the demo's sign, and it answers at once", async () => {
    const room = roomOf(await browser.page(parlor.address, { reducedMotion: "reduce" }))
    const { page } = room
    await connectAnthropic(page)
    await expectText(dialog(page), /Agents that don't name a model use anthropic\/claude-sonnet-5-5/)
    await expectText(dialog(page), /Key …WXYZ, added/)
    expect(await page.content()).not.toContain(KEY)
    await page.keyboard.press("Escape")
    await inUse(page, "anthropic/claude-sonnet-5-5").waitFor()
    await room.say("Who are you?")
    await expectText(room.replies, /A real model says so\./)
    expect(account.asked.every(({ key }) => key === KEY)).toBe(true)

    // Another model, for this conversation only.
    await inUse(page, "anthropic/claude-sonnet-5-5").click()
    await page.getByRole("button", { name: /claude-opus-5-5/ }).click()
    await inUse(page, "anthropic/claude-opus-5-5").waitFor()
    expect((await parlor.sdk.conversation("host").open()).status.settings).toEqual({
      model: "anthropic/claude-opus-5-5",
    })
    await page.getByRole("button", { name: "New chat", exact: true }).first().click()
    await inUse(page, "anthropic/claude-sonnet-5-5").waitFor()
  })

  test("[SET-9] chooses the model of new chats in the settings", async () => {
    const room = roomOf(await browser.page(parlor.address, { reducedMotion: "reduce" }))
    const { page } = room
    await connectAnthropic(page)
    await expectText(dialog(page), /Key …WXYZ, added/)
    await page.keyboard.press("Escape")
    await inUse(page, "anthropic/claude-sonnet-5-5").waitFor()
    await room.say("Who are you?")
    await expectText(room.replies, /A real model says so\./)
    await page.keyboard.press("Alt+,")
    const settings = page.getByRole("dialog", { name: "Settings" })
    await settings.getByLabel("Model for new chats").selectOption("anthropic/claude-opus-5-5")
    await settings.getByRole("button", { name: "Save" }).click()
    await expectText(settings.getByText("Saved."), "Saved.")
    await page.keyboard.press("Escape")
    // The conversation that exists keeps its model.
    await inUse(page, "anthropic/claude-sonnet-5-5").waitFor()
    await page.getByRole("button", { name: "New chat", exact: true }).first().click()
    await inUse(page, "anthropic/claude-opus-5-5").waitFor()
    await room.say("And you?")
    await expectText(room.replies, /A real model says so\./)
    const { conversations } = await parlor.sdk.conversations()
    const [branch = ""] = conversations.map(({ branch }) => branch).filter((name) => name !== "main")
    expect((await parlor.sdk.conversation("host", branch).open()).status.settings).toEqual({
      model: "anthropic/claude-opus-5-5",
    })
  })

  test("[MOD-19] is told in words what is wrong, and can try again", async () => {
    browser.expectErrors(/status of (422|409)/)
    const { page } = roomOf(await browser.page(parlor.address, { reducedMotion: "reduce" }))
    await connectAnthropic(page, "sk-wrong-0123456789")
    const alert = dialog(page).getByRole("alert")
    await expectText(alert, /The provider rejected this API key/)
    account.mood = "quota"
    await dialog(page).getByLabel("API key", { exact: true }).fill(KEY)
    await dialog(page).getByRole("button", { name: "Test and save" }).click()
    await expectText(alert, /This account has no credit left/)
    account.mood = "well"
    await dialog(page).getByRole("button", { name: "Test and save" }).click()
    await expectText(dialog(page), /Key …WXYZ/)
    // Removing asks first.
    await dialog(page).getByRole("button", { name: "Remove" }).click()
    await dialog(page).getByRole("button", { name: "Remove" }).last().click()
    await expectText(dialog(page), /The demo model answers/)
    await page.keyboard.press("Escape")
    await demo(page).waitFor()
  })

  test("[MOD-18] uses a model server of this machine with one click", async () => {
    local.models = ["qwen3:8b", "llama4"]
    const { page } = roomOf(await browser.page(parlor.address, { reducedMotion: "reduce" }))
    await demo(page).click()
    const found = dialog(page).getByRole("region", { name: "Found on the server's computer" })
    await found.getByRole("combobox").selectOption("llama4")
    await found.getByRole("button", { name: "Use" }).click()
    await expectText(dialog(page), /use local\/llama4/)
  })

  test("[MOD-19] a key that is rejected later leads back to the dialog", async () => {
    const room = roomOf(await browser.page(parlor.address, { reducedMotion: "reduce" }))
    const { page } = room
    await parlor.sdk.providers.connect("anthropic", { key: KEY })
    account.key = "sk-another-one-0123456789"
    await room.say("hello")
    const failure = room.log.getByRole("alert")
    await expectText(failure, /rejected the API key/)
    await failure.getByRole("button", { name: "Check your API key" }).click()
    await dialog(page).getByRole("button", { name: "Replace key" }).click()
    await page.keyboard.type(account.key)
    await page.keyboard.press("Enter")
    await expectText(dialog(page), /Key …6789/)
    await page.keyboard.press("Escape")
    await failure.getByRole("button", { name: "Try again" }).click()
    await expectText(room.replies, /A real model says so\./)
  })

  test.each([
    ["light", 1440, 900],
    ["dark", 390, 844],
  ] as const)("[MOD-19] the dialog and the picker have no barriers: %s, %i px", async (colorScheme, width, height) => {
    local.models = ["qwen3:8b"]
    await parlor.sdk.providers.connect("anthropic", { key: KEY })
    const { page } = roomOf(
      await browser.page(parlor.address, { colorScheme, reducedMotion: "reduce", viewport: { width, height } }),
    )
    await inUse(page, "anthropic/claude-sonnet-5-5").click()
    await page.getByRole("button", { name: /claude-haiku-5-5/ }).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole("button", { name: "Models and API keys…" }).click()
    await dialog(page).getByRole("button", { name: "Connect OpenAI" }).click()
    await dialog(page).getByLabel("API key", { exact: true }).waitFor()
    expect(await barriers(page)).toEqual([])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(wide).toBe(false)
  })
})

test("[MOD-19] others are told to ask the owner", async () => {
  browser.expectErrors(/status of 403/)
  const { secret } = await parlor.sdk.keys.make({
    name: "ana",
    scopes: ["read", "write"],
    actFor: null,
    asMaker: false,
    expiresAt: null,
  })
  const page = await browser.page(`${parlor.url}/#token=${secret}`, { reducedMotion: "reduce" })
  await demo(page).click()
  await expectText(dialog(page), /Only the owner of this server can connect a model/)
  await expectCount(dialog(page).getByRole("button", { name: /Connect/ }), 0)
})
