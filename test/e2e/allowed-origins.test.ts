/** A page of another origin that uses the SDK, in a real browser. */
import { fileURLToPath } from "node:url"
import type { Parlor } from "@parlor/client"
import type { Page } from "playwright-core"
import { build, defaultClientConditions, type Rolldown } from "vite"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Attacker, startAttacker } from "./attacker.ts"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor, transcript } from "./parlor.ts"

/** An allowed app, and a page of a third party. */
let app: Attacker
let stranger: Attacker
let parlor: TestParlor
beforeAll(async () => {
  app = await startAttacker()
  stranger = await startAttacker()
  const sdk = await bundledSdk()
  for (const site of [app, stranger]) {
    site.serve("/sdk.js", sdk)
    site.serve("/", `<!doctype html><script type="module">import * as sdk from "/sdk.js"; window.sdk = sdk</script>`)
  }
  parlor = await startParlor({ allowedOrigins: [app.url] })
})
afterAll(async () => {
  await parlor.close()
  await app.close()
  await stranger.close()
})
const browser = useBrowser()

test("[API-17] a page of an allowed origin sends, follows, reads errors and headers, with a token and without cookies", async () => {
  browser.expectErrors(/404|422/)
  const page = await visit(app)
  const outcome = await page.evaluate(useSdk, { baseUrl: parlor.url, token: parlor.token })
  expect(outcome).toEqual({
    outcome: "started",
    reply: expect.stringContaining("hello"),
    refused: "conversation.unknown",
    offset: expect.stringMatching(/^\d{16}_/),
    etag: expect.stringMatching(/^".+"$/),
  })
  expect((await transcript(parlor))[0]).toBe("person: say hello from another origin")
  expect(await page.context().cookies()).toEqual([])
})

test("[API-18] a page of another origin cannot, not even with the token", async () => {
  browser.expectErrors(/CORS policy|ERR_FAILED|403/)
  const page = await visit(stranger)
  const before = await transcript(parlor)
  const outcome = await page.evaluate(trySending, { baseUrl: parlor.url, token: parlor.token })
  expect(outcome).toBe("network")
  expect(await transcript(parlor)).toEqual(before)
})

type Sdk = { readonly Parlor: new (options: object) => Parlor }
type Target = { readonly baseUrl: string; readonly token: string }

async function visit(site: Attacker): Promise<Page> {
  const page = await browser.page(`${site.url}/`)
  await page.waitForFunction(() => "sdk" in window)
  return page
}

/** Runs in the page. */
async function useSdk({ baseUrl, token }: Target) {
  const { sdk } = window as unknown as { readonly sdk: Sdk }
  const parlor = new sdk.Parlor({ baseUrl, token })
  const conversation = parlor.conversation("host")
  const { outcome, offset: from } = await conversation.send("say hello from another origin")
  let reply = ""
  for await (const changes of conversation.follow({ offset: from })) {
    for (const change of changes) if (change.type === "deltas") reply += change.value.text
    if (changes.some((change) => change.type === "turns" && change.value.state === "done")) break
  }
  const refused = await parlor
    .conversation("host", "none")
    .open()
    .catch((error: { code: string }) => error.code)
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${baseUrl}/v1/conversations/host/main/events`, { headers, credentials: "omit" })
  const { headers: got } = response
  return { outcome, reply, refused, offset: got.get("stream-next-offset"), etag: got.get("etag") }
}

/** Runs in the page. */
async function trySending({ baseUrl, token }: Target) {
  const { sdk } = window as unknown as { readonly sdk: Sdk }
  const conversation = new sdk.Parlor({ baseUrl, token }).conversation("host")
  return conversation.send("forged", { attempts: 1 }).catch((error: { code: string }) => error.code)
}

async function bundledSdk(): Promise<string> {
  const entry = fileURLToPath(new URL("../../packages/client/src/index.ts", import.meta.url))
  const built = await build({
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["@parlor/source", ...defaultClientConditions] },
    build: { write: false, minify: false, lib: { entry, formats: ["es"], fileName: "sdk" } },
  })
  const [{ output }] = (Array.isArray(built) ? built : [built]) as [Rolldown.RolldownOutput]
  return output[0].code
}
