import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { defineTool } from "@parlor/agent"
import { type ScenarioOptions, scenario } from "@parlor/testing"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { z } from "zod"
import config from "./parlor.config.ts"

const folder = import.meta.dirname
const refunds: unknown[] = []
let shop: Server
let talk: Awaited<ReturnType<typeof scenario>>

beforeAll(async () => {
  shop = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += chunk
    })
    request.on("end", () => {
      if (request.method === "POST") refunds.push(JSON.parse(body))
      response.statusCode = request.url?.startsWith("/orders/A-7") ? 200 : 404
      response.end(JSON.stringify({ id: "A-7", item: "a cup", euros: 80, refunded: refunds.length, secret: "x" }))
    })
  })
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve))
  process.env.SHOP_URL = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
})
afterAll(() => void shop.close())
beforeEach(() => {
  refunds.length = 0
})
afterEach(() => talk.close())

async function open(model: ScenarioOptions["model"], options: ScenarioOptions = {}): Promise<void> {
  talk = await scenario(config, { folder, ...(model === undefined ? {} : { model }), ...options })
}
const last = async () => (await talk.transcript()).at(-1)

test("an order is looked up over HTTP, and the model sees only what the schema lets through", async () => {
  await open([{ call: "look_up_order", input: { id: "A-7" } }, "It is a cup."])
  await talk.send("What is A-7?")
  const seen = JSON.stringify(talk.requests()[1]?.messages)
  expect(seen).toContain("a cup")
  expect(seen).not.toContain("secret")
})

test("a small refund is made at once, with a key that makes a repetition harmless", async () => {
  await open([{ call: "refund", input: { id: "A-7", euros: 5 } }, "5 euros are on their way."])
  await talk.send("It was late")
  expect(refunds).toMatchObject([{ euros: 5, key: expect.any(String) }])
})

test("a large refund waits for an approval", async () => {
  await open([{ call: "refund", input: { id: "A-7", euros: 80 } }, "80 euros are on their way."])
  await talk.send("It was broken")
  expect(await talk.asks()).toMatchObject([{ kind: "approval" }])
  expect(refunds).toEqual([])
  await talk.answer(true)
  expect(refunds).toMatchObject([{ euros: 80 }])
  expect(await last()).toBe("agent: 80 euros are on their way.")
})

test("/order puts the order on the desk before the model is asked", async () => {
  await open(["It cost 80 euros."])
  await talk.send("/order A-7 how much was it?")
  expect(JSON.stringify(talk.requests()[0]?.messages)).toContain("a cup")
})

test("GitHub's webhook makes a command of each issue, until it is closed", async () => {
  await open(["I will look at it.", "The cups break.", "Closed."])
  const issue = { number: 7, title: "Cups arrive broken", body: "All of them." }
  await talk.deliver("github", { action: "opened", issue })
  const names = async () => (await talk.slashCommands()).map(({ name }) => name)
  expect(await names()).toEqual(expect.arrayContaining(["order", "issue-7", "refunds"]))
  await talk.send("/issue-7 what is this about?")
  expect(talk.requests()[1]?.instructions).toContain("Cups arrive broken")
  await talk.deliver("github", { action: "closed", issue })
  expect(await names()).not.toContain("issue-7")
})

test("every morning the desk looks at what is open, on its own", async () => {
  await open(["Nothing."], { startAt: "2026-03-06T07:00:00Z" })
  await talk.pass("3d")
  expect(await talk.transcript()).toEqual(["person: What is still open?", "agent: Nothing."])
})

test("the skill is read when it is needed, and what customers prefer is remembered elsewhere", async () => {
  const note = { name: "gift-wrap", description: "Wants gift wrap.", body: "Always." }
  await open([
    { call: "skill_read", input: { name: "refunds" } },
    { call: "memory_write", input: note },
    "Noted.",
    "Yes.",
  ])
  await talk.send("Gift wrap, always")
  expect(JSON.stringify(talk.requests()[1]?.messages)).toContain("refund the shipping")
  const other = talk.with({ branch: "other" })
  await talk.runtime.make({ agent: "desk", person: "ana", branch: "other" }, talk.runtime.txid())
  await other.send("The usual?")
  expect(JSON.stringify(talk.requests()[3])).toContain("Wants gift wrap.")
})

test("the lawyer answers as a guest, and the handbook is read from an MCP server", async () => {
  const read = defineTool({
    name: "read_text_file",
    description: "Reads a file.",
    input: z.object({ path: z.string() }),
    run: () => "Cups are packed twice.",
  })
  const desk = [{ call: "handbook__read_text_file", input: { path: "packing.md" } }, "We pack cups twice."]
  await open({ desk, lawyer: ["They may return it within 14 days."] }, { mcp: { handbook: { tools: [read] } } })
  await talk.send("How do we pack cups?")
  expect(await last()).toBe("agent: We pack cups twice.")
  await talk.send("@lawyer may they return it?")
  expect(await last()).toBe("lawyer: They may return it within 14 days.")
})

test("all of this is at most 130 lines", () => {
  const lines = ["parlor.config.ts", "desk.ts", "shop.ts"].map((file) => readFileSync(`${folder}/${file}`, "utf8"))
  expect(lines.join("").trimEnd().split("\n").length).toBeLessThanOrEqual(130)
})
