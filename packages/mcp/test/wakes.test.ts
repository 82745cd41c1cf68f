import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Agent, HandlerContext } from "@parlor/core"
import { calls, gate, says } from "@parlor/core/testing"
import { afterEach, expect, it, vi } from "vitest"
import { everything, fickle } from "./servers.ts"
import { openStage, type Stage, type StageOptions, until } from "./stage.ts"

// Every server is a separate process. Generous timeouts for slow machines.
vi.setConfig({ testTimeout: 90_000 })

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function staged(options: StageOptions): Promise<Stage> {
  const stage = await openStage(options)
  ends.push(() => stage.close())
  await stage.followed(Object.keys(options.servers)[0] ?? "")
  return stage
}

function fickleServer() {
  const folder = mkdtempSync(join(tmpdir(), "parlor-wakes-"))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "tool.json")
  // Atomic, so that readers never see a partial file.
  const define = (description: string) => {
    writeFileSync(`${file}.new`, JSON.stringify({ description }))
    renameSync(`${file}.new`, file)
  }
  define("Greets.")
  return { server: fickle(file), define }
}

const triggered = (stage: Stage) => async () =>
  [...(await stage.rows()).messages.values()].filter(({ trigger }) => trigger?.source === "mcp-event")

it("[TRG-6] an update of a resource of a real server wakes the agent, whose code is told what it was", async () => {
  const resource = "demo://resource/dynamic/text/1"
  const woken: unknown[] = []
  const handler: Agent["handler"] = async (ctx: HandlerContext) => {
    const { type, envelope } = ctx.wake
    woken.push([type, envelope?.source ?? null, envelope?.subject ?? null])
    await ctx.run()
  }
  const stage = await staged({
    servers: { everything: { ...everything, wakeOn: [{ resource, agent: "host" }] } },
    scripts: [calls("everything__toggle-subscriber-updates", {}), says("Watching."), says("It changed.")],
    agent: { handler },
  })
  await stage.send("watch it")
  await until(triggered(stage), (rows) => rows.length > 0)
  await until(
    () => woken,
    (list) => list.length >= 2,
  )
  expect(woken.slice(0, 2)).toEqual([
    ["inbox", null, null],
    ["observation", "mcp-event", resource],
  ])
  const { wakes } = await stage.server("everything", ({ wakes: [wake] }) => wake?.lastAt !== null)
  expect(wakes).toMatchObject([{ on: resource, agent: "host", branch: "main", lastError: null }])
})

it("[TRG-6] many updates while a turn runs are one waiting message", async () => {
  const { server } = fickleServer()
  const hold = gate()
  const wakeOn = [{ resource: "note://board", agent: "host", everyMs: 1_000, prompt: "The board changed." }]
  const stage = await staged({
    servers: { fickle: { ...server, wakeOn } },
    scripts: [
      [...calls("fickle__write", {})],
      [...calls("fickle__write", {}, "call_2")],
      [hold, ...says("Written.")],
      says("Seen."),
      says("Seen again."),
    ],
  })
  await stage.send("write")
  // Forty updates have arrived by the third model call.
  await until(
    () => stage.model.requests.length,
    (count) => count === 3,
  )
  // The first one sends a message; the others find it still queued.
  await until(stage.wakes, (count) => count >= 2)
  const waiting = [...(await stage.rows()).queue.values()]
  expect(waiting.map(({ trigger }) => [trigger?.source, trigger?.subject])).toEqual([["mcp-event", "note://board"]])
  hold.open()
  await stage.idle()
  const heard = await triggered(stage)()
  expect(heard.map(({ parts }) => parts[0])).toEqual([{ type: "text", text: "The board changed." }])
})

it("[TRG-6] a change of a server's list of tools wakes the agent that wants to know", async () => {
  const { server, define } = fickleServer()
  const stage = await staged({
    servers: { fickle: { ...server, wakeOn: [{ list: "tools", agent: "host" }] } },
    scripts: [says("I see."), says("I see.")],
  })
  define("Greets otherwise.")
  const [woken] = await until(triggered(stage), (rows) => rows.length > 0)
  expect(woken?.trigger).toMatchObject({ source: "mcp-event", subject: "the list of tools" })
})

it("[TRG-6] [CMP-13] a server's prompt is a slash command, and what it says stands in its place", async () => {
  const stage = await staged({ servers: { everything }, scripts: [says("Hi."), says("Sunny."), says("Where?")] })
  await stage.send("hello")
  await stage.idle()
  const { slashCommands: commands } = await stage.rows()
  expect(commands.get("everything:args-prompt")).toMatchObject({
    owner: "mcp:everything",
    arguments: [
      { name: "city", required: true },
      { name: "state", required: false },
    ],
  })
  await stage.send('/everything:args-prompt city="San Jose" California')
  await stage.idle()
  const [, asked] = stage.model.requests
  const text = JSON.stringify(asked?.messages.at(-1))
  expect(text).toContain("What's weather in San Jose, California?")
  expect(text).toContain("MCP server everything")
  await stage.send("/everything:args-prompt")
  await stage.idle()
  expect(JSON.stringify(stage.model.requests[2]?.messages.at(-1))).toContain("it needs the argument")
})

it("[TRG-6] a change that happened while the server was away is found when it is back", async () => {
  const { server } = fickleServer()
  const wakeOn = [{ resource: "note://board", agent: "host", everyMs: 100 }]
  const stage = await staged({
    servers: { fickle: { ...server, wakeOn } },
    scripts: [
      calls("fickle__write", {}),
      says("Written."),
      says("Seen."),
      calls("fickle__die", {}),
      says("Gone."),
      says("Seen."),
    ],
  })
  // The first notification is about its own write; then the server dies and the board is lost.
  await stage.send("write")
  await until(triggered(stage), (rows) => rows.length === 1)
  await stage.idle()
  const read = () => stage.toolsets.toolsFor("host", "me").find(({ name }) => name === "fickle__read_resource")
  expect(read()?.repeatable).toBe(true)
  await stage.send("die")
  await until(triggered(stage), (rows) => rows.length === 2)
  await stage.idle()
  expect((await stage.server("fickle", ({ state }) => state === "ready")).lastError).not.toBeNull()
})
