/** The operations guide, followed literally by a shell. Only ports and the address of the database are others. */
import { spawn } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { root } from "../../scripts/setup.mjs"
import { bundledBin } from "../support/bundle.ts"
import { freshDatabase } from "../support/postgres.ts"

const folder = mkdtempSync(join(tmpdir(), "parlor-guide-"))
const cleaning: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const server of ["parlor", "one", "two"])
    try {
      process.kill(Number(readFileSync(join(folder, `${server}.pid`), "utf8")), "SIGKILL")
    } catch {
      // It has already exited, or never started.
    }
  for (const clean of cleaning) await clean()
  rmSync(folder, { recursive: true, force: true })
})

const read = (name: string) => readFileSync(join(folder, name), "utf8")

test("[OPS-7] start, sign in, back up, stop, kill, check, restore, metrics and upgrade, as the operations guide says", async () => {
  const blocks = [...blocksOf("One server, from start to restore"), ...blocksOf("Upgrading")]
  expect(blocks.length).toBeGreaterThanOrEqual(10)
  const port = String(await freePort())
  const { code, said } = await follow("one-server.sh", blocks.join("\n").replaceAll("4141", port), {
    PARLOR_PORT: port,
  })
  expect(code, `${said}\n${read("parlor.log")}`).toBe(0)
  expect(read("link.txt")).toMatch(new RegExp(`http://127\\.0\\.0\\.1:${port}/#token=\\S+`))
  expect(read("restored.jsonl")).toContain("The tulips are in the cellar.")
  expect(read("restored.jsonl")).not.toContain("roses")
  expect(read("metrics.txt")).toMatch(/^parlor_uptime_seconds \d+$/m)
  expect(read("installed.txt")).toBe("install --global parlor@latest\n")
  expect(said.match(/No problems\./g)?.length).toBe(3)
}, 240_000)

test("[OPS-7] add a server and drain one, as the operations guide says", async () => {
  const database = await freshDatabase()
  cleaning.push(() => database.drop())
  const ports = [await freePort(), await freePort()]
  const script = blocksOf("Adding and draining servers")
    .join("\n")
    .replace(/^export DATABASE_URL=.*$/m, `export DATABASE_URL=${database.url}`)
    .replaceAll("4141", String(ports[0]))
    .replaceAll("4142", String(ports[1]))
  const { code, said } = await follow("several-servers.sh", script, {})
  expect(code, said).toBe(0)
  const lines = read("continued.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly message?: { readonly role: string; readonly state: string } })
  const messages = lines.flatMap(({ message }) => (message === undefined ? [] : [message]))
  expect(messages.filter(({ role }) => role === "person")).toHaveLength(3)
  expect(messages.filter(({ role, state }) => role === "agent" && state === "done").length).toBeGreaterThanOrEqual(3)
  expect(said).toContain("No problems.")
}, 240_000)

/** The shell blocks of a section. */
function blocksOf(section: string): readonly string[] {
  const guide = readFileSync(join(root, "docs", "guides", "operations.md"), "utf8")
  const text = guide.split("\n## ").find((part) => part.startsWith(section)) ?? ""
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block)
}

/** With the built `parlor`, and an `npm` that only notes what it should install. */
async function follow(name: string, text: string, env: NodeJS.ProcessEnv) {
  const bin = join(folder, "bin")
  mkdirSync(bin, { recursive: true })
  const program = (file: string, lines: string) => {
    writeFileSync(join(bin, file), `#!/bin/sh\n${lines}\n`)
    chmodSync(join(bin, file), 0o755)
  }
  program("parlor", `exec ${process.execPath} ${await bundledBin()} "$@"`)
  program("npm", `echo "$@" >> ${join(folder, "installed.txt")}`)
  writeFileSync(join(folder, name), `set -eu\n${text}`)
  const own = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, PARLOR_MODEL: "demo" }
  return shell(join(folder, name), { ...own, ...env })
}

function shell(
  script: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn("bash", [script], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] })
  let said = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString()
    })
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    // The server that the last step starts stays: it has the log file, not these pipes.
    child.once("close", (code) => resolve({ code, said }))
  })
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
