/** Custom agents as their author uses them: the built command, a running server, files that change. */
import { spawnSync } from "node:child_process"
import { createHmac } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { MessageRow } from "@parlor/protocol"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { BIN, startParlor, type TestParlor, until } from "./parlor.ts"

let folder: string
let parlor: TestParlor | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parlor-project-"))
})
afterEach(async () => {
  await parlor?.close()
  parlor = undefined
  rmSync(folder, { recursive: true, force: true })
})

const config = () => join(folder, "parlor.config.ts")
const start = async () => {
  parlor = await startParlor({ PARLOR_CONFIG: config(), PARLOR_LOG: "warn" })
  return parlor
}
const said = ({ role, parts }: MessageRow) =>
  `${role}: ${parts.map((part) => ("text" in part ? part.text : `<${part.type}>`)).join("")}`

/** An agent that always replies with these words. */
const parrot = (words: string) => `
import { defineAgent } from "@parlor/agent"
export default [
  defineAgent({
    name: "parrot",
    description: ${JSON.stringify(words)},
    slashCommands: [{ name: "talk", arguments: [{ name: "about", required: true }] }],
    handler: async (ctx) => {
      await ctx.reply(${JSON.stringify(words)})
    },
  }),
]
`

async function talk(text: string): Promise<string[]> {
  const conversation = parlor?.sdk.conversation("parrot")
  await conversation?.send(text)
  const idle = await until(
    async () => conversation?.open(),
    (now) => now?.status.state === "idle",
  )
  return (idle?.messages ?? []).map(said)
}

