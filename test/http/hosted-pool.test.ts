/** The processes of hosted agents: how many there are, when they end, and what happens when they do not start. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { ask } from "./client.ts"
import { eventually, open } from "./conversations.ts"
import { type HostedOptions, type HostedServer, isAlive, startHostedServer } from "./hosted.ts"

const servers: HostedServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function start(options: HostedOptions): Promise<HostedServer> {
  const server = await startHostedServer(options)
  servers.push(server)
  return server
}

describe("the processes of hosted agents", () => {
  test("[HST-13] a further one waits while all are busy, and then ends the idle one; it starts again when it is needed", async () => {
    const server = await start({ processes: 1 })
    const [one, two] = [server.talk(), server.talk()]
    await one.say("say one", "wait go")
    await one.waits()
    await two.say("say two")
    await eventually(async () => (await open(server, two.path)).status.state).toBe("busy")
    const [first = 0] = server.pids()
    one.release("go")
    await two.idle()
    expect(await two.replies()).toEqual(["two"])
    expect(server.hosts.size).toBe(1)
    expect(isAlive(first)).toBe(false)
    await one.say("say again")
    await one.idle()
    expect(await one.replies()).toEqual(["one", "again"])
    expect(server.prompts.at(-1)?.session).toBe((await open(server, one.path)).status.session)
  })

  test("[HST-13] an idle one ends, and the next message resumes its session without a replay", async () => {
    const server = await start({ idleMs: 30, env: { FAKE_SESSIONS: "resume" } })
    const talk = server.talk()
    await talk.say("say one")
    await talk.idle()
    const { session } = (await open(server, talk.path)).status
    await eventually(async () => server.hosts.size).toBe(0)
    await talk.say("say two")
    await talk.idle()
    expect(await talk.replies()).toEqual(["one", "two"])
    expect((await open(server, talk.path)).status.session).toBe(session)
  })

  test.each([
    ["http", ["files", "web"]],
    ["", ["files"]],
  ])(
    "[HST-22] gets the MCP servers of its definition that it supports (%j), in new and in loaded sessions",
    async (can, names) => {
      const server = await start({
        env: { FAKE_MCP: can },
        idleMs: 50,
        mcp: [
          { name: "files", command: "files-server", args: ["--root", "."], env: { KEY: "k" } },
          { name: "web", url: "https://mcp.example.com/", headers: { Authorization: "Bearer t" } },
        ],
      })
      const talk = server.talk()
      const all = [
        { name: "files", command: "files-server", args: ["--root", "."], env: [{ name: "KEY", value: "k" }] },
        {
          type: "http",
          name: "web",
          url: "https://mcp.example.com/",
          headers: [{ name: "Authorization", value: "Bearer t" }],
        },
      ].filter(({ name }) => names.includes(name))
      for (let times = 1; times <= 2; times++) {
        await talk.say("servers")
        await talk.idle()
        const said = await talk.replies()
        expect(said).toHaveLength(times)
        expect(JSON.parse(said.at(-1) ?? "")).toEqual(all)
        await eventually(() => Promise.resolve(server.hosts.size)).toBe(0)
      }
      const { messages } = await open(server, talk.path)
      const notices = JSON.stringify(messages).match(/over HTTP and was started without: web/g) ?? []
      expect(notices).toHaveLength(can === "http" ? 0 : 2)
    },
  )

  test("[HST-7, HST-10] one that keeps no sessions is interrupted by a crash; later prompts get the conversation as text", async () => {
    const server = await start({ idleMs: 30, env: { FAKE_SESSIONS: "none" } })
    const talk = server.talk()
    await talk.say("say one", "crash")
    await eventually(async () => (await open(server, talk.path)).status.state).toBe("error")
    expect((await open(server, talk.path)).status.error).toMatchObject({ code: "harness.interrupted" })
    expect(await talk.replies()).toEqual(["one"])
    await talk.say("say two")
    await talk.idle()
    expect((await talk.replies()).slice(0, 2)).toEqual(["one", "two"])
    const home = readFileSync(
      join(talk.home(), "sessions", `${(await open(server, talk.path)).status.session}.json`),
      "utf8",
    )
    expect(home).toContain("The conversation so far")
  })

  test("[HST-7] a program that does not exist fails the turn with its name", async () => {
    const server = await start({ command: ["no-such-program-anywhere", "acp"] })
    const talk = server.talk()
    await talk.say("hi")
    await eventually(async () => (await open(server, talk.path)).status.error).toMatchObject({
      code: "harness.start",
      detail: 'The program "no-such-program-anywhere" was not found. Check the command of this agent.',
    })
    await eventually(async () => server.hosts.size).toBe(0)
  })

  test("[HST-7] a program that ends at once fails the turn with what it said", async () => {
    const server = await start({ env: { FAKE_BROKEN: "start" } })
    const talk = server.talk()
    await talk.say("hi")
    await eventually(async () => (await open(server, talk.path)).status.error?.detail ?? "").toMatch(
      /ended with code 3.*fake agent: cannot start/,
    )
  })

  test("[HST-5] one that ignores the cancellation is ended; the stop does not wait for it", async () => {
    const server = await start({})
    const talk = server.talk()
    await talk.say("say kept", "hang")
    await talk.waits()
    // What it said has arrived.
    await eventually(() => talk.replies()).toEqual(["kept"])
    const [pid = 0] = server.pids()
    const began = Date.now()
    expect((await ask(server, "POST", `${talk.path}/stop`, { body: {} })).status).toBe(200)
    expect(Date.now() - began).toBeLessThan(4_000)
    expect((await open(server, talk.path)).status.state).toBe("idle")
    await talk.say("say next")
    await eventually(() => talk.replies()).toEqual(["kept", "next"])
    expect(isAlive(pid)).toBe(false)
  })
})
