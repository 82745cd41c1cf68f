/** A page built with assistant-ui and its AI SDK runtime, rendered on Node 22, against a real server. */
import { readFileSync } from "node:fs"
import { defineTool } from "@parlor/core"
import { calls, finish, gate, says } from "@parlor/core/testing"
import { afterAll, beforeAll, expect, it } from "vitest"
import { z } from "zod"
import { startTestServer, type TestServer } from "../http/server.ts"
import { NODE22_TIMEOUT_MS } from "../support/node22.ts"
import { Remote } from "./remote.ts"

type View = { readonly messages: readonly (readonly string[])[]; readonly buttons: readonly string[] }

let server: TestServer
let page: Remote<View>
const pay = defineTool({
  name: "pay",
  description: "Pays.",
  input: z.object({ amount: z.number() }),
  approval: "always",
  repeatable: false,
  run: ({ amount }) => Promise.resolve({ paid: amount }),
})

beforeAll(async () => {
  server = await startTestServer({ agent: { tools: [pay] } })
  page = await Remote.start("assistant-ui.mjs", { messages: [], buttons: [] })
}, NODE22_TIMEOUT_MS)
afterAll(async () => {
  await page.close()
  await server.close()
})

async function open(id: string): Promise<void> {
  const listed = await fetch(`http://127.0.0.1:${server.port}/v1/ui/host/${id}/messages`, {
    headers: { authorization: `Bearer ${server.token}` },
  })
  const { messages } = listed.ok ? ((await listed.json()) as { messages: unknown[] }) : { messages: [] }
  const to = { url: `http://127.0.0.1:${server.port}`, agent: "host", token: server.token, sdk: 7 }
  await page.call("open", { id, messages, ...to })
}

/** In the middle of a reply: resolves when the page follows it. */
async function reload(): Promise<void> {
  await open("reload")
  await expect.poll(() => page.view.buttons).toContain("Cancel")
}

async function send(text: string): Promise<void> {
  await page.call("type", text)
  await expect.poll(() => page.view.buttons).toContain("Send")
  await page.call("click", "Send")
}

it("[API-1] assistant-ui sends and streams", async () => {
  const held = gate()
  server.script([
    { type: "reasoning", text: "Hm." },
    { type: "text", text: "One " },
    held,
    { type: "text", text: "two." },
    finish(),
  ])
  await open("plain")
  await send("Count")
  await expect.poll(() => page.view.messages).toEqual([["Count"], ["Hm.", "One "]])
  held.open()
  await expect.poll(() => page.view.messages).toEqual([["Count"], ["Hm.", "One two."]])
})

it("[API-2] assistant-ui shows tools and answers approvals, the second time too", async () => {
  server.script(calls("pay", { amount: 5 }), calls("pay", { amount: 7 }, "call_2"), says("Paid."))
  await open("pay")
  await send("Pay")
  await expect.poll(() => page.view.buttons).toContain("Allow")
  expect(page.view.messages).toEqual([["Pay"], ['pay {"amount":5}']])
  await page.call("click", "Allow")
  await expect.poll(() => page.view.messages.at(-1)).toEqual(['pay {"amount":5} → {"paid":5}', 'pay {"amount":7}'])
  await expect.poll(() => page.view.buttons).toContain("Deny")
  await page.call("click", "Deny")
  await expect.poll(() => page.view.messages.at(-1)?.at(-1)).toBe("Paid.")
  const { asks } = await server.runtime.snapshot({ agent: "host", person: "me", branch: "pay" }, { messages: 5 })
  expect(asks).toEqual([])
})

it("[API-3] assistant-ui that is reloaded in the middle continues the reply, however often", async () => {
  const [first, second] = [gate(), gate()]
  server.script([
    { type: "text", text: "One " },
    first,
    { type: "text", text: "two " },
    second,
    { type: "text", text: "three." },
    finish(),
  ])
  await open("reload")
  await send("Count")
  await expect.poll(() => page.view.messages).toEqual([["Count"], ["One "]])
  await reload()
  first.open()
  await expect.poll(() => page.view.messages).toEqual([["Count"], ["One two "]])
  await reload()
  second.open()
  await expect.poll(() => page.view.messages).toEqual([["Count"], ["One two three."]])
})

it("[API-1] the guide's page is the one of these tests", () => {
  const guide = readFileSync(new URL("../../docs/guides/use-chat.md", import.meta.url), "utf8")
  const code = readFileSync(new URL("../node22/assistant-ui.mjs", import.meta.url), "utf8")
  const lines = /export (function Page[\s\S]*?useAISDKRuntime\(chat\))/.exec(guide)?.[1] ?? "missing"
  expect(code).toContain(lines.replace(", children", ""))
})
