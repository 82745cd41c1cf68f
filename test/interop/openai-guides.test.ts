/** The code of the guides to OpenAI clients, run as it is printed. */
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { defineTool } from "@parlor/core"
import { calls, says } from "@parlor/core/testing"
import { afterEach, beforeEach, expect, it } from "vitest"
import { z } from "zod"
import { root } from "../../scripts/setup.mjs"
import { startTestServer, type TestServer } from "../http/server.ts"
import { openaiClient } from "./openai.ts"

const run = promisify(execFile)
/** Where the package `openai` is found. */
const folder = join(root, "node_modules", ".cache", "parlor", `guide-${process.pid}`)

let server: TestServer
const pay = defineTool({
  name: "pay",
  description: "Pays.",
  input: z.object({}),
  approval: "always",
  repeatable: false,
  run: () => Promise.resolve("paid"),
})

beforeEach(async () => {
  server = await startTestServer({ agent: { tools: [pay] } })
  mkdirSync(folder, { recursive: true })
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.close()
})

function blocks(guide: string, language: string): readonly string[] {
  const text = readFileSync(join(root, "docs", "guides", guide), "utf8")
  return [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, kind, code = ""]) =>
    kind === language ? [code] : [],
  )
}

it("[API-6, API-7, API-10, API-12, API-14] the guide to OpenAI clients prints what it says", async () => {
  server.script(
    ...["Tea is on the list.", "Only tea.", "7", "14", "Good.", "The report."].map((text) => says(text)),
    ...[calls("pay", {}), says("Paid.")],
  )
  const code = blocks("openai.md", "js").join("\n")
  const file = join(folder, "guide.mjs")
  writeFileSync(file, code.replaceAll("127.0.0.1:4141", `127.0.0.1:${server.port}`))
  const { stdout } = await run(process.execPath, [file], { env: { ...process.env, PARLOR_TOKEN: server.token } })
  const expected = [...code.matchAll(/console\.log\(.*\/\/ → (.*)$/gm)].map(([, line]) => line)
  expect(expected.length).toBeGreaterThan(8)
  expect(stdout.trimEnd().split("\n")).toEqual(expected)
})

it("[API-8] the headers that the guide configures in LibreChat name the conversation", async () => {
  const [yaml = ""] = blocks("open-webui.md", "yaml")
  const [, name = "", value = ""] = /headers:\n\s+([\w-]+): "(.*)"/.exec(yaml) ?? []
  const headers = { [name]: value.replace("{{LIBRECHAT_BODY_CONVERSATIONID}}", "3f1c-chat") }
  const messages = [{ role: "user", content: "Hi" } as const]
  await openaiClient(server).chat.completions.create({ model: "host", messages }, { headers })
  const address = { agent: "host", person: "me", branch: "3f1c-chat" }
  expect((await server.runtime.snapshot(address, { messages: 9 })).messages).toHaveLength(2)
  expect(blocks("open-webui.md", "sh").join("")).toContain("ENABLE_FORWARD_USER_INFO_HEADERS=true")
})
