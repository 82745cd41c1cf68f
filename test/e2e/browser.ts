/**
 * A real Chromium, one for all files of a process, with a fresh profile for every test.
 *
 * It can reach this machine only. What a good page never does fails the test it happens in: an error on the console or
 * outside of any handler, a dialog, a violated content policy. A test that provokes errors says which it expects.
 */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { afterEach, beforeAll, expect } from "vitest"
import { findBrowser } from "../../scripts/browser.mjs"

/** `evil.test` is this machine by another name, as an attacker's own name server would have it. */
const LOOPBACK_ONLY = "--host-resolver-rules=MAP evil.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
const QUIET = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"]
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-sync", ...QUIET, LOOPBACK_ONLY]
/** For one step, of a machine that is late, not wrong. Whoever promises to be quicker says so in a test of its own. */
const PATIENCE_MS = 20_000

/** As a browser calls it, whatever moment the connection goes in. */
export const UNREACHABLE =
  /ERR_CONNECTION_(REFUSED|RESET|CLOSED|ABORTED)|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|ERR_SOCKET_NOT_CONNECTED/

export type TestBrowser = {
  /** A new person at a new machine: nothing kept from before. */
  person(options?: BrowserContextOptions): Promise<BrowserContext>
  /** The first page of a new person, at an address. */
  page(address: string, options?: BrowserContextOptions): Promise<Page>
  /** Errors that this test is about. */
  expectErrors(...patterns: readonly RegExp[]): void
}

/** Call it once at the top of a test file. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined
  let contexts: BrowserContext[] = []
  let expected: readonly RegExp[] = []
  let wrong: string[] = []

  beforeAll(async () => {
    browser = await runningBrowser()
  })
  afterEach(async () => {
    const left = wrong.filter((error) => !expected.some((pattern) => pattern.test(error)))
    await Promise.all(contexts.map(closed))
    contexts = []
    expected = []
    wrong = []
    expect(left, "what no page should do").toEqual([])
  })

  async function person(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    if (browser === undefined) throw new Error("the browser is not started yet")
    const context = await browser.newContext({ viewport: { width: 1100, height: 760 }, ...options })
    context.setDefaultTimeout(PATIENCE_MS)
    contexts.push(context)
    const blame = (error: string) => void wrong.push(error)
    await context.exposeBinding("reportToTest", (_, error: string) => blame(error))
    await context.addInitScript(reportViolations)
    context.on("console", (message) => message.type() === "error" && blame(`console: ${message.text()}`))
    context.on("weberror", (error) => blame(`uncaught: ${String(error.error())}`))
    context.on("dialog", (dialog) => {
      blame(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    return context
  }

  return {
    person,
    async page(address, options) {
      const page = await (await person(options)).newPage()
      await page.goto(address)
      return page
    },
    expectErrors: (...patterns) => {
      expected = [...expected, ...patterns]
    },
  }
}

let running: Promise<Browser> | undefined

/** It ends with the process. One that has died is replaced. */
async function runningBrowser(): Promise<Browser> {
  const browser = await running
  if (browser?.isConnected()) return browser
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error("There is no browser. node scripts/browser.mjs installs one.")
  running = chromium.launch({ executablePath, args: ARGS })
  return running
}

/** A request that a test still has in its hands is not an error of the test. */
async function closed(context: BrowserContext): Promise<void> {
  for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: "ignoreErrors" })
  await context.close()
}

/** Runs in the page. */
function reportViolations(): void {
  const report = (globalThis as unknown as { reportToTest(error: string): void }).reportToTest
  document.addEventListener("securitypolicyviolation", (event) => {
    report(`policy: ${event.violatedDirective} ${event.blockedURI}`)
  })
}
