/** The example with a small agent that does what it is told, in the built server, which is killed in the middle. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Parlor } from "@parlor/client"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { type ServerProcess, spawnServer, TOKEN } from "../../test/faults/server-process.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const POLL = { timeout: 60_000, interval: 50 }

const config = fileURLToPath(new URL("./parlor.config.ts", import.meta.url))
const program = fileURLToPath(new URL("../../test/support/fake-acp-agent.mjs", import.meta.url))

let folder = ""
let server: ServerProcess
let url = ""

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parlor-coding-agent-"))
  await start()
})

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<void> {
  const env = { PARLOR_CONFIG: config, CODER: `${process.execPath} ${program}`, PARLOR_LEASE_MS: "1000" }
  server = spawnServer({ dataFolder: folder, modelUrl: "http://127.0.0.1:9/v1", env })
  url = await server.ready
}

const coder = () => new Parlor({ baseUrl: url, token: TOKEN }).conversation("coder")

async function replies(): Promise<readonly string[]> {
  const { messages } = await coder().open()
  const said = messages.filter(({ role }) => role === "agent")
  return said.map(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")).join(""))
}

const pids = () =>
  (JSON.parse(readFileSync(join(folder, "hosted.json"), "utf8")) as [number, string][]).map(([pid]) => pid)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test("writes a file, and two devices see it", async () => {
  await coder().send("write hello.ts console.log(1)\nsay Done.")
  await expect.poll(replies, POLL).toContain("Done.")
  for (const device of [coder(), coder()]) expect((await device.open()).files.latest).toBe("hello.ts")
})

test("[HST-8, HST-13] the server is killed in the middle of a turn: the agent ends, and the turn continues", async () => {
  await coder().send("say Half.\nwait never")
  await expect.poll(replies, POLL).toContain("Half.")
  const [agent = 0] = pids()
  await server.kill()
  await start()
  await expect.poll(async () => (await replies()).slice(-2), POLL).toEqual(["Half.", "Continued."])
  await expect.poll(() => isAlive(agent), POLL).toBe(false)
  expect(existsSync(join(folder, "hosted.json"))).toBe(true)
})

test("[HST-1] a schedule wakes it", async () => {
  const parlor = new Parlor({ baseUrl: url, token: TOKEN })
  await parlor.schedules.make({ agent: "coder", branch: "main", when: { at: Date.now() + 1_000 }, text: "say Woken." })
  await expect.poll(replies, POLL).toContain("Woken.")
})
