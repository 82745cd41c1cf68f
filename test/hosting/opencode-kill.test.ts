/** opencode, hosted by a server that is killed in the middle of its turn: the next server continues it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Parlor } from "@parlor/client"
import { afterEach, expect, test } from "vitest"
import { type ServerProcess, spawnServer, TOKEN } from "../faults/server-process.ts"
import { isAlive } from "../http/hosted.ts"
import { type MockModel, startMockModel } from "./mock-model.ts"
import { openCode } from "./npm-agents.ts"
import { openCodeEnv } from "./opencode-settings.ts"

const program = await openCode()
const SLOW = { timeout: 120_000, interval: 50 }
const servers: ServerProcess[] = []
let folder: string
let model: MockModel

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})

async function start() {
  const server = spawnServer({
    dataFolder: join(folder, "data"),
    modelUrl: model.url,
    env: { PARLOR_CONFIG: join(folder, "parlor.config.mjs"), PARLOR_LEASE_MS: "1000" },
  })
  servers.push(server)
  const parlor = new Parlor({ baseUrl: await server.ready, token: TOKEN })
  const main = parlor.conversation("coder")
  const said = async () =>
    (await main.open({ messages: 50 })).messages
      .filter(({ role }) => role === "agent")
      .map(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")).join(""))
  return { server, main, said }
}

test.skipIf(program === undefined)(
  "[HST-8, HST-13] killed with its server, it is ended, loads its session and continues; its files are its own",
  async () => {
    folder = mkdtempSync(join(tmpdir(), "parlor-opencode-"))
    model = await startMockModel()
    const acp = { command: [program, "acp"], env: openCodeEnv(model.url) }
    const config = { agents: [{ name: "coder", acp }] }
    writeFileSync(join(folder, "parlor.config.mjs"), `export default ${JSON.stringify(config)}`)
    const first = await start()
    await first.main.send("write a.txt one\nsay Written.")
    await expect.poll(first.said, SLOW).toEqual(["", "Written."])
    await first.main.send("first Half.\nwait\nsay Whole.")
    await expect.poll(async () => (await first.said()).at(-1), SLOW).toBe("Half.")
    const left = (JSON.parse(readFileSync(join(folder, "data", "hosted.json"), "utf8")) as [number, string][])[0]?.[0]
    await first.server.kill()
    const second = await start()
    await expect.poll(() => model.heard.at(-1) ?? "", SLOW).toContain("You were interrupted")
    expect(isAlive(left ?? 0)).toBe(false)
    model.release()
    await expect.poll(async () => (await second.main.open({ messages: 1 })).status.state, SLOW).toBe("idle")
    expect((await second.said()).slice(0, 3)).toEqual(["", "Written.", "Half."])
    const { messages } = await second.main.open({ messages: 50 })
    expect(messages.filter(({ role }) => role === "person")).toHaveLength(2)
    expect((await second.main.files.list()).map(({ path, by }) => [path, by])).toEqual([["a.txt", "agent:coder"]])
  },
  480_000,
)
