/** The installed app: offline start, updates, badge (APP-1 to APP-5). */
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createServer, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { openPage } from "../../packages/server/src/page/page.ts"
import { pageFolder } from "../../packages/web/page.js"
import { closePages, UNREACHABLE, useBrowser } from "./browser.ts"
import { type TestParlor, useStage } from "./parlor.ts"
import { expectText, roomOf } from "./room.ts"

const stage = useStage({ asking: true })
const browser = useBrowser()
const ALLOWED = { serviceWorkers: "allow" } as const

test("[APP-1] the page can be installed: manifest, icons, colors", async () => {
  const { parlor } = stage()
  const page = await browser.page(parlor.address)
  const href = await page.locator("link[rel=manifest]").getAttribute("href")
  const manifest = await page.evaluate(async (path) => (await fetch(path)).json(), href ?? "")
  expect(manifest).toMatchObject({ name: "Parlor", start_url: "/", display: "standalone" })
  const purposes = manifest.icons.map(({ purpose }: { purpose: string }) => purpose)
  expect(purposes).toContain("maskable")
  for (const { src, sizes } of manifest.icons) {
    const drawn = await page.evaluate(async (path) => {
      const image = new Image()
      image.src = path
      await image.decode()
      return `${image.naturalWidth}x${image.naturalHeight}`
    }, src)
    expect(drawn, src).toBe(sizes)
  }
  const session = await page.context().newCDPSession(page)
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors")
  // Chromium installs nothing from a private window; the tests have no other.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([])
})

test("[APP-2] without a server the page opens with what it has, and never says Ready", async () => {
  browser.expectErrors(UNREACHABLE, /Failed to (load|fetch)/)
  const { parlor, model } = stage()
  const context = await browser.person(ALLOWED)
  const page = await context.newPage()
  await page.goto(parlor.address)
  const room = roomOf(page)
  await room.say("Remember the heron")
  const call = await model.next()
  call.say("The heron is remembered.")
  call.end()
  await expectText(room.status, "Ready")
  await installed(page)
  await expect.poll(() => keptConversations(page)).toBeGreaterThan(0)
  await parlor.stop()
  await page.reload()
  await expectText(room.log, "The heron is remembered.")
  await expectText(room.status, /Connection lost|Connecting/)
  await room.say("Are you there?")
  await expectText(page.getByRole("region", { name: "Waiting to be sent" }), "Are you there?")
  expect(await room.status.innerText()).not.toContain("Ready")
  await parlor.start()
  const again = await model.next()
  again.say("I am here.")
  again.end()
  await expectText(room.log, "I am here.")
  await expectText(room.status, "Ready")
})

test("[APP-3] a new version waits for Reload; until then every window is of one version", async () => {
  const { parlor } = stage()
  const site = await startSite(parlor)
  try {
    const context = await browser.person(ALLOWED)
    const page = await context.newPage()
    await page.goto(site.address)
    await installed(page)
    const other = await context.newPage()
    await other.goto(site.address)
    await other.getByRole("log").waitFor()
    await site.publish()
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    await expectText(page.getByText("A new version of Parlor is ready."), "new version")
    await page.reload()
    expect(await versionOf(page)).toBe("1")
    await page.getByRole("button", { name: "Reload" }).click()
    await expect.poll(() => versionOf(page)).toBe("2")
    // The server no longer has this window's files; they are kept.
    await other.evaluate(() => location.assign("#search/host/main"))
    await other.getByRole("searchbox", { name: "Search all conversations and memories" }).waitFor()
    expect(await versionOf(other)).toBe("1")
    await other.reload()
    expect(await versionOf(other)).toBe("2")
  } finally {
    await closePages()
    site.close()
  }
})

