import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Attacker, startAttacker } from "./attacker.ts"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor, transcript } from "./parlor.ts"
import { expectText, roomOf } from "./room.ts"

const HERE = "/v1/conversations/host/main"
const SECRET = "my secret"

let attacker: Attacker
let parlor: TestParlor
beforeAll(async () => {
  attacker = await startAttacker()
  parlor = await startParlor()
  await parlor.sdk.importLines("host", "main", JSON.stringify({ role: "person", text: SECRET }))
})
afterAll(async () => {
  await parlor.close()
  await attacker.close()
})
const browser = useBrowser()

test("[SEC-3] another site's page can neither read nor change anything, not even with the token", async () => {
  browser.expectErrors(/CORS policy|ERR_FAILED|403|401|ERR_BLOCKED_BY_RESPONSE|EventSource|MIME type/)
  const page = await visitor()
  const outcome = await page.evaluate(tryRequests, { url: parlor.url, here: parlor.url + HERE, token: parlor.token })
  expect(outcome).toEqual(Object.fromEntries(Object.keys(outcome).map((name) => [name, "blocked"])))
  expect(Object.keys(outcome)).toHaveLength(9)
  expect(await transcript(parlor)).toEqual([`person: ${SECRET}`])
})

test("[SEC-3] a form of another site's page changes nothing", async () => {
  browser.expectErrors(/403|frame-ancestors|ERR_BLOCKED_BY_RESPONSE/)
  const page = await visitor()
  for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    const refused = page.waitForResponse((response) => response.request().method() === "POST")
    await page.evaluate(postForm, { action: `${parlor.url}${HERE}/messages`, enctype })
    expect((await refused).status()).toBe(403)
  }
  expect(await transcript(parlor)).toEqual([`person: ${SECRET}`])
})

test("[SEC-3] another site's page can neither frame the page nor look into a window of it", async () => {
  browser.expectErrors(/frame-ancestors|Framing|ERR_BLOCKED_BY_RESPONSE|Cross-Origin-Opener-Policy/)
  const page = await visitor()
  const kept = await page.context().newPage()
  await kept.goto(parlor.address)
  await expectText(roomOf(kept).mine, SECRET)
  expect(await page.evaluate(frame, parlor.url)).toBe("blocked")
  const opened = page.context().waitForEvent("page")
  await page.evaluate((url) => void Object.assign(window, { opened: window.open(url) }), parlor.url)
  await expectText(roomOf(await opened).mine, SECRET)
  expect(await page.evaluate(lookIntoWindow)).toBe("blocked")
  expect(await page.evaluate(() => JSON.stringify(localStorage))).toBe("{}")
})

test("[SEC-3] a name that an attacker points at this machine is not answered", async () => {
  browser.expectErrors(/421|403|400/)
  const page = await (await browser.person()).newPage()
  const response = await page.goto(`http://evil.test:${new URL(parlor.url).port}/#token=${parlor.token}`)
  expect(response?.status()).toBeGreaterThanOrEqual(400)
  const asked = await page.evaluate(
    async ({ here, token }) => (await fetch(here, { headers: { authorization: `Bearer ${token}` } })).status,
    { here: HERE, token: parlor.token },
  )
  expect(asked).toBeGreaterThanOrEqual(400)
})

/** A person with the page open in one tab who visits a malicious site in another. */
async function visitor(): Promise<Page> {
  const page = await browser.page(parlor.address)
  await expectText(roomOf(page).mine, SECRET)
  await page.goto(`${attacker.url}/`)
  return page
}

type Target = { readonly url: string; readonly here: string; readonly token: string }

/** Runs in the page. */
async function tryRequests({ url, here, token }: Target): Promise<Record<string, string>> {
  const bearer = { authorization: `Bearer ${token}` }
  const json = { ...bearer, "content-type": "application/json" }
  const body = JSON.stringify({ text: "forged" })
  const tried: Record<string, () => Promise<unknown>> = {
    read: () => fetch(here).then((response) => response.text()),
    "read with the token": () => fetch(here, { headers: bearer }).then((response) => response.text()),
    "read without asking": async () => (await fetch(here, { mode: "no-cors" })).text(),
    send: () => fetch(`${here}/messages`, { method: "POST", body }),
    "send with the token": () => fetch(`${here}/messages`, { method: "POST", body, headers: json }),
    delete: () => fetch(here, { method: "DELETE", headers: bearer }),
    health: () => fetch(`${url}/healthz`).then((response) => response.text()),
    follow: () =>
      new Promise((resolve, reject) => {
        const source = new EventSource(`${here}/events?offset=-1&live=sse`)
        source.onmessage = resolve
        source.onopen = resolve
        source.onerror = () => {
          source.close()
          reject(new Error("blocked"))
        }
      }),
    script: () =>
      new Promise((resolve, reject) => {
        const script = document.createElement("script")
        script.src = `${here}?messages=30`
        script.onload = resolve
        script.onerror = reject
        document.body.append(script)
      }),
  }
  const outcome: Record<string, string> = {}
  for (const [name, attempt] of Object.entries(tried)) {
    outcome[name] = await attempt().then(
      (got) => (got === "" ? "blocked" : `got ${String(got)}`),
      () => "blocked",
    )
  }
  return outcome
}

/** Runs in the page. With `text/plain` the body of a form can be made to look like JSON. */
function postForm({ action, enctype }: { readonly action: string; readonly enctype: string }): void {
  const form = Object.assign(document.createElement("form"), { method: "post", action, enctype, target: "hidden" })
  const input = Object.assign(document.createElement("input"), { name: '{"text":"forged","x":"', value: '"}' })
  const hidden = Object.assign(document.createElement("iframe"), { name: "hidden" })
  form.append(input)
  document.body.replaceChildren(hidden, form)
  form.submit()
}

/** Runs in the page. */
function frame(url: string): Promise<string> {
  return new Promise((resolve) => {
    const inner = document.createElement("iframe")
    inner.src = url
    inner.onload = () => resolve(inner.contentDocument === null ? "blocked" : "framed")
    document.body.append(inner)
  })
}

/** Runs in the page. */
function lookIntoWindow(): string {
  try {
    const { opened } = window as unknown as { readonly opened: Window }
    return `read ${opened.document.body.innerText} ${opened.localStorage.length}`
  } catch {
    return "blocked"
  }
}
