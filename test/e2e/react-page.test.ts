/** The page of docs/guides/react.md, as its development server serves it, in a real browser. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { createServer, defaultClientConditions, type ViteDevServer } from "vite"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor, transcript } from "./parlor.ts"
import { expectText } from "./room.ts"

const root = fileURLToPath(new URL("../../examples/react-page", import.meta.url))
const react18 = fileURLToPath(new URL("../react18/node_modules", import.meta.url))
/** Both majors that the package supports, in everything that the page loads. */
const MAJORS: readonly { readonly major: string; readonly alias: Readonly<Record<string, string>> }[] = [
  { major: "19", alias: {} },
  { major: "18", alias: { react: join(react18, "react"), "react-dom": join(react18, "react-dom") } },
]
const browser = useBrowser()

describe.each(MAJORS)("on React $major", ({ major, alias }) => {
  let parlor: TestParlor
  let vite: ViteDevServer
  let url: string
  const cacheDir = mkdtempSync(join(tmpdir(), "parlor-react-"))
  beforeAll(async () => {
    parlor = await startParlor()
    vi.stubEnv("PARLOR_URL", parlor.url)
    vi.stubEnv("PARLOR_TOKEN", parlor.token)
    const resolve = { conditions: ["@parlor/source", ...defaultClientConditions], alias }
    const server = { port: 0, ws: false as const, hmr: false, watch: null }
    vite = await createServer({
      root,
      configFile: join(root, "vite.config.ts"),
      cacheDir,
      logLevel: "error",
      resolve,
      server,
    })
    await vite.listen()
    url = vite.resolvedUrls?.local[0] ?? ""
  })
  afterAll(async () => {
    await vite.close()
    await parlor.close()
    vi.unstubAllEnvs()
    rmSync(cacheDir, { recursive: true, force: true })
  })

  test("the page runs on that version", async () => {
    const page = await browser.page(url)
    await page.getByLabel("Message", { exact: true }).waitFor()
    const path = JSON.stringify(await servedPath(url))
    const version = String(await page.evaluate(`import(${path}).then((react) => react.default.version)`))
    expect(version.split(".")[0]).toBe(major)
  })

  test("[API-51] in strict mode, two components of one conversation have one stream, and one the feed", async () => {
    const page = await browser.page("about:blank")
    const streams: string[] = []
    page.on("request", (request) => {
      const { pathname } = new URL(request.url())
      if (/\/(events|feed)$/.test(pathname)) streams.push(pathname)
    })
    await page.goto(url)
    await say(page, "say hello to the hooks")
    await expectText(page.getByRole("list", { name: "Messages" }), /person: say hello to the hooks.*agent:.*hello/)
    await expectText(page.locator("main"), "Conversations: 1")
    expect(streams.sort()).toEqual(["/v1/conversations/host/main/events", "/v1/feed"])
  })

  test("[API-52] a message that is submitted three times at once is sent once", async () => {
    const page = await browser.page(url)
    const box = page.getByLabel("Message", { exact: true })
    await box.fill("say it once")
    await page.locator("form").evaluate((form: HTMLFormElement) => {
      for (let n = 0; n < 3; n++) form.requestSubmit()
    })
    await expect.poll(() => box.inputValue()).toBe("")
    await expect
      .poll(async () => (await transcript(parlor)).filter((line) => line === "person: say it once").length)
      .toBe(1)
    await say(page, "say the next")
    await expect.poll(async () => (await transcript(parlor)).includes("person: say the next")).toBe(true)
    expect((await transcript(parlor)).filter((line) => line === "person: say it once")).toHaveLength(1)
  })

  test("[API-52] the text of a refused message returns with the reason, every time, unless there is a new one", async () => {
    browser.expectErrors(/422/)
    const page = await browser.page(url)
    const refusal = { type: "about:blank", title: "No", status: 422, code: "request.invalid", detail: "Not like this." }
    const body = JSON.stringify(refusal)
    let answer = () => {}
    await page.route("**/messages", async (route) => {
      if (route.request().method() !== "POST") return route.continue()
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      await route.fulfill({ status: 422, contentType: "application/problem+json", body })
    })
    const box = page.getByLabel("Message", { exact: true })
    const sent = () =>
      page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/messages"))
    for (const text of ["first try", "second try"]) {
      await Promise.all([sent(), say(page, text)])
      expect(await box.inputValue()).toBe("")
      answer()
      await expectText(page.getByRole("alert"), "Not like this.")
      expect(await box.inputValue()).toBe(text)
    }
    await Promise.all([sent(), say(page, "third try")])
    await box.fill("something new")
    answer()
    await expectText(page.getByRole("list", { name: "Messages" }), "failed: third try")
    expect(await box.inputValue()).toBe("something new")
  })

  test("[API-53] commands and agents are suggested at the caret, and accepting one replaces its word", async () => {
    const page = await browser.page(url)
    const box = page.getByLabel("Message", { exact: true })
    await box.fill("please @cri")
    await page.getByRole("button", { name: "@critic" }).click()
    expect(await box.inputValue()).toBe("please @critic ")
    await box.fill("/")
    const command = page.getByRole("button", { name: /^\// }).first()
    const word = await command.innerText()
    await command.click()
    expect(await box.inputValue()).toBe(`${word} `)
    await expect.poll(() => page.getByRole("button", { name: /^[/@]/ }).count()).toBe(0)
  })
})

/** Where the development server serves React. */
async function servedPath(url: string): Promise<string> {
  const main = await (await fetch(new URL("src/main.tsx", url))).text()
  return /"([^"]*\/react\.js[^"]*)"/.exec(main)?.[1] ?? ""
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message", { exact: true }).fill(text)
  await page.getByRole("button", { name: "Send", exact: true }).click()
}