test("[APP-4] what belongs to the server never passes through the worker, and the worker has the page's policy", async () => {
  const { parlor } = stage()
  const page = await (await browser.person(ALLOWED)).newPage()
  await page.goto(parlor.address)
  await installed(page)
  const answers = await page.evaluate(async () => {
    const cached = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return cached.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(answers).toContain("/")
  expect(answers.filter((path) => path.startsWith("/v1"))).toEqual([])
  const worker = await fetch(`${parlor.url}/sw.js`)
  expect(worker.headers.get("content-security-policy")).toContain("script-src 'self'")
  expect(worker.headers.get("cache-control")).toBe("no-cache")
})

test("[APP-5] the icon shows how many conversations need the person", async () => {
  const { parlor, model } = stage()
  const context = await browser.person()
  await context.addInitScript(() => {
    const badges: number[] = []
    Object.assign(globalThis, { badges })
    navigator.setAppBadge = async (count) => void badges.push(count ?? 0)
    navigator.clearAppBadge = async () => void badges.push(0)
  })
  const page = await context.newPage()
  await page.goto(parlor.address)
  const badges = () => page.evaluate(() => (globalThis as unknown as { badges: number[] }).badges.at(-1))
  await expect.poll(badges).toBe(0)
  const room = roomOf(page)
  await room.say("Clean up")
  const call = await model.next()
  call.call("delete_file", { path: "notes.md" })
  await expectText(room.status, "host needs your approval")
  await expect.poll(badges).toBe(1)
  await room.log.getByRole("button", { name: "Deny", exact: true }).click()
  const last = await model.next()
  last.end()
  await expect.poll(badges).toBe(0)
})

async function installed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    while (navigator.serviceWorker.controller === null)
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
      )
  })
}

function keptConversations(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open("parlor")
        opening.onsuccess = () => {
          const database = opening.result
          if (!database.objectStoreNames.contains("snapshots")) return resolve(0)
          const counting = database.transaction("snapshots").objectStore("snapshots").count()
          counting.onsuccess = () => {
            database.close()
            resolve(counting.result)
          }
        }
      }),
  )
}

function versionOf(page: Page): Promise<string> {
  return page.evaluate(() => document.querySelector("meta[name=test-version]")?.getAttribute("content") ?? "")
}

/** The page's files from a folder that can be replaced, in front of a real server. */
async function startSite(parlor: TestParlor) {
  const folder = mkdtempSync(join(tmpdir(), "parlor-site-"))
  cpSync(pageFolder, folder, { recursive: true })
  for (const name of readdirSync(folder)) if (/\.(br|gz)$/.test(name)) rmSync(join(folder, name))
  const change = (name: string, edit: (text: string) => string) =>
    writeFileSync(join(folder, name), edit(readFileSync(join(folder, name), "utf8")))
  change("index.html", (html) => html.replace("<head>", '<head><meta name="test-version" content="1">'))
  let page = openPage(folder)
  const server: Server = createServer(async (asked, answer) => {
    const file = await page((asked.url ?? "/").split("?")[0] ?? "/", "")
    if (file !== undefined) return void answer.writeHead(file.status, file.headers).end(file.body)
    const { host, port } = new URL(parlor.url)
    const headers = { ...asked.headers, host, ...(asked.headers.origin ? { origin: parlor.url } : {}) }
    const passed = request({ port, path: asked.url, method: asked.method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    passed.on("error", () => answer.destroy())
    answer.on("close", () => passed.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/#token=${parlor.token}`,
    /** The next version: other names, as after a build that changed them. */
    async publish() {
      const old = readdirSync(join(folder, "assets")).find((name) => /^SearchPage-.*\.js$/.test(name)) ?? ""
      const fresh = old.replace("SearchPage-", "SearchPage-2")
      renameSync(join(folder, "assets", old), join(folder, "assets", fresh))
      change("index.html", (html) => html.replace('content="1"', 'content="2"'))
      change("sw.js", (text) => text.replace(/VERSION = "/, 'VERSION = "2').replace(old, fresh))
      page = openPage(folder)
    },
    close() {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
