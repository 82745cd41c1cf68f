/** A hosted agent over HTTP: a real process that speaks ACP, in a real folder. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Parlor } from "@parlor/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, expected, expectProblem, jsonOf } from "./client.ts"
import { eventually, open } from "./conversations.ts"
import { type HostedServer, isAlive, openAsk, startHostedServer } from "./hosted.ts"

describe("an agent that speaks ACP", () => {
  let server: HostedServer

  beforeAll(async () => {
    server = await startHostedServer({ env: { GIVEN: "yes" } })
  })

  afterAll(() => server.close())

  const partsOf = async (path: string) =>
    (
      jsonOf(await ask(server, "GET", `${path}?messages=100`)) as {
        readonly messages: readonly { readonly role: string; readonly parts: readonly Record<string, unknown>[] }[]
      }
    ).messages.flatMap(({ role, parts }) => (role === "agent" ? parts : []))

  test("[HST-1, HST-10, HST-13] answers in one process and one session per conversation", async () => {
    const talk = server.talk()
    await talk.say("think hm", "say Hello", "plan look around")
    await talk.idle()
    await talk.say("say again")
    await talk.idle()
    expect(await talk.replies()).toEqual(["Hello", "again"])
    expect(await partsOf(talk.path)).toMatchObject([
      { type: "reasoning", text: "hm" },
      { type: "text" },
      { type: "tool", name: "plan", output: [{ text: "look around", state: "started" }] },
      { type: "text" },
    ])
    const { status } = await open(server, talk.path)
    expect(status.usage).toMatchObject({ inputTokens: 14, outputTokens: 10 })
    expect(server.prompts.at(-1)?.session).toBe(status.session)
  })

  test("[HST-3, HST-9] its calls and the files it edits on disk are recorded; a rollback restores them", async () => {
    const talk = server.talk()
    await talk.say("write src/a.txt one", "write b.txt bee")
    await talk.idle()
    const { message } = await talk.say("write src/a.txt two", "delete b.txt")
    await talk.idle()
    const folder = talk.folder()
    expect(existsSync(join(folder, "b.txt"))).toBe(false)
    expect((await partsOf(talk.path))[0]).toMatchObject({
      type: "tool",
      state: "done",
      foreign: {
        title: "Write src/a.txt",
        kind: "edit",
        locations: [{ path: "src/a.txt" }],
        diffs: [{ path: "src/a.txt" }],
      },
    })
    const { files } = jsonOf(await ask(server, "GET", `${talk.path}/files`)) as {
      files: { path: string; by: string }[]
    }
    expect(files).toMatchObject([{ path: "src/a.txt", by: "agent:host" }])
    await ask(server, "POST", `${talk.path}/rollback`, { body: { to: message } })
    await eventually(async () => existsSync(join(folder, "b.txt"))).toBe(true)
    expect(readFileSync(join(folder, "src/a.txt"), "utf8")).toBe("one")
    await talk.idle()
    await talk.say("say new session")
    await talk.idle()
    expect(server.prompts.at(-1)).toMatchObject({ session: undefined })
  })

  test("[HST-9] what a person edits by hand between turns is not the agent's change", async () => {
    const talk = server.talk()
    await talk.say("write a.txt one")
    await talk.idle()
    writeFileSync(join(talk.folder(), "a.txt"), "by hand")
    await talk.say("write b.txt two")
    await talk.idle()
    const { changes } = jsonOf(await ask(server, "GET", `${talk.path}/changes`)) as {
      changes: { path: string; by: string }[]
    }
    expect(changes.map(({ path, by }) => [path, by])).toEqual([
      ["b.txt", "agent:host"],
      ["a.txt", "hand"],
      ["a.txt", "agent:host"],
    ])
  })

  test("[HST-15] reads and writes files through Parlor, and nothing outside of its folder", async () => {
    const talk = server.talk()
    await ask(server, "PUT", talk.path)
    await ask(server, "PUT", `${talk.path}/files/notes.md`, {
      body: "by a person",
      headers: { "content-type": "text/plain" },
    })
    await talk.say(
      "read notes.md",
      "put made.md by the agent",
      "read ../../secret",
      "put ../outside no",
      "read missing.md",
    )
    await talk.idle()
    expect(await partsOf(talk.path)).toMatchObject([
      { state: "done", output: { content: "by a person" } },
      { state: "done" },
      { state: "failed", error: { detail: expect.stringContaining("outside of the working folder") } },
      { state: "failed", error: { detail: expect.stringContaining("outside of the working folder") } },
      { state: "failed", error: { detail: expect.stringContaining("not found") } },
    ])
    expect((await ask(server, "GET", `${talk.path}/files/made.md`)).text).toBe("by the agent")
  })

  test("[HST-16] runs commands in its folder, and what they write is recorded", async () => {
    const talk = server.talk()
    await talk.say("run echo hello && pwd && echo text > made.txt")
    await talk.idle()
    const [call] = await partsOf(talk.path)
    expect(call).toMatchObject({ state: "done", output: { output: `hello\n${talk.folder()}\n` } })
    expect((await ask(server, "GET", `${talk.path}/files/made.txt`)).text).toBe("text\n")
  })

  test("[HST-4] a permission request is answered from another client, each once", async () => {
    const talk = server.talk()
    await talk.say("ask rm -r build")
    const asked = await openAsk(server, talk.path)
    expect(asked).toMatchObject({ title: "Allow host: rm -r build?" })
    const phone = new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token: server.token })
    await phone.conversation("host", talk.path.split("/").at(-1) ?? "").answer(asked.id, true)
    await talk.idle()
    expect((await talk.replies()).join("")).toContain("chose once")
    expectProblem(await ask(server, "POST", `${talk.path}/answer`, { body: { answer: false } }), expected("ask.none"))
    await talk.say("ask make")
    await openAsk(server, talk.path)
    await ask(server, "POST", `${talk.path}/answer`, { body: { answer: "Always allow" } })
    await talk.idle()
    await talk.say("ask deploy")
    await openAsk(server, talk.path)
    await ask(server, "POST", `${talk.path}/answer`, { body: { answer: false } })
    await talk.idle()
    expect((await talk.replies()).join(" ")).toMatch(/chose once.*chose always.*chose no/)
  })

  test("[HST-1] messages queue while it works, can be edited, and two devices follow the same reply", async () => {
    const talk = server.talk()
    await talk.say("say first", "wait go")
    await talk.waits()
    const { message } = await talk.say("say queued")
    const edited = await ask(server, "PATCH", `${talk.path}/queue/${message}`, {
      body: { text: "say edited", version: 1 },
    })
    expect(edited.status).toBe(200)
    const devices = [1, 2].map(() => new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token: server.token }))
    const seen = await Promise.all(
      devices.map((one) => one.conversation("host", talk.path.split("/").at(-1) ?? "").open({ messages: 10 })),
    )
    for (const snapshot of seen) expect(JSON.stringify(snapshot.messages)).toContain("first")
    talk.release("go")
    await eventually(() => talk.replies()).toEqual(["first", "edited"])
  })

  test("[HST-5] a stop keeps the text and cancels the prompt; the next message continues the session", async () => {
    const talk = server.talk()
    await talk.say("say kept", "wait never", "say not said")
    await talk.waits()
    expect((await ask(server, "POST", `${talk.path}/stop`, { body: {} })).status).toBe(200)
    await talk.say("say next")
    await eventually(() => talk.replies()).toEqual(["kept", "next"])
    const [first, second] = server.prompts.slice(-2)
    expect(second?.session).toBeDefined()
    expect(first?.conversation).toBe(second?.conversation)
  })

  test("[HST-7] a crash in the middle: the session is loaded in a new process, and the turn continues", async () => {
    const talk = server.talk()
    await talk.say("say before", "crash", "say never")
    await eventually(() => talk.replies()).toEqual(["before", "Continued."])
    await talk.idle()
    const parts = await partsOf(talk.path)
    expect(parts.map(({ type }) => type)).toEqual(["text", "text"])
  })

  test("[HST-11] its commands are in the picker after its first turn", async () => {
    const talk = server.talk()
    await talk.say("say hi")
    await talk.idle()
    await talk.say("say again")
    await talk.idle()
    expect((await open(server, talk.path)).slashCommands).toMatchObject([
      { name: "review", description: "Reviews changes", argumentHint: "what to review" },
    ])
  })

  test("[HST-12] its models and modes are listed, can be chosen, and chosen back", async () => {
    const talk = server.talk()
    await talk.say("models")
    await talk.idle()
    expect(jsonOf(await ask(server, "GET", "/v1/agents/host/models"))).toMatchObject({
      models: [
        { name: "small", isDefault: true },
        { name: "large", isDefault: false },
      ],
      modes: [
        { name: "build", title: "BUILD", isDefault: true },
        { name: "plan", isDefault: false },
      ],
    })
    expectProblem(
      await ask(server, "PUT", `${talk.path}/settings`, { body: { mode: "no" } }),
      expected("mode.not-offered", "/mode"),
    )
    expectProblem(
      await ask(server, "PUT", `${talk.path}/settings`, { body: { model: "no" } }),
      expected("model.not-offered", "/model"),
    )
    expectProblem(
      await ask(server, "PUT", `${talk.path}/settings`, { body: { temperature: 1 } }),
      expected("settings.not-allowed", "/temperature"),
    )
    expect((await ask(server, "PUT", `${talk.path}/settings`, { body: { model: "large", mode: "plan" } })).status).toBe(
      200,
    )
    await talk.say("models")
    await talk.idle()
    await ask(server, "PUT", `${talk.path}/settings`, { body: {} })
    await talk.say("models")
    await talk.idle()
    expect(await talk.replies()).toEqual(["small build", "large plan", "small build"])
  })

  test("[HST-14] has only the environment that it is given", async () => {
    const talk = server.talk()
    await talk.say("environment")
    await talk.idle()
    const [names = ""] = await talk.replies()
    const allowed = ["GIVEN", "HOME", "LANG", "PARLOR_HOSTED", "PATH", "TMPDIR"]
    expect(names.split(" ").filter((name) => !allowed.includes(name))).toEqual([])
    expect(names).toContain("GIVEN")
  })

  test("[HST-19] the cost that it reports for its session is counted prompt by prompt, from the first one on", async () => {
    const talk = server.talk()
    await talk.say("cost 0.25", "say a")
    await talk.idle()
    expect((await open(server, talk.path)).status.usage.costMicros).toBe(250_000)
    await talk.say("cost 0.30", "cost 0.35", "say b")
    await talk.idle()
    expect((await open(server, talk.path)).status.usage.costMicros).toBe(350_000)
  })

  test("[HST-13] a deleted conversation ends its process with everything it started", async () => {
    const talk = server.talk()
    await talk.say("daemon", "run sleep 1000 & echo $!")
    await talk.idle()
    const [text = ""] = await talk.replies()
    const pid = Number(text)
    expect(isAlive(pid)).toBe(true)
    const before = server.hosts.size
    expect((await ask(server, "DELETE", talk.path)).status).toBeLessThan(300)
    await eventually(async () => isAlive(pid)).toBe(false)
    expect(server.hosts.size).toBe(before - 1)
  })
})
