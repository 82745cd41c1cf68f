/**
 * The packages as people get them: packed, installed into an empty folder, and used without this repository. One pack and
 * one install for all tests. Other packages come from npm's cache, or the registry.
 */
import { spawn } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Parlor } from "@parlor/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { OTHER_NODES, otherNode } from "../../scripts/node-versions.mjs"
import { pack } from "../../scripts/pack.mjs"
import { root } from "../../scripts/setup.mjs"
import { dockerfile } from "../deploy/dockerfile.ts"
import { useBrowser } from "./browser.ts"
import { expectText, roomOf } from "./room.ts"

const TYPESCRIPT_5_8 = "typescript-5.8@npm:typescript@5.8.3"
const INSTALL_LIMIT_MS = 300_000
const browser = useBrowser()

let folder: string
let project: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parlor-installed-"))
  project = join(folder, "My Agents")
  const tarballs = pack(join(folder, "packed"))
  const creator = tarballs.get("create-parlor") ?? ""
  await command(
    "npm",
    ["exec", "--yes", "--offline", `--package=${creator}`, "--", "create-parlor", "My Agents"],
    folder,
  )
  const npm = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]
  await command("npm", [...npm, ...tarballs.values(), TYPESCRIPT_5_8], project)
}, INSTALL_LIMIT_MS)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("[OPS-1] a project made by npm create parlor", () => {
  test("has a manifest with its scripts, and its own test passes", async () => {
    const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8"))
    expect(manifest.name).toBe("my-agents")
    expect(Object.keys(manifest.scripts)).toEqual(["start", "test", "check"])
    for (const path of [".gitignore", "README.md", "tsconfig.json"]) expect(existsSync(join(project, path))).toBe(true)
    expect(await command("npm", ["test"], project)).toContain("1 passed")
  })

  test("compiles with the current TypeScript and with 5.8, with all declarations of our packages", async () => {
    await command("npm", ["run", "check"], project)
    // Declarations of others are not ours to check.
    const said = await command(
      process.execPath,
      [join(project, "node_modules", "typescript-5.8", "bin", "tsc"), "--skipLibCheck", "false", "--pretty", "false"],
      project,
      { codes: [0, 2] },
    )
    const ours = said
      .split("\n")
      .filter((line) => /^(?:node_modules\/(?:@parlor|parlor|create-parlor)\/|[^/]+\.ts)/.test(line))
    expect(ours).toEqual([])
  })

  test("starts with npm start, and its agent uses its tool", async () => {
    const served = await serve("npm", ["start"], project)
    try {
      const talk = new Parlor({ baseUrl: served.url, token: served.token }).conversation("barista")
      await talk.send('use brew {"drink": "tea"}')
      await expect.poll(async () => JSON.stringify((await talk.open({ messages: 5 })).messages)).toContain("tea")
    } finally {
      await served.stop()
    }
  })
})

/** An empty version is the machine's own Node. */
describe("[OPS-2] npx parlor in an empty folder", () => {
  test.for(["", ...OTHER_NODES])("[OPS-3] starts a server whose page answers, on Node %s", async (version, context) => {
    const node = version === "" ? { path: process.execPath } : await otherNode(version)
    if ("missing" in node) return context.skip(node.missing)
    const empty = join(folder, `empty${version}`)
    mkdirSync(empty)
    const served = await serve(node.path, [join(project, "node_modules", "parlor", "dist", "bin.js")], empty)
    try {
      const room = roomOf(await browser.page(`${served.url}/#token=${served.token}`))
      await room.say("hello")
      await expectText(room.replies.first(), "For a real model, set OPENAI_API_KEY")
      // A page that is open while its server stops reports errors.
      await room.page.close()
      expect(existsSync(join(empty, ".parlor", "parlor.db"))).toBe(true)
    } finally {
      await served.stop()
    }
  })
})

/** There is no Docker daemon in the tests: the image's commands run here, with the installed packages at the image's place. */
test("[OPS-5] the image's command runs as a user who can write only the data folder, and its health check works", async () => {
  const image = dockerfile(readFileSync(join(root, "Dockerfile"), "utf8")).at(-1) ?? []
  const listOf = (name: string) => {
    const text = image.findLast((one) => one.name === name)?.text ?? ""
    return JSON.parse(text.slice(text.indexOf("["))) as string[]
  }
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  chmodSync(folder, 0o711)
  const [data, agents] = [join(folder, "image-data"), join(folder, "image-agents")]
  for (const path of [data, agents]) mkdirSync(path)
  if (nobody.uid !== undefined) chownSync(data, nobody.uid, nobody.gid)
  const args = [...listOf("ENTRYPOINT"), ...listOf("CMD")].slice(1).map((arg) => arg.replace(/^\/app\//, `${project}/`))
  const served = await serve(process.execPath, args, agents, {
    env: { PARLOR_DATA: data, HOME: "/nonexistent" },
    ...nobody,
  })
  const [, ...health] = listOf("HEALTHCHECK")
  const check = { env: { PARLOR_PORT: new URL(served.url).port }, ...nobody }
  try {
    await command(process.execPath, health, agents, check)
    const talk = new Parlor({ baseUrl: served.url, token: served.token }).conversation("host")
    await talk.send("hello")
    await expect
      .poll(async () => (await talk.open({ messages: 5 })).messages.map(({ role }) => role))
      .toContain("agent")
  } finally {
    await served.stop()
  }
  await command(process.execPath, health, agents, { ...check, codes: [1] })
})

type Running = { readonly env?: Readonly<Record<string, string>>; readonly uid?: number; readonly gid?: number }

type Served = { readonly url: string; readonly token: string; stop(): Promise<void> }

/** Starts a server and waits for the line with its URL. */
async function serve(
  program: string,
  args: readonly string[],
  cwd: string,
  { env: more = {}, ...as }: Running = {},
): Promise<Served> {
  // Its own process group, because npm does not pass every signal on.
  const child = spawn(program, args, {
    cwd,
    env: { ...ownEnv(), PARLOR_PORT: "0", PARLOR_DRAIN_MS: "0", ...more },
    ...as,
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  let said = ""
  const url = await new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      said += chunk.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)
      if (found) resolve(found[0])
    }
    child.stdout.on("data", take)
    child.stderr.on("data", take)
    child.once("error", reject)
    child.once("close", (code) => reject(new Error(`ended with ${code} before it served:\n${said}`)))
  })
  return {
    url,
    token: readFileSync(join(more.PARLOR_DATA ?? join(cwd, ".parlor"), "token"), "utf8").trim(),
    async stop() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM")
      await ended
    },
  }
}

async function command(
  program: string,
  args: readonly string[],
  cwd: string,
  { codes = [0], env = {}, ...as }: Running & { readonly codes?: readonly number[] } = {},
): Promise<string> {
  const child = spawn(program, args, { cwd, env: { ...ownEnv(), ...env }, stdio: ["ignore", "pipe", "pipe"], ...as })
  let said = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString()
    })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  if (!codes.includes(code ?? -1)) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${said}`)
  return said
}

/** Without what vitest and npm set for this run. */
function ownEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:VITEST|NODE_|PARLOR_|npm_(?!config_))|^(?:TEST|DEV|PROD)$/.test(name),
    ),
  )
}