describe("parlor.config.ts", () => {
  test("[CMP-12] an edit while the server runs is what the next turn uses, in the same conversation", async () => {
    writeFileSync(config(), parrot("One."))
    const { sdk, logged } = await start()
    expect(await sdk.agents()).toMatchObject([{ name: "parrot", description: "One.", model: "demo" }])
    expect(await talk("a")).toEqual(["person: a", "agent: One."])

    writeFileSync(config(), parrot("Two."))
    await until(
      () => sdk.agents(),
      ([agent]) => agent?.description === "Two.",
    )
    expect(await talk("b")).toEqual(["person: a", "agent: One.", "person: b", "agent: Two."])

    writeFileSync(config(), 'const agents = []\nagents.push(defineAgent({ name: "parrot" }))\nexport default agents')
    await until(logged, (text) => text.includes("defineAgent is not defined"))
    expect(logged()).toContain(`${config()}:2: defineAgent is not defined`)
    expect((await talk("c")).slice(-2)).toEqual(["person: c", "agent: Two."])

    writeFileSync(config(), parrot("Three."))
    await until(
      () => sdk.agents(),
      ([agent]) => agent?.description === "Three.",
    )
    expect((await talk("d")).slice(-2)).toEqual(["person: d", "agent: Three."])
    expect(logged().trim().split("\n")).toHaveLength(1)
  })

  test("[API-17] the origins in it may call, those of the environment too, and a change applies at once", async () => {
    const allowing = (...origins: string[]) =>
      `${parrot("One.").replace("export default [", "const agents = [")}
      export default { agents, allowedOrigins: ${JSON.stringify(origins)} }`
    writeFileSync(config(), allowing("https://one.example"))
    parlor = await startParlor({
      PARLOR_CONFIG: config(),
      PARLOR_ALLOWED_ORIGINS: "https://env.example",
      PARLOR_LOG: "warn",
    })
    const { env } = parlor
    const statusFor = async (origin: string) => (await fetch(`${env.PARLOR_URL}/livez`, { headers: { origin } })).status
    const seen = () => Promise.all(["https://one.example", "https://two.example", "https://env.example"].map(statusFor))
    expect(await seen()).toEqual([200, 403, 200])
    writeFileSync(config(), allowing("https://two.example"))
    await until(seen, (statuses) => statuses[1] === 200)
    expect(await seen()).toEqual([403, 200, 200])
    writeFileSync(config(), allowing("https://two.example/path"))
    await until(parlor.logged, (text) => text.includes("https://two.example/path is not an origin"))
    expect(await seen()).toEqual([403, 200, 200])
  })

  test("[TRG-11] [TRG-14] declared triggers are there after the start, changed with the file, and signed by the environment", async () => {
    const declaring = (fields: string) => `
      import { defineAgent, defineConfig } from "@parlor/agent"
      const parrot = defineAgent({ name: "parrot", handler: async (ctx) => void (await ctx.reply("Heard.")) })
      export default defineConfig({ agents: [parrot], ${fields} })`
    const schedule = 'schedules: { daily: { agent: "parrot", when: { cron: "0 9 * * *" }, text: "Morning." } }'
    const hook =
      'webhooks: { ci: { agent: "parrot", style: "github", secretEnv: "CI_SECRET", template: "CI: {{body.state}}" } }'
    writeFileSync(config(), declaring(`${schedule}, ${hook}`))
    const secret = "sixteen characters"
    parlor = await startParlor({ PARLOR_CONFIG: config(), PARLOR_LOG: "warn", CI_SECRET: secret })
    const { sdk } = parlor
    expect(await sdk.schedules.list()).toMatchObject([{ id: "schedule-daily", declared: true, name: "daily" }])
    const [ci] = await sdk.hooks.list()
    expect(ci).toMatchObject({ id: "hook-ci", declared: true })
    const body = JSON.stringify({ state: "red" })
    const deliver = (signedWith: string) =>
      fetch(ci?.url ?? "", {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "x-hub-signature-256": `sha256=${createHmac("sha256", signedWith).update(body).digest("hex")}`,
        },
      })
    expect((await deliver("another secret altogether")).status).toBe(401)
    expect((await deliver(secret)).status).toBe(202)
    const idle = await until(
      () => sdk.conversation("parrot").open(),
      ({ messages }) => messages.length === 2,
    )
    expect(idle.messages.map(said)).toEqual(["person: CI: red", "agent: Heard."])
    await expect(sdk.schedules.delete("schedule-daily")).rejects.toMatchObject({ code: "trigger.declared" })
    await sdk.schedules.pause("schedule-daily")

    writeFileSync(config(), declaring(schedule.replace("0 9", "0 10")))
    await until(
      () => sdk.hooks.list(),
      (hooks) => hooks.length === 0,
    )
    const [changed] = await until(
      () => sdk.schedules.list(),
      ([one]) => JSON.stringify(one?.when).includes("0 10"),
    )
    expect(changed).toMatchObject({ state: "paused" })
  })

  test("[CMP-14] a handler's failure is shown in the conversation, and its unhandled rejections do not end the server", async () => {
    writeFileSync(
      config(),
      parrot("x").replace(
        'await ctx.reply("x")',
        'void Promise.reject(new Error("left alone"))\n throw new Error("There is no such word.")',
      ),
    )
    const { sdk } = await start()
    await sdk.conversation("parrot").send("a")
    const { status } = await until(
      () => sdk.conversation("parrot").open(),
      (now) => now.status.state === "error",
    )
    expect(status.error).toEqual({ code: "handler.failed", detail: "There is no such word." })
    expect((await sdk.agents()).length).toBe(1)
  })

  test("[CMP-8] a command registered by a handler reaches a client that follows the stream, live", async () => {
    const registers =
      'await ctx.slashCommands.register({ name: "order", description: "Orders." })\nawait ctx.reply("x")'
    writeFileSync(config(), parrot("x").replace('await ctx.reply("x")', registers))
    const { sdk } = await start()
    const leave = new AbortController()
    const seen: string[] = []
    const reading = (async () => {
      for await (const changes of sdk.conversation("parrot").follow({ signal: leave.signal }))
        for (const { type, key, headers } of changes)
          if (type !== "deltas") seen.push(`${headers.operation} ${type} ${key}`)
    })()
    await sdk.conversation("parrot").send("a")
    await until(
      () => seen.filter((line) => line.startsWith("update turns")).length,
      (count) => count > 0,
    )
    leave.abort()
    await reading
    const commands = seen.filter((line) => line.includes(" slashCommands "))
    expect(commands).toEqual(
      ["insert slashCommands memory", "insert slashCommands talk", "insert slashCommands order"].sort(
        (a, b) => commands.indexOf(a) - commands.indexOf(b),
      ),
    )
    expect(commands.at(-1)).toBe("insert slashCommands order")
    expect(seen.indexOf("insert slashCommands talk")).toBeLessThan(
      seen.findIndex((line) => line.startsWith("insert messages")),
    )
  })

  test("an invalid one at start exits with code 2, the file and the line", () => {
    writeFileSync(
      config(),
      'import { defineAgent } from "@parlor/agent"\n\nexport default [defineAgent({ name: "No!" })]\n',
    )
    const env = { PATH: process.env.PATH, PARLOR_CONFIG: config(), PARLOR_DATA: folder, PARLOR_PORT: "0" }
    const { status, stderr } = spawnSync(process.execPath, [BIN, "serve"], { env, encoding: "utf8", timeout: 30_000 })
    expect(status).toBe(2)
    expect(stderr).toBe(`${config()}:3: Agent "No!": name: use 1 to 64 lowercase letters, digits and inner hyphens.\n`)
  })
})

