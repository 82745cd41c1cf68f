/** A real coding agent from npm, hosted: opencode, against a model server of our own. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Parlor } from "@parlor/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, jsonOf } from "../http/client.ts"
import { eventually, open } from "../http/conversations.ts"
import { type HostedServer, openAsk, startHostedServer } from "../http/hosted.ts"
import { type MockModel, startMockModel } from "./mock-model.ts"
import { openCode } from "./npm-agents.ts"
import { openCodeEnv } from "./opencode-settings.ts"

const program = await openCode()
const SLOW = { timeout: 120_000, interval: 50 }

describe.skipIf(program === undefined)("opencode (skipped where npm has no build of it)", () => {
  let server: HostedServer
  let model: MockModel
  /** One conversation for all tests: the program takes seconds to start. */
  let talk: ReturnType<HostedServer["talk"]>

  beforeAll(async () => {
    model = await startMockModel()
    server = await startHostedServer({
      command: [program ?? "", "acp"],
      env: openCodeEnv(model.url),
      settings: { retry: { tries: 5, baseMs: 5, maxMs: 20 } },
    })
    talk = server.talk()
  }, 360_000)

  afterAll(async () => {
    await server?.close()
    await model?.close()
  })

  const idle = (path: string) => expect.poll(async () => (await open(server, path)).status.state, SLOW).toBe("idle")

  test("[HST-1, HST-4, HST-9] edits files, asks before it runs a command, and a rollback restores what it wrote", async () => {
    await talk.say("write a.txt one", "say Written.")
    await idle(talk.path)
    expect((await talk.replies()).at(-1)).toBe("Written.")
    const { message } = await talk.say("write a.txt two", "bash echo made > b.txt", "say Changed.")
    const asked = await openAsk(server, talk.path)
    expect(asked.title).toContain("echo made > b.txt")
    await ask(server, "POST", `${talk.path}/answer`, { body: { answer: true } })
    await idle(talk.path)
    const folder = talk.folder()
    expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("made\n")
    const { files } = jsonOf(await ask(server, "GET", `${talk.path}/files`)) as {
      files: { path: string; by: string }[]
    }
    expect(files.map(({ path, by }) => [path, by])).toEqual([
      ["a.txt", "agent:host"],
      ["b.txt", "agent:host"],
    ])
    await ask(server, "POST", `${talk.path}/rollback`, { body: { to: message } })
    await eventually(() => Promise.resolve(existsSync(join(folder, "b.txt")))).toBe(false)
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one")
    const view = await open(server, talk.path)
    expect(view.slashCommands.map(({ name }) => name)).toContain("init")
    const { modes } = jsonOf(await ask(server, "GET", "/v1/agents/host/models")) as { modes: { name: string }[] }
    expect(modes.map(({ name }) => name)).toEqual(["build", "plan"])
  }, 240_000)

  test("[HST-1, HST-5] messages queue and can be edited while it works; a stop keeps its text", async () => {
    await talk.say("first Working on it.", "wait", "say never")
    await expect.poll(async () => (await talk.replies()).at(-1), SLOW).toBe("Working on it.")
    const { message } = await talk.say("say queued")
    await ask(server, "PATCH", `${talk.path}/queue/${message}`, { body: { text: "say edited", version: 1 } })
    expect((await ask(server, "POST", `${talk.path}/stop`, { body: { onQueue: "drain" } })).status).toBeLessThan(300)
    await expect.poll(async () => (await talk.replies()).slice(-2), SLOW).toEqual(["Working on it.", "edited"])
    await idle(talk.path)
  }, 240_000)

  test("[HST-1, HST-4] two devices follow it live, and a third one answers its question", async () => {
    const devices = [1, 2].map(() =>
      new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token: server.token })
        .conversation("host", talk.path.split("/").at(-1) ?? "")
        .live(),
    )
    const lastOf = ({ getState }: (typeof devices)[number]) =>
      getState()
        .messages.map(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")).join(""))
        .at(-1)
    const follow = (words: string) =>
      Promise.all(devices.map((device) => expect.poll(() => lastOf(device), SLOW).toBe(words)))
    try {
      await talk.say("first Let me see.", "wait", "bash echo there", "say Seen.")
      await follow("Let me see.")
      model.release()
      await Promise.all(
        devices.map(({ getState }) =>
          expect.poll(() => getState().asks.map(({ title }) => title), SLOW).toHaveLength(1),
        ),
      )
      const key = await server.addKey({ name: "phone" })
      await ask(server, "POST", `${talk.path}/answer`, { token: key, body: { answer: true } })
      await follow("Seen.")
      for (const { getState } of devices) expect(getState().asks).toEqual([])
    } finally {
      for (const device of devices) device.close()
    }
  }, 240_000)

  test("[HST-1, HST-9] a schedule wakes it, and what it writes is recorded", async () => {
    const branch = talk.path.split("/").at(-1)
    const when = { at: new Date(Date.now() + 1_500).toISOString() }
    const body = { agent: "host", branch, when, text: "write d.txt scheduled\nsay Woken." }
    expect((await ask(server, "POST", "/v1/schedules", { body })).status).toBeLessThan(300)
    await expect.poll(async () => (await talk.replies()).at(-1), SLOW).toBe("Woken.")
    await idle(talk.path)
    expect(readFileSync(join(talk.folder(), "d.txt"), "utf8")).toBe("scheduled")
  }, 240_000)

  test("[HST-7] killed in the middle, it loads its session and continues", async () => {
    await talk.say("first Half.", "wait", "say Whole.")
    await expect.poll(async () => (await talk.replies()).at(-1), SLOW).toBe("Half.")
    const [pid = 0] = server.pids()
    process.kill(pid, "SIGKILL")
    await idle(talk.path)
    expect((await talk.replies()).at(-2)).toBe("Half.")
    expect(model.heard.at(-1)).toContain("You were interrupted")
  }, 240_000)
})
