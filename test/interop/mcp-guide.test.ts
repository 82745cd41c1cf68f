/** The code in docs/guides/mcp.md, as it is written there, against a real server. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { defineTool } from "@parlor/core"
import { calls, says } from "@parlor/core/testing"
import { expect, it } from "vitest"
import { z } from "zod"
import { startTestServer } from "../http/server.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const pay = defineTool({
  name: "pay",
  description: "Pays.",
  input: z.object({}),
  approval: "always",
  repeatable: false,
  run: () => Promise.resolve("paid"),
})

it("[API-40] [API-42] the program in the guide sends, is asked, and reads", async () => {
  const guide = readFileSync(`${ROOT}/docs/guides/mcp.md`, "utf8")
  const code = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? ""
  const server = await startTestServer({ agent: { tools: [pay] } })
  try {
    server.script(calls("pay", {}), says("The bill is paid."))
    const env = { ...process.env, PARLOR_URL: `http://127.0.0.1:${server.port}`, PARLOR_TOKEN: server.token }
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], { env, cwd: ROOT })
    const { stdout } = await run
    expect(stdout).toContain("asked: ")
    expect(stdout).toContain("progress: Calling pay")
    expect(stdout).toContain("done The bill is paid.")
    expect(stdout).toMatch(/\d messages/)
  } finally {
    await server.close()
  }
}, 60_000)