describe("parlor init", () => {
  const init = (...args: readonly string[]) =>
    spawnSync(process.execPath, [BIN, "init", ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH },
      encoding: "utf8",
    })

  test("creates a project that runs unchanged, and parlor agents lists it", async () => {
    const { status, stdout } = init("bots")
    expect(status).toBe(0)
    expect(stdout).toContain("cd bots")
    const made = readdirSync(join(folder, "bots"), { recursive: true, encoding: "utf8" }).filter((path) =>
      path.includes("."),
    )
    expect(made.sort()).toEqual([
      ".gitignore",
      "README.md",
      "barista.test.ts",
      "package.json",
      "parlor.config.ts",
      join("skills", "example", "SKILL.md"),
      "tsconfig.json",
    ])
    parlor = await startParlor({ PARLOR_CONFIG: join(folder, "bots", "parlor.config.ts") })
    const { code, out } = await parlor.run(["agents"])
    expect(code).toBe(0)
    expect(out.split("\n")).toEqual(
      expect.arrayContaining(["barista  demo", "    Makes tea and coffee.", "    /usual  The same as always"]),
    )
    expect(out).toContain("    /example  How we serve.")
    const answer = await parlor.run(["send", "barista", 'use brew {"drink": "tea"}'])
    expect(answer.out).toContain('"cup": "tea"')
    const [line] = (await parlor.run(["agents", "--json"])).out.split("\n")
    expect(JSON.parse(line ?? "")).toMatchObject({ name: "barista" })
  })

  test("[OPS-1] in an existing project, adds what package.json lacks and leaves the rest as it is", () => {
    const existing = { name: "shop", scripts: { start: "node ." }, devDependencies: { zod: "4.0.0" } }
    writeFileSync(join(folder, "package.json"), JSON.stringify(existing))
    writeFileSync(join(folder, "README.md"), "mine")
    const { status, stdout } = init()
    expect(status).toBe(0)
    expect(stdout).toContain("scripts.test")
    expect(stdout).toContain("Left as they are: README.md")
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    expect(manifest).toMatchObject({ ...existing, type: "module", scripts: { start: "node .", check: "tsc" } })
    expect(manifest.dependencies).toEqual({ "@parlor/agent": "0.1.0", parlor: "0.1.0" })
    expect(readFileSync(join(folder, "README.md"), "utf8")).toBe("mine")
  })

  test("[OPS-1] a package.json that cannot be read is left alone, and nothing is written", () => {
    writeFileSync(join(folder, "package.json"), "{")
    const { status, stderr } = init()
    expect(status).toBe(2)
    expect(stderr).toContain("is not valid JSON. Nothing was written.")
    expect(readdirSync(folder)).toEqual(["package.json"])
  })

  test("[OPS-1] overwrites nothing", () => {
    mkdirSync(join(folder, "skills/example"), { recursive: true })
    writeFileSync(join(folder, "skills/example/SKILL.md"), "mine")
    const { status, stderr } = init()
    expect(status).toBe(2)
    expect(stderr).toContain("already contains skills/example/SKILL.md")
    expect(readFileSync(join(folder, "skills/example/SKILL.md"), "utf8")).toBe("mine")
    expect(existsSync(config())).toBe(false)
  })
})
