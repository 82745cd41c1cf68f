/** The process is killed while it writes: files on disk are complete, and recognized as its own. */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, expect, it } from "vitest"
import { openFiles } from "../src/index.ts"
import { folder } from "./contract.ts"

const base = mkdtempSync(join(tmpdir(), "parlor-kill-"))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const BUILT = fileURLToPath(new URL("../dist/index.js", import.meta.url))
const KILLS = 12
const BYTES = 200_000

/** Writes one content after another to a file, and repeatedly removes another, until it is killed. */
const WRITER = `
const { createHash } = await import("node:crypto")
const { openFiles } = await import(${JSON.stringify(BUILT)})
const folder = ${JSON.stringify(folder)}
const files = openFiles({ root: process.argv[1] })
for (let i = Number(process.argv[2]); ; i++) {
  const content = Buffer.alloc(${BYTES}, String(i) + "\\n")
  const as = { hash: createHash("sha256").update(content).digest("hex"), at: i }
  await files.write(folder, "deep/a.txt", content, as)
  await files.write(folder, "gone/b.txt", content, as)
  await files.remove(folder, "gone/b.txt")
  if (i === Number(process.argv[2])) process.stdout.write("writing")
}
`

it("[WSP-3] a file is always one complete written content, whenever its writer is killed", async () => {
  const root = join(base, "root")
  let next = 1
  for (let kill = 0; kill < KILLS; kill++) {
    const args = ["--input-type=module", "-e", WRITER, root, String(next)]
    const writer = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
    await new Promise((resolve) => writer.stdout.once("data", resolve))
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
    const ended = new Promise((resolve) => writer.once("exit", resolve))
    writer.kill("SIGKILL")
    await ended
    const files = openFiles({ root })
    const file = await files.read(folder, "deep/a.txt", { most: BYTES })
    const content = Buffer.from(file?.content ?? [])
    const number = Number(content.toString().split("\n")[0])
    expect(number).toBeGreaterThanOrEqual(next)
    expect(content.equals(Buffer.alloc(BYTES, `${number}\n`))).toBe(true)
    for (const one of await files.list(folder, 10)) {
      const there = await files.read(folder, one.path, { most: BYTES })
      const hash = createHash("sha256")
        .update(Buffer.from(there?.content ?? []))
        .digest("hex")
      expect(one.written, one.path).toContain(hash)
      expect(one.written.length).toBeLessThanOrEqual(2)
    }
    expect(readdirSync(join(root, ".parlor", "temp"))).toEqual([])
    next = number + 1
  }
}, 60_000)
