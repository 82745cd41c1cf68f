/** AG-UI over a server that is killed in the middle of a run (API-37), and the code of its guide. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Parlor } from "@parlor/client"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { startFakeModel } from "../faults/fake-model.ts"
import { spawnServer, TOKEN } from "../faults/server-process.ts"
import { openDevice, ParlorAgent } from "./ag-ui.ts"

vi.setConfig({ testTimeout: 120_000 })
const POLL = { timeout: 60_000 }

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parlor-ag-ui-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it("[API-37] a run continues behind the last event, and is shown whole, after the server was killed", async () => {
  const model = await startFakeModel({ tokenMs: 40, words: 30 })
  const port = await freePort()
  const start = () => spawnServer({ dataFolder: folder, modelUrl: model.url, env: { PARLOR_PORT: String(port) } })
  const before = start()
  const url = await before.ready
  const page = openDevice({ port, token: TOKEN }, "killed")
  const running = page.say("Talk").catch(() => undefined)
  await expect.poll(() => page.text().length, POLL).toBeGreaterThan(20)
  await before.kill()
  await running
  const after = start()
  await after.ready
  const id = [...(page.bodies[0] ?? "").matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? ""
  const headers = { authorization: `Bearer ${TOKEN}`, "last-event-id": id }
  const rest = await (await fetch(`${url}/v1/ag-ui/host/killed/events`, { headers })).text()
  expect(rest).toContain('"type":"RUN_FINISHED"')
  expect(rest).not.toContain('"type":"RUN_STARTED"')
  const { messages } = await new Parlor({ baseUrl: url, token: TOKEN }).conversation("host", "killed").open()
  const stored = messages
    .at(-1)
    ?.parts.map((part) => (part.type === "text" ? part.text : ""))
    .join("")
  const said = [...rest.matchAll(/^data: (.+)$/gm)]
    .map(([, data = ""]) => JSON.parse(data) as { readonly type: string; readonly delta?: string })
    .map(({ type, delta }) => (type === "TEXT_MESSAGE_CONTENT" ? delta : ""))
    .join("")
  // Words of the first attempt that were stored but not delivered before the kill come first.
  expect(said.slice(-(stored?.length ?? 0))).toBe(stored)
  expect(said.slice(0, -(stored?.length ?? 0))).toMatch(/^(r1\.\S* ?)*$/)
  const other = openDevice({ port, token: TOKEN }, "killed")
  await other.connect()
  expect(other.text()).toBe(stored)
  await after.stop()
  await model.close()
})

it("[API-35] the guide's agent is the one in these tests", () => {
  const guide = readFileSync(new URL("../../docs/guides/ag-ui.md", import.meta.url), "utf8")
  const here = readFileSync(new URL("./ag-ui.ts", import.meta.url), "utf8")
  const [, code = ""] = /```ts\n(import[\s\S]*?)```/.exec(guide) ?? []
  const [declared = ""] = /export class ParlorAgent[\s\S]*?\n}\n/.exec(code) ?? []
  expect(declared).not.toBe("")
  expect(here).toContain(declared)
  expect(new ParlorAgent({ url: "http://127.0.0.1" }).stop).toBeTypeOf("function")
})

/** The same address before and after a restart. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
}
