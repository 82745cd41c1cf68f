/** A complete Parlor with a model that streams at a constant rate, and helpers shared by the measurements. */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { root } from "../setup.mjs"

/** @typedef {{ what: string, seen: number, asked?: number, unit: string }} Measure */
/** @typedef {Awaited<ReturnType<typeof startTalkative>>} Talkative */
/** @typedef {(browser: import("playwright-core").Browser, parlor: Talkative) => Promise<Measure[]>} MeasuredPart */

export const TOKENS_A_SECOND = 200
const SECONDS = 10
const TICK_MS = 10
const VIEW = { width: 1280, height: 800 }

/** The parts of a long reply: paragraphs, lists, tables and code, in rotation. */
const SECTION = [
  "## A section of the answer\n\n",
  "Some words in *several* styles, with `code` and a [link](https://example.org), going on for a while. ".repeat(4),
  "\n\n- one thing\n- another **thing**\n- a third\n\n",
  "| name | value |\n|---|---|\n| first | 1 |\n| second | 2 |\n\n",
  "```ts\nexport function add(a: number, b: number): number {\n  return a + b\n}\n```\n\n",
].join("")

export async function startTalkative() {
  const data = mkdtempSync(join(tmpdir(), "parlor-measure-"))
  const model = await startModel()
  const load = (/** @type {string} */ name) => import(pathToFileURL(join(root, "packages", name)).href)
  const { startServing } = await load("cli/dist/serve.js")
  const { Parlor } = await load("client/dist/index.js")
  const serving = await startServing({
    PARLOR_DATA: data,
    PARLOR_PORT: "0",
    PARLOR_LOG: "error",
    PARLOR_TITLES: "off",
    PARLOR_MODEL: "compatible/steady",
    OPENAI_BASE_URL: model.url,
  })
  /** @type {import("@parlor/client").Parlor} */
  const sdk = new Parlor({ baseUrl: serving.url, token: serving.token })
  return {
    sdk,
    url: serving.url,
    address: `${serving.url}/#token=${serving.token}`,
    /**
     * Imports a conversation of `count` messages.
     *
     * @param {string} branch
     * @param {number} count
     */
    async fill(branch, count) {
      const lines = Array.from({ length: count }, (_, index) => {
        const text = index % 2 === 0 ? `Question ${index + 1} in ${branch}?` : answer(index)
        return JSON.stringify({ role: index % 2 === 0 ? "person" : "agent", text })
      })
      for (let at = 0; at < lines.length; at += 1_000)
        await sdk.importLines("host", branch, lines.slice(at, at + 1_000).join("\n"))
    },
    async close() {
      await serving.close()
      await model.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** @param {number} index */
function answer(index) {
  const words = "Some more words of an answer. ".repeat(1 + (index % 9))
  return index % 10 === 9 ? `${words}\n\n${SECTION}` : `Answer ${index + 1}. ${words}`
}

/**
 * Opens a page with a fresh profile.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {string} address
 */
export async function openPage(browser, address) {
  const context = await browser.newContext({ viewport: VIEW })
  const page = await context.newPage()
  await page.goto(address)
  await page.getByRole("textbox", { name: "Message to host" }).waitFor()
  return page
}

/**
 * Starts recording frame times and long tasks in the page.
 *
 * @param {import("playwright-core").Page} page
 */
export async function startFrames(page) {
  await page.evaluate(() => {
    /** @type {number[]} */
    const frames = []
    /** @type {number[]} */
    const busy = []
    const seen = Object.assign(globalThis, { frames, busy, isWatching: true })
    new PerformanceObserver((list) => busy.push(...list.getEntries().map((entry) => entry.duration))).observe({
      type: "longtask",
    })
    let last = performance.now()
    const tick = (/** @type {number} */ now) => {
      frames.push(now - last)
      last = now
      if (seen.isWatching) requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  })
}

/**
 * @param {import("playwright-core").Page} page
 * @returns {Promise<{ frames: number[], longTasks: number[] }>}
 */
export async function endFrames(page) {
  return page.evaluate(() => {
    const seen = /** @type {{ frames: number[], busy: number[], isWatching: boolean }} */ (
      /** @type {unknown} */ (globalThis)
    )
    seen.isWatching = false
    return { frames: seen.frames.slice(1), longTasks: seen.busy }
  })
}

/**
 * @param {readonly number[]} values
 * @param {number} share
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

async function startModel() {
  const server = createServer((request, response) => {
    request.resume()
    request.on("end", () => talk(response))
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the model has no port")
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(resolve))
    },
  }
}

/** @param {import("node:http").ServerResponse} response */
function talk(response) {
  response.writeHead(200, { "content-type": "text/event-stream" })
  const tokens = SECTION.repeat(40).match(/\s*\S{1,5}/g) ?? []
  const began = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = Math.min(TOKENS_A_SECOND * SECONDS, ((performance.now() - began) / 1_000) * TOKENS_A_SECOND)
    for (; sent < due; sent++) response.write(chunk({ content: tokens[sent % tokens.length] }, null))
    if (sent < TOKENS_A_SECOND * SECONDS) return
    clearInterval(timer)
    response.end(`${chunk({}, "stop")}data: [DONE]\n\n`)
  }, TICK_MS)
  response.on("close", () => clearInterval(timer))
}

/**
 * @param {{ content?: string | undefined }} delta
 * @param {string | null} reason
 */
function chunk(delta, reason) {
  const choice = { index: 0, delta, finish_reason: reason }
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "steady", choices: [choice] })}\n\n`
}
