import type { BrowserContext, Page } from "playwright-core"
import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"

const stage = useStage({ asking: true })
const browser = useBrowser()

test("[TAB-13] an agent that waits is told on the page, and outside of it once for all windows while nobody looks", async () => {
  const { parlor, model } = stage()
  const context = await browser.person()
  await context.addInitScript(standIn)
  const windows = [await opened(context, parlor.address), await opened(context, parlor.url)] as const
  const [page, other] = windows
  // Browsers throttle rendering in background windows.
  await page.bringToFront()
  await page.keyboard.press("Alt+,")
  await page.getByRole("switch", { name: "Desktop notifications" }).click()
  await expect.poll(() => page.getByRole("switch").getAttribute("aria-checked")).toBe("true")
  await page.keyboard.press("Escape")

  const aside = await parlor.sdk.conversation("host").branches.make()
  await parlor.sdk.conversation("host", aside.branch).send("Please")
  const answer = await model.next()
  // A window notifies only about changes after it has loaded the conversations.
  for (const window of windows)
    await window.locator(`[data-tab="host/${aside.branch}"] [data-capsule="running"]`).waitFor()
  answer.call("ask_person", { question: "Tea or coffee?", options: ["Tea", "Coffee"] })
  const notices = page.getByRole("region", { name: "Notifications" })
  await expectText(notices, "host has a question for you Tea or coffee?")
  await expectText(other.getByRole("region", { name: "Notifications" }), "host has a question for you")
  expect(await calls(windows)).toEqual([])
  await notices.getByRole("link", { name: "Open" }).click()
  const room = roomOf(page)
  await room.ask("Tea or coffee?").getByRole("button", { name: "Tea" }).click()
  await expectCount(notices.getByRole("status"), 0)
  await expectCount(other.getByRole("region", { name: "Notifications" }).getByRole("status"), 0)

  for (const window of windows) await window.evaluate(() => Object.assign(globalThis, { isHidden: true }))
  const done = await model.next()
  done.say("Tea it is.")
  done.end()
  await expect.poll(() => calls(windows)).toEqual(["host is done: Tea it is."])
  await expectText(room.status, "Ready")
  expect(await calls(windows)).toHaveLength(1)
})

async function opened(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  await expectText(roomOf(page).status, "Ready")
  return page
}

/** The desktop notifications of all windows. */
async function calls(windows: readonly Page[]): Promise<readonly string[]> {
  const told = windows.map((page) => page.evaluate(() => (globalThis as unknown as { told: string[] }).told))
  return (await Promise.all(told)).flat()
}

/** Runs in the page: records notifications, and lets the test hide the window. */
function standIn(): void {
  const told: string[] = []
  class Told {
    // The permission belongs to the browser, so it applies to all its windows.
    static get permission(): string {
      return localStorage.getItem("parlor.notify") === "on" ? "granted" : "default"
    }
    static async requestPermission(): Promise<string> {
      return "granted"
    }
    constructor(title: string, { body }: { readonly body: string }) {
      told.push(`${title}: ${body}`)
    }
  }
  Object.assign(globalThis, { Notification: Told, told, isHidden: false })
  Object.defineProperty(document, "visibilityState", {
    get: () => ((globalThis as unknown as { isHidden: boolean }).isHidden ? "hidden" : "visible"),
  })
}
