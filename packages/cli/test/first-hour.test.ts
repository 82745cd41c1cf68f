/** A config whose first agent is not `host`: defaults, hints, JSON, exit codes, mistakes in the config. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { everyCommand } from "../src/program/every-command.ts"
import { commandLine } from "../src/program.ts"
import { startParlor, type TestParlor, until } from "./parlor.ts"

const folder = mkdtempSync(join(tmpdir(), "parlor-first-"))
const file = join(folder, "parlor.config.ts")
const valid = `import { defineAgent, defineTool } from "@parlor/agent"
import { z } from "zod"
const roll = defineTool({ name: "roll", description: "Rolls.", input: z.object({ dice: z.number() }), run: () => [3] })
export default [
  defineAgent({ name: "croupier", tools: [roll], slashCommands: [{ name: "bet", description: "Places a bet." }] }),
  defineAgent({ name: "banker" }),
]
`
let parlor: TestParlor
beforeAll(async () => {
  writeFileSync(file, valid)
  parlor = await startParlor({ PARLOR_CONFIG: file })
})
afterAll(async () => {
  await parlor.close()
  rmSync(folder, { recursive: true, force: true })
})

const lines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("defaults and hints", () => {
  test("[CLI-1] a command that names no agent means the first of the config", async () => {
    expect(await parlor.run(["send", "say", "hello"])).toMatchObject({ code: 0, out: "hello\n" })
    const { messages } = await parlor.sdk.conversation("croupier").open()
    expect(messages.length).toBe(2)
    expect((await parlor.run(["tail", "--json", "--from", "x"])).err).not.toContain("host")
    expect((await parlor.run(["model"])).out).toContain("demo")
    expect((await parlor.run(["schedules", "add", "--in", "1d", "hello", "--json"])).out).toContain(
      '"agent":"croupier"',
    )
    expect(await parlor.run(["chat"], "say hi\n")).toMatchObject({ code: 0, out: expect.stringContaining("hi") })
    expect(await parlor.run(["queue", "banker", "--agent", "croupier"])).toMatchObject({
      code: 2,
      err: "Two agents are named: banker and croupier.\n",
    })
  })

  test("[CLI-2] a hint carries the agent and the branch", async () => {
    const plain = await parlor.run(["queue", "hold"])
    expect(plain.err).toContain('"parlor queue resume"')
    const named = await parlor.run(["queue", "hold", "-a", "banker"])
    expect(named.err).toContain('"parlor queue resume --agent banker"')
    await parlor.sdk.conversation("banker", "a b").make()
    const asked = parlor.run(["send", "-a", "banker", "-b", "a b", "ask me"])
    await until(
      async () => (await parlor.sdk.conversation("banker", "a b").open()).asks.length,
      (count) => count === 1,
    )
    expect((await parlor.run(["ask", "banker", "-b", "a b"])).err).toContain(
      `"parlor ask answer 1 … --agent banker --branch 'a b'"`,
    )
    expect(await parlor.run(["answer", "-a", "banker", "-b", "a b", "1"])).toMatchObject({ code: 0 })
    expect((await asked).err).toContain(`"parlor ask --agent banker --branch 'a b'" shows it`)
    await parlor.run(["queue", "resume"])
    await parlor.run(["queue", "resume", "-a", "banker"])
  })
})

describe("--json and exit codes", () => {
  test("[CLI-3] every command has --json", () => {
    const without = everyCommand(commandLine()).filter(
      (command) => !command.options.some(({ long }) => long === "--json"),
    )
    expect(without.map((command) => `${command.parent?.name()} ${command.name()}`)).toEqual(["mcp serve", "parlor acp"])
  })

  test("[CLI-3] results are lines of JSON, and so are errors", async () => {
    const sent = lines((await parlor.run(["send", "--json", "say", "hello"])).out) as {
      type?: string
      outcome?: string
    }[]
    expect(sent[0]).toMatchObject({ outcome: "started" })
    expect(sent.some(({ type }) => type === "messages")).toBe(true)
    expect(lines((await parlor.run(["send", "--json", "--no-wait", "say x"])).out)).toHaveLength(1)
    for (const [args, shape] of [
      [["queue", "hold"], { queued: 0 }],
      [["queue", "resume"], { queued: 0 }],
      [["queue", "clear"], { removed: 0 }],
      [["branch", "make", "--empty", "--name", "red"], { agent: "croupier", branch: "red" }],
      [["branch", "delete", "red"], { deleted: "red" }],
      [["files", "put", "a.txt", file], { path: "a.txt" }],
      [["files", "show", "a.txt"], { path: "a.txt", text: valid }],
      [["files", "remove", "a.txt"], { deleted: "a.txt" }],
      [["agents"], { name: "croupier" }],
      [["link"], { url: expect.stringContaining("#token=") }],
    ] as const) {
      const ran = await parlor.run([...args, "--json"])
      expect([args.join(" "), ran.code]).toEqual([args.join(" "), 0])
      expect(lines(ran.out)[0]).toMatchObject(shape)
    }
    const chat = await parlor.run(["chat", "--json", "-n", "0"], "say hi\n")
    const rows = lines(chat.out) as { type: string; value: { role?: string } }[]
    expect(rows.filter(({ value }) => value.role === "agent")).toHaveLength(1)
    const refused = await parlor.run(["stop", "--json"])
    expect(lines(refused.err)).toEqual([
      { error: { code: "turn.none", exit: 5, status: 409, detail: expect.stringContaining("nothing to stop") } },
    ])
  })

  test("[CLI-4] the exit code says what to do", async () => {
    const nowhere = { PARLOR_URL: "http://127.0.0.1:1" }
    expect(await parlor.run(["agents"], "", nowhere)).toMatchObject({ code: 3 })
    expect(await parlor.run(["agents"], "", { PARLOR_TOKEN: "wrong" })).toMatchObject({ code: 4 })
    expect(await parlor.run(["send", "--wrong"])).toMatchObject({ code: 2 })
    expect(await parlor.run(["send", " "])).toMatchObject({ code: 2 })
    expect(await parlor.run(["nonsense"])).toMatchObject({ code: 2 })
    expect(await parlor.run(["send", "--help"])).toMatchObject({ code: 0 })
    expect(await parlor.run(["send", "-a", "nobody", "hi"])).toMatchObject({ code: 5 })
    expect(await parlor.run(["send", "fail"])).toMatchObject({ code: 6 })
    await parlor.run(["queue", "resume"])
    const stopped = parlor.run(["send", "-b", "stopped", "count slowly to 500"])
    const there = parlor.sdk.conversation("croupier", "stopped")
    await until(
      async () => (await there.open().catch(() => undefined))?.status.turn ?? null,
      (turn) => turn !== null,
    )
    await there.stop()
    expect(await stopped).toMatchObject({ code: 7 })
  })
})

describe("mistakes in the config", () => {
  test("[CLI-8] are shown by the commands until they are fixed", async () => {
    expect((await parlor.run(["agents"])).err).toBe("")
    writeFileSync(file, valid.replace('"banker"', '"Banker!"'))
    await until(
      async () => (await parlor.sdk.config()).problems.length,
      (count) => count === 1,
    )
    const [problem] = (await parlor.sdk.config()).problems
    expect(problem).toMatchObject({ kind: "error", detail: expect.stringContaining(`${file}:6: Agent "Banker!"`) })
    const said = expect.stringContaining('Agent "Banker!": name')
    expect(await parlor.run(["agents"])).toMatchObject({ code: 0, err: said })
    expect(await parlor.run(["chat"], "say hi\n")).toMatchObject({ err: said })
    expect(await parlor.run(["send", "-a", "dealer", "hi"])).toMatchObject({ code: 5, err: said })
    const key = await parlor.sdk.keys.make({ name: "reader", scopes: ["read", "write"] })
    expect((await parlor.run(["agents"], "", { PARLOR_TOKEN: key.secret })).err).toBe("")
    writeFileSync(file, valid.replace('"banker"', '"dealer"'))
    await until(
      async () => (await parlor.sdk.agents()).at(-1)?.name,
      (name) => name === "dealer",
    )
    expect((await parlor.run(["agents"])).err).toBe("")
  })
})
