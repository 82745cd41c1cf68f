/**
 * A real Chromium, shared by all files of a process, with a fresh profile for every test.
 *
 * It can only reach this machine. A test fails if its page logs an error, has an unhandled error, opens a dialog or
 * violates the content security policy. A test that provokes errors declares which it expects. Without service workers,
 * unless a test allows them: requests that they make cannot be intercepted. What the pages of a failed test show is
 * printed.
 */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from "playwright-core"
import { afterEach, beforeAll, expect, TestRunner } from "vitest"
import { findBrowser } from "../../scripts/browser.mjs"

/** `evil.test` resolves to this machine, as with an attacker's name server. */
const LOOPBACK_ONLY = "--host-resolver-rules=MAP evil.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
const QUIET = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"]
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-sync", ...QUIET, LOOPBACK_ONLY]
/** Timeout for one step, generous for slow machines. Rules about speed have their own tests. */
const PATIENCE_MS = 20_000
/** How much of the beginning and of the end of a page is printed when a test fails. */
const SNAPSHOT_LENGTH = 4_000
const SNAPSHOT_MS = 2_000

/** The browser's error names for a lost connection. */
export const UNREACHABLE =
  /ERR_CONNECTION_(REFUSED|RESET|CLOSED|ABORTED)|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|ERR_SOCKET_NOT_CONNECTED/

export type TestBrowser = {
  /** A new browser profile without any stored data. */
  person(options?: BrowserContextOptions): Promise<BrowserContext>
  /** Opens an address in a new profile. */
  page(address: string, options?: BrowserContextOptions): Promise<Page>
  /** Declares errors that this test expects. */
  expectErrors(...patterns: readonly RegExp[]): void
}

/** All open profiles of this process. */
let contexts: BrowserContext[] = []

/** Requests whose response is not complete: streams, and whatever a failed test waited for. */
const pendingIn = new WeakMap<BrowserContext, ReadonlySet<Request>>()

/** Closes all pages. Servers call this before they stop for good, so that no page complains that they are gone. */
export async function closePages(): Promise<void> {
  const open = contexts
  contexts = []
  if (TestRunner.getCurrentTest()?.result?.state === "fail") for (const context of open) await printPages(context)
  await Promise.all(open.map(closed))
}

async function printPages(context: BrowserContext): Promise<void> {
  const pending = [...(pendingIn.get(context) ?? [])].map((request) => `pending: ${request.method()} ${request.url()}`)
  const pages = context.pages().map(async (page) => {
    const shown = await page.locator("body").ariaSnapshot({ timeout: SNAPSHOT_MS }).catch(String)
    const [start, end] = [shown.slice(0, SNAPSHOT_LENGTH), shown.slice(SNAPSHOT_LENGTH).slice(-SNAPSHOT_LENGTH)]
    return `${page.url()}\n${start}${end === "" ? "" : "\n…\n"}${end}`
  })
  console.error([...pending, ...(await Promise.all(pages))].join("\n"))
}

/** Call this once at the top of a test file. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined
  let expected: readonly RegExp[] = []
  let wrong: string[] = []

  beforeAll(async () => {
    browser = await runningBrowser()
  })
  afterEach(async () => {
    const left = wrong.filter((error) => !expected.some((pattern) => pattern.test(error)))
    await closePages()
    expected = []
    wrong = []
    expect(left, "what no page should do").toEqual([])
  })

  async function person(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    if (browser === undefined) throw new Error("the browser is not started yet")
    const context = await browser.newContext({
      viewport: { width: 1100, height: 760 },
      serviceWorkers: "block",
      ...options,
    })
    context.setDefaultTimeout(PATIENCE_MS)
    contexts.push(context)
    const pending = new Set<Request>()
    pendingIn.set(context, pending)
    context.on("request", (request) => void pending.add(request))
    context.on("requestfinished", (request) => void pending.delete(request))
    context.on("requestfailed", (request) => void pending.delete(request))
    const blame = (error: string) => void wrong.push(error)
    await context.exposeBinding("reportToTest", (_, error: string) => blame(error))
    await context.addInitScript(reportViolations)
    context.on("console", (message) => {
      if (message.type() === "error") blame(`console: ${message.text()} at ${message.location().url}`)
    })
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

/** The browser exits with the process. A crashed one is replaced. */
async function runningBrowser(): Promise<Browser> {
  const browser = await running
  if (browser?.isConnected()) return browser
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error("No browser found. Run node scripts/browser.mjs to install one.")
  running = chromium.launch({ executablePath, args: ARGS })
  return running
}

/** A request that a test is still holding back does not count as an error. */
async function closed(context: BrowserContext): Promise<void> {
  for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: "ignoreErrors" })
  await context.close()
}

/** Runs in the page. */
function reportViolations(): void {
  // The policy of a diagram's frame is what stops a hostile diagram: see diagrams.test.ts.
  if (location.pathname === "/diagram.html") return
  const report = (globalThis as unknown as { reportToTest(error: string): void }).reportToTest
  document.addEventListener("securitypolicyviolation", (event) => {
    report(`policy: ${event.violatedDirective} ${event.blockedURI}`)
  })
}
