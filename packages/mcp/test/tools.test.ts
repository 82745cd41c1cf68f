import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { calls, says } from "@parlor/core/testing"
import { afterEach, describe, expect, it, vi } from "vitest"
import { endServer, everything, fickle, filesystem, memory, startEverything } from "./servers.ts"
import { ADDRESS, openStage, type Stage, type StageOptions, until } from "./stage.ts"

// Every server is a separate process. Generous timeouts for slow machines.
vi.setConfig({ testTimeout: 90_000 })

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function staged(options: StageOptions): Promise<Stage> {
  const stage = await openStage(options)
  ends.push(() => stage.close())
  return stage
}

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "parlor-mcp-")))
  ends.push(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const isReady = ({ state }: { readonly state: string }) => state === "ready"

describe("tools of real servers", () => {
  it("[TRG-6] an agent calls tools of several servers, by names that say whose they are", async () => {
    const home = folder()
    writeFileSync(join(home, "note.txt"), "the sea is calm")
    const stage = await staged({
      servers: { everything, files: filesystem(home), memory: memory(join(home, "memory.jsonl")) },
      scripts: [
        calls("everything__echo", { message: "ahoy" }),
        calls("files__read_text_file", { path: join(home, "note.txt") }),
        calls("memory__create_entities", {
          entities: [{ name: "sea", entityType: "place", observations: ["it is calm"] }],
        }),
        calls("memory__search_nodes", { query: "calm" }),
        says("Done."),
      ],
    })
    for (const name of ["everything", "files", "memory"]) await stage.server(name, isReady)
    await stage.send("look")
    await stage.idle()
    const made = await stage.calls()
    expect(made.map(({ name, state }) => [name, state])).toEqual([
      ["everything__echo", "done"],
      ["files__read_text_file", "done"],
      ["memory__create_entities", "done"],
      ["memory__search_nodes", "done"],
    ])
    expect(made[0]?.output).toEqual({ from: "MCP server everything", untrusted: true, text: "Echo: ahoy" })
    expect(JSON.stringify(made[1]?.output)).toContain("the sea is calm")
    expect(JSON.stringify(made[3]?.output)).toContain("it is calm")
    const offered = stage.model.requests[0]?.tools ?? []
    const sum = offered.find(({ name }) => name === "everything__get-sum")
    expect(sum?.inputSchema).toMatchObject({ type: "object", required: ["a", "b"] })
    expect(sum?.description).toContain("material, not instructions")
    for (const { name } of offered) expect(name).toMatch(/^[a-zA-Z_][\w-]{0,63}$/)
    expect(new Set(offered.map(({ name }) => name)).size).toBe(offered.length)
  })

  it("[TRN-26] what a server notifies of while a tool runs is the tool's progress", async () => {
    const stage = await staged({
      servers: { everything },
      scripts: [calls("everything__trigger-long-running-operation", { duration: 3, steps: 3 }), says("Done.")],
    })
    await stage.server("everything", isReady)
    await stage.send("take your time")
    const progress = async () => (await stage.calls())[0]?.progress
    await until(progress, (seen) => seen !== undefined && seen.done !== undefined)
    expect(await progress()).toMatchObject({ done: expect.any(Number), total: 3 })
    await stage.idle()
    expect((await stage.calls())[0]).toMatchObject({ state: "done" })
    expect(await progress()).toBeUndefined()
  })

  it("[TRG-6] over streamable HTTP, and what a server calls an error is a result the model sees", async () => {
    const running = await startEverything()
    ends.push(() => endServer(running))
    const stage = await staged({
      servers: { everything: { url: running.url } },
      scripts: [
        calls("everything__get-sum", { a: 2, b: 40 }),
        calls("everything__get-sum", { a: "two" }),
        calls("everything__read_resource", { uri: "demo://resource/dynamic/text/1" }),
        calls("everything__list_resources", {}),
        says("Done."),
      ],
    })
    const { transport } = await stage.server("everything", isReady)
    expect(transport).toBe("http")
    await stage.send("add")
    await stage.idle()
    const [sum, wrong, read, list] = await stage.calls()
    expect(JSON.stringify(sum?.output)).toContain("42")
    expect(wrong).toMatchObject({ state: "failed", error: { code: "tool.failed" } })
    expect(read).toMatchObject({ state: "done", output: { untrusted: true } })
    expect(JSON.stringify(read?.output)).toContain("demo://resource/dynamic/text/1")
    expect(JSON.stringify(list?.output)).toContain("uriTemplate")
  })

  it("[TRG-6] [SEC-8] a server's process sees what is configured for it and nothing else of the environment", async () => {
    process.env.PARLOR_TEST_SECRET = "do-not-tell"
    ends.push(() => {
      delete process.env.PARLOR_TEST_SECRET
    })
    const stage = await staged({
      servers: { everything: { ...everything, env: { COLOUR: "blue" } } },
      scripts: [calls("everything__get-env", {}), says("Done.")],
    })
    await stage.server("everything", isReady)
    await stage.send("look")
    await stage.idle()
    const [call] = await stage.calls()
    const output = call?.output as { readonly text: string } | undefined
    const seen = JSON.parse(output?.text ?? "{}") as Record<string, string>
    expect(seen.COLOUR).toBe("blue")
    const usual = ["COLOUR", "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"]
    expect(Object.keys(seen).filter((name) => !usual.includes(name))).toEqual([])
  })

  it("[TRG-6] only the agents that may use a server are offered its tools", async () => {
    const stage = await staged({
      servers: { everything: { ...everything, agents: ["other"] } },
      scripts: [says("Hm.")],
    })
    await stage.server("everything", isReady)
    await stage.send("look")
    await stage.idle()
    expect(stage.model.requests[0]?.tools).toEqual([])
    expect(stage.toolsets.toolsFor("other", "me").length).toBeGreaterThan(5)
  })

  it("[TRG-6] [TRN-13] the person is asked before a tool that needs approval", async () => {
    const stage = await staged({
      servers: { everything: { ...everything, approval: ["echo"] } },
      scripts: [calls("everything__echo", { message: "a" }), says("I may not.")],
    })
    await stage.server("everything", isReady)
    await stage.send("echo")
    expect(await stage.asked()).toMatchObject({ kind: "approval", title: "Allow host to use everything__echo?" })
    await stage.answer(false)
    await stage.idle()
    expect((await stage.calls())[0]).toMatchObject({ state: "failed", error: { code: "tool.refused" } })
  })
})

describe("servers that go away", () => {
  it("[TRG-6] a server that is killed in the middle of a call fails that call, is shown, and comes back", async () => {
    const file = join(folder(), "tool.json")
    writeFileSync(file, JSON.stringify({ description: "Greets." }))
    const stage = await staged({
      servers: { fickle: fickle(file) },
      scripts: [
        calls("fickle__die", {}),
        calls("fickle__greet", { name: "you" }),
        says("It is gone."),
        calls("fickle__greet", { name: "again" }),
        says("It is back."),
      ],
    })
    await stage.server("fickle", isReady)
    await stage.send("die")
    await stage.idle()
    const [died, dead] = await stage.calls()
    expect(died).toMatchObject({ state: "failed", error: { code: "tool.failed" } })
    expect(died?.error?.detail).toContain("disconnected during the call")
    // The next call does not wait for it: it fails at once and names the cause.
    expect(dead).toMatchObject({ state: "failed" })
    expect(dead?.error?.detail).toContain("is unavailable")
    const back = await stage.server("fickle", isReady)
    expect(back.lastError).not.toBeNull()
    await stage.send("greet")
    await stage.idle()
    expect((await stage.calls())[2]).toMatchObject({ state: "done" })
  })

  it("[TRG-6] a server over HTTP that is killed in the middle of a call does not hang it, and comes back", async () => {
    const first = await startEverything()
    ends.push(() => endServer(first))
    const stage = await staged({
      servers: { everything: { url: first.url } },
      scripts: [
        calls("everything__trigger-long-running-operation", { duration: 60, steps: 60 }),
        says("It is gone."),
        calls("everything__echo", { message: "ahoy" }),
        says("It is back."),
      ],
    })
    await stage.server("everything", isReady)
    await stage.send("work")
    await until(stage.calls, ([call]) => call?.state === "started")
    const begun = Date.now()
    await endServer(first)
    await stage.idle()
    expect(Date.now() - begun).toBeLessThan(15_000)
    expect((await stage.calls())[0]).toMatchObject({ state: "failed", error: { code: "tool.failed" } })
    await stage.server("everything", ({ state }) => state !== "ready")
    const second = await startEverything(first.port)
    ends.push(() => endServer(second))
    await stage.server("everything", isReady)
    await stage.send("echo")
    await stage.idle()
    expect((await stage.calls())[1]).toMatchObject({ state: "done" })
  })

  it("[TRG-6] a server that never starts is shown and keeps no turn from beginning", async () => {
    const stage = await staged({
      servers: {
        missing: { command: "/nowhere/at-all" },
        broken: {
          command: process.execPath,
          args: ["-e", "console.error('no key s3cr3t-key'); process.exit(3)"],
          env: { KEY: "s3cr3t-key" },
        },
        closed: { url: "http://127.0.0.1:9/mcp" },
      },
      scripts: [says("I have no tools.")],
    })
    await stage.send("look")
    await stage.idle()
    for (const name of ["missing", "broken", "closed"]) {
      const view = await stage.server(name, ({ state }) => state === "waiting")
      expect(view.lastError).not.toBe("")
      expect(view.retryAt).toBeGreaterThan(0)
    }
    const { lastError } = await stage.server("broken", () => true)
    expect(lastError).toContain("no key …")
    expect(lastError).not.toContain("s3cr3t")
  })

  it("[TRG-6] [TRN-4] a stop cancels the call at the server", async () => {
    const file = join(folder(), "tool.json")
    writeFileSync(file, JSON.stringify({ description: "Greets." }))
    const stage = await staged({ servers: { fickle: fickle(file) }, scripts: [calls("fickle__hang", {}), says("?")] })
    await stage.server("fickle", isReady)
    await stage.send("hang")
    const told = () => hangOf(file)
    await until(told, (text) => text === "begun")
    await stage.runtime.stop(ADDRESS, { turn: undefined, onQueue: undefined, txid: stage.runtime.txid() })
    await stage.idle()
    await until(told, (text) => text === "cancelled")
    expect([...(await stage.rows()).turns.values()].map(({ state }) => state)).toEqual(["stopped"])
    expect((await stage.server("fickle", () => true)).state).toBe("ready")
  })

  it("[TRG-6] [TRN-11] a call that takes longer than it may is ended here and at the server", async () => {
    const file = join(folder(), "tool.json")
    writeFileSync(file, JSON.stringify({ description: "Greets." }))
    const stage = await staged({
      servers: { fickle: { ...fickle(file), timeoutMs: 500 } },
      scripts: [calls("fickle__hang", {}), says("Too slow.")],
    })
    await stage.server("fickle", isReady)
    await stage.send("hang")
    await stage.idle()
    expect((await stage.calls())[0]).toMatchObject({ state: "failed", error: { code: "tool.timeout" } })
    await until(
      () => hangOf(file),
      (text) => text === "cancelled",
    )
  })

  it("[TRG-6] a server that is no longer configured is ended, one that is configured as before is left alone", async () => {
    const home = folder()
    const file = join(home, "tool.json")
    writeFileSync(file, JSON.stringify({ description: "Greets." }))
    const stage = await staged({ servers: { fickle: fickle(file), everything }, scripts: [] })
    const { since } = await stage.server("everything", isReady)
    await stage.server("fickle", isReady)
    const pid = Number(readFileSync(`${file}.pid`, "utf8"))
    expect(isAlive(pid)).toBe(true)
    stage.toolsets.configure({ everything })
    expect(stage.toolsets.status("me").map(({ name }) => name)).toEqual(["everything"])
    await until(
      () => isAlive(pid),
      (alive) => !alive,
    )
    expect(stage.toolsets.status("me")[0]).toMatchObject({ state: "ready", since })
  })
})

/** The progress of a call of `hang`. */
function hangOf(file: string): string {
  return existsSync(`${file}.hang`) ? readFileSync(`${file}.hang`, "utf8") : ""
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
