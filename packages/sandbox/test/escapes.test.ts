/** The sandbox as an attacker's command sees it: every attempt is contained, and the machine is as before. */
import { randomUUID } from "node:crypto"
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { createServer as createSocketServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SandboxLimits, SandboxResult } from "@parlor/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openSandbox } from "../src/open-sandbox.ts"
import { type Attempt, attempts, type Outside } from "./attempts.ts"

const AT_ONCE = 6
const limits: SandboxLimits = {
  timeMs: 20_000,
  outputBytes: 8 * 1024 * 1024,
  memoryBytes: 512 * 1024 * 1024,
  processes: 64,
  diskBytes: 64 * 1024 * 1024,
}
const sandbox = openSandbox({ kind: "bubblewrap" })
const unavailable = await sandbox.unavailable()
const secret = `secret-${randomUUID()}`
let home: string
let outside: Outside
let visitors = 0
const closers: (() => void)[] = []

beforeAll(async () => {
  process.env.PARLOR_TEST_SECRET = secret
  home = await mkdtemp(join(tmpdir(), "parlor-escapes-"))
  const folder = join(home, "outside")
  await mkdir(folder)
  const secretFile = join(folder, "secret.txt")
  await writeFile(secretFile, secret)
  const server = createServer((_, response) => {
    visitors += 1
    response.end("ESCAPED")
  })
  await new Promise<void>((resolve) => server.listen(0, () => resolve()))
  const socket = join(folder, "outside.sock")
  const sockets = createSocketServer(() => {
    visitors += 1
  })
  await new Promise<void>((resolve) => sockets.listen(socket, () => resolve()))
  closers.push(
    () => server.close(),
    () => sockets.close(),
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  outside = { secretFile, folder, port, socket, pid: process.pid }
})

afterAll(async () => {
  for (const close of closers) close()
  delete process.env.PARLOR_TEST_SECRET
  await rm(home, { recursive: true, force: true })
})

async function attempt({ command, limits: own }: Attempt): Promise<{ result: SandboxResult | Error; folder: string }> {
  const folder = await mkdtemp(join(home, "work-"))
  await writeFile(join(folder, "notes.txt"), "mine")
  await mkdir(join(folder, "sub"))
  await writeFile(join(folder, "sub", "inner.txt"), "inner")
  const asked = { command: command(outside), folder, network: false, env: {}, limits: { ...limits, ...own } }
  const result = await sandbox.run(asked, { signal: new AbortController().signal }).catch((error: Error) => error)
  return { result, folder }
}

/** What is in the folder afterwards: nothing but plain files and folders of ours, without special rights. */
async function defects(folder: string, prefix = ""): Promise<readonly string[]> {
  const found: string[] = []
  for (const name of await readdir(join(folder, prefix))) {
    const path = join(prefix, name)
    const stat = await lstat(join(folder, path))
    if (!stat.isFile() && !stat.isDirectory()) found.push(`${path} is neither a file nor a folder`)
    if ((stat.mode & 0o7022) !== 0) found.push(`${path} has the rights ${stat.mode.toString(8)}`)
    if (stat.isFile() && stat.nlink > 1) found.push(`${path} has another name`)
    if (/^\.(git|parlor)/i.test(name) && prefix === "") found.push(`${path} came back`)
    if (stat.isDirectory()) found.push(...(await defects(folder, path)))
    else if ((await readFile(join(folder, path), "utf8")).includes(secret)) found.push(`${path} has the secret`)
  }
  return found
}

describe.skipIf(unavailable !== undefined)(`escapes${unavailable === undefined ? "" : ` (${unavailable})`}`, () => {
  it("[SBX-2] there are at least 100 of them", () => {
    expect(attempts.length).toBeGreaterThanOrEqual(100)
    expect(new Set(attempts.map(({ name }) => name)).size).toBe(attempts.length)
  })

  it("[SBX-2] a command that means no harm works: the checks below can fail", async () => {
    const { result, folder } = await attempt({ name: "", command: () => "cat notes.txt && echo changed > notes.txt" })
    expect(result).toMatchObject({ end: "exit", exit: 0, output: "mine", left: [] })
    expect(await readFile(join(folder, "notes.txt"), "utf8")).toBe("changed\n")
  })

  it("[SBX-2, SBX-4, SBX-5] every one is contained", { timeout: 180_000 }, async () => {
    const escaped: string[] = []
    const queue = [...attempts]
    const worker = async () => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
        const { result, folder } = await attempt(one)
        const output = result instanceof Error ? result.message : result.output
        if (/ESCAPED/.test(output)) escaped.push(`${one.name}: ${output.slice(0, 500)}`)
        const asked = one.command(outside)
        if (output.includes(secret) || (output.includes(home) && !asked.includes(home)))
          escaped.push(`${one.name}: it saw what is outside`)
        if (one.ends !== undefined && (result instanceof Error || result.end !== one.ends))
          escaped.push(`${one.name}: it had to end by ${one.ends}, but: ${JSON.stringify(result)?.slice(0, 500)}`)
        escaped.push(...(await defects(folder)).map((defect) => `${one.name}: ${defect}`))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    expect(escaped).toEqual([])
    expect(visitors).toBe(0)
    expect(await readdir(outside.folder)).toEqual(["outside.sock", "secret.txt"])
    expect(await readFile(outside.secretFile, "utf8")).toBe(secret)
    expect(await leftovers()).toEqual([])
  })
})

/** Processes of the sandbox that are still there. */
async function leftovers(): Promise<readonly string[]> {
  const found: string[] = []
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/mountinfo`, "utf8").catch(() => "")
    if (line.includes(home)) found.push(pid)
  }
  return found
}
