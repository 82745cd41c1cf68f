import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SandboxCommand } from "@parlor/core"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openSandbox } from "../src/open-sandbox.ts"

const limits = { timeMs: 10_000, outputBytes: 1e6, memoryBytes: 512 * 1024 * 1024, processes: 64, diskBytes: 1e7 }
const path = process.env.PATH
const never = new AbortController().signal
let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "parlor-sandbox-"))
})
afterEach(async () => {
  process.env.PATH = path
  await rm(home, { recursive: true, force: true })
})

const asked = (command: string): SandboxCommand => ({
  command,
  folder: home,
  network: false,
  env: { GREETING: "hi" },
  limits,
})

/** A program that prints its arguments in place of a container runtime. */
async function fakeRuntime(script: string): Promise<void> {
  const folder = await mkdtemp(join(home, "runtime-"))
  await writeFile(join(folder, "docker"), `#!/bin/sh\n${script}\n`)
  await chmod(folder, 0o755)
  await chmod(join(folder, "docker"), 0o755)
  process.env.PATH = `${folder}:${path}`
}

describe("the sandbox port", () => {
  it.each([
    ["off", "turned off"],
    ["none", "not a sandbox"],
    ["podman/", "not a sandbox"],
    ["podman/debian", "podman is not installed"],
  ])("[SBX-1] with %s, commands are refused with the reason and never run", async (kind, words) => {
    process.env.PATH = "/nonexistent"
    const sandbox = openSandbox({ kind })
    expect(await sandbox.unavailable()).toContain(words)
    await expect(sandbox.run(asked("echo ran > ran"), { signal: never })).rejects.toThrow(words)
    await expect(readFile(join(home, "ran"))).rejects.toThrow("ENOENT")
  })

  it("[SBX-1] a runtime that does not answer is no sandbox", async () => {
    await fakeRuntime("exit 1")
    expect(await openSandbox({ kind: "docker/debian" }).unavailable()).toContain("docker does not answer")
  })

  it("[SBX-1, SBX-5] a container gets no network, no rights and the limits", async () => {
    await fakeRuntime('[ "$1" = version ] || echo "$@"')
    const { output, exit } = await openSandbox({ kind: "docker/registry.example/debian:12" }).run(asked("ls"), {
      signal: never,
    })
    expect(exit).toBe(0)
    for (const part of [
      "--network none",
      "--memory 536870912",
      "--pids-limit 64",
      "--read-only",
      "--cap-drop ALL",
      "no-new-privileges",
      "GREETING=hi",
      "registry.example/debian:12 /bin/sh -c",
    ])
      expect(output).toContain(part)
  })
})

const bubblewrap = openSandbox({ kind: "bubblewrap" })
const unavailable = await bubblewrap.unavailable()

describe.skipIf(unavailable !== undefined)(`bubblewrap${unavailable === undefined ? "" : ` (${unavailable})`}`, () => {
  it("[SBX-2, SBX-6] a command has the workspace, the variables it was given and nothing else of the server's", async () => {
    process.env.PARLOR_SECRET = "hidden"
    await writeFile(join(home, "a.txt"), "one\ntwo\n")
    const { exit, output } = await bubblewrap.run(
      asked('wc -l < a.txt; echo "$GREETING $PARLOR_SECRET"; pwd; exit 3'),
      {
        signal: never,
      },
    )
    delete process.env.PARLOR_SECRET
    expect({ exit, output }).toEqual({ exit: 3, output: "2\nhi \n/work\n" })
  })

  it("[SBX-4] a stop ends the command with everything it started, and nothing of it arrives", async () => {
    const abort = new AbortController()
    const running = bubblewrap.run(asked("echo x > x.txt; sleep 600 & sleep 600"), { signal: abort.signal })
    setTimeout(() => abort.abort(new Error("stopped")), 200)
    await expect(running).rejects.toThrow("stopped")
    await expect(readFile(join(home, "x.txt"))).rejects.toThrow("ENOENT")
  })

  it("[SBX-5] of a long output, the beginning and the end are returned", async () => {
    const { output } = await bubblewrap.run(asked("echo first; seq 1 60000; echo last"), { signal: never })
    expect(output.startsWith("first\n1\n2\n")).toBe(true)
    expect(output.endsWith("60000\nlast\n")).toBe(true)
    expect(output).toMatch(/\[… \d+ characters left out …\]/)
    expect(output.length).toBeLessThan(200_000)
  })
})
