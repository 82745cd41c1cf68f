/** A second coding agent from npm, hosted: Gemini CLI, against a model server of our own. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, jsonOf } from "../http/client.ts"
import { eventually, open } from "../http/conversations.ts"
import { type HostedServer, openAsk, startHostedServer } from "../http/hosted.ts"
import { type MockModel, startMockModel } from "./mock-model.ts"
import { geminiCli } from "./npm-agents.ts"

const SLOW = { timeout: 120_000, interval: 50 }

describe("Gemini CLI", () => {
  let server: HostedServer
  let model: MockModel
  let talk: ReturnType<HostedServer["talk"]>

  beforeAll(async () => {
    model = await startMockModel()
    server = await startHostedServer({
      // It takes a missing file for an error and can then not create it.
      acpFiles: false,
      command: [process.execPath, await geminiCli(), "--acp", "--model", "gemini-2.5-pro"],
      env: {
        GEMINI_API_KEY: "none",
        GEMINI_DEFAULT_AUTH_TYPE: "gemini-api-key",
        GOOGLE_GEMINI_BASE_URL: model.url.replace(/\/v1$/, ""),
        GEMINI_CLI_TRUST_WORKSPACE: "true",
        GEMINI_TELEMETRY_ENABLED: "false",
      },
    })
    talk = server.talk()
  }, 360_000)

  afterAll(async () => {
    await server?.close()
    await model?.close()
  })

  const idle = () => expect.poll(async () => (await open(server, talk.path)).status.state, SLOW).toBe("idle")

  test("[HST-1, HST-4, HST-9, HST-12] asks before it writes; a rollback restores files; its models can be chosen", async () => {
    await talk.say("write a.txt one", "say Written.")
    expect((await openAsk(server, talk.path)).title).toContain("a.txt")
    await ask(server, "POST", `${talk.path}/answer`, { body: { answer: true } })
    await idle()
    expect((await talk.replies()).at(-1)).toBe("Written.")
    const { message } = await talk.say("write a.txt two", "bash echo made > b.txt", "say Changed.")
    for (const command of ["a.txt", "echo made"]) {
      expect((await openAsk(server, talk.path)).title).toContain(command)
      await ask(server, "POST", `${talk.path}/answer`, { body: { answer: true } })
      await eventually(async () =>
        (await open(server, talk.path)).asks.some(({ title }) => title.includes(command)),
      ).toBe(false)
    }
    await idle()
    const file = (name: string) => join(talk.folder(), name)
    expect([readFileSync(file("a.txt"), "utf8"), readFileSync(file("b.txt"), "utf8")]).toEqual(["two", "made\n"])
    await ask(server, "POST", `${talk.path}/rollback`, { body: { to: message } })
    await eventually(() => Promise.resolve(existsSync(file("b.txt")))).toBe(false)
    expect(readFileSync(file("a.txt"), "utf8")).toBe("one")
    const offers = jsonOf(await ask(server, "GET", "/v1/agents/host/models")) as {
      readonly models: readonly { readonly name: string }[]
      readonly modes: readonly { readonly name: string }[]
    }
    const other = offers.models.map(({ name }) => name).find((name) => name.includes("flash"))
    const settings = { mode: "yolo", model: other }
    expect((await ask(server, "PUT", `${talk.path}/settings`, { body: settings })).status).toBe(200)
    await talk.say("write c.txt three", "say Without asking.")
    await idle()
    expect(model.asked.at(-1)).toContain(`/${other}:`)
    expect(readFileSync(file("c.txt"), "utf8")).toBe("three")
  }, 240_000)

  test("[HST-5] a stop keeps its text", async () => {
    await talk.say("first Working on it.", "wait", "say never")
    await expect.poll(async () => (await talk.replies()).at(-1), SLOW).toBe("Working on it.")
    expect((await ask(server, "POST", `${talk.path}/stop`, { body: {} })).status).toBeLessThan(300)
    await idle()
    expect((await talk.replies()).at(-1)).toBe("Working on it.")
  }, 240_000)

  test("[HST-7] killed in the middle of a turn that its session has not stored, it is interrupted and says so", async () => {
    await talk.say("first Half.", "wait", "say Whole.")
    await expect.poll(async () => (await talk.replies()).at(-1), SLOW).toBe("Half.")
    const [pid = 0] = server.pids()
    process.kill(pid, "SIGKILL")
    await expect.poll(async () => (await open(server, talk.path)).status.state, SLOW).toBe("error")
    expect((await open(server, talk.path)).status.error?.code).toBe("harness.interrupted")
    expect((await talk.replies()).at(-1)).toBe("Half.")
  }, 240_000)
})
