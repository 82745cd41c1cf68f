/** Another process replaces folders and files with links while the port works on them. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { openFiles } from "../src/index.ts"
import { folder, put, textAt } from "./contract.ts"

const base = mkdtempSync(join(tmpdir(), "parlor-race-"))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const ROUNDS = 1_200
const MAX_MS = 6_000
const SECRET = "only outside"

/** Swaps the folder and the file for links to the outside and back, as fast as it can. */
const SWAPPER = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs")
const [home, outside] = process.argv.slice(1)
const swap = (name, target) => {
  try { renameSync(home + "/" + name, home + "-kept-" + name) } catch {}
  try { symlinkSync(target, home + "/" + name) } catch {}
  try { unlinkSync(home + "/" + name) } catch {}
  try { renameSync(home + "-kept-" + name, home + "/" + name) } catch {}
}
process.stdout.write("ready")
for (;;) {
  swap("way", outside)
  swap("secret.txt", outside + "/secret.txt")
}
`

describe.runIf(process.platform === "linux")("links swapped in while files are worked on", () => {
  it("[WSP-1] lead nowhere: nothing outside is read, written, listed or deleted", async () => {
    const root = join(base, "root")
    const outside = join(base, "outside")
    mkdirSync(outside)
    writeFileSync(join(outside, "secret.txt"), SECRET)
    const files = openFiles({ root })
    await put(files, folder, "way/secret.txt", "inside")
    await put(files, folder, "secret.txt", "inside")
    const home = join(root, "ana", "crab", "main~tx_1")
    const swapper = spawn(process.execPath, ["-e", SWAPPER, home, outside], { stdio: ["ignore", "pipe", "ignore"] })
    const outcomes = { done: 0, refused: 0, gone: 0 }
    try {
      await new Promise((resolve) => swapper.stdout.once("data", resolve))
      const until = Date.now() + MAX_MS
      for (let round = 0; round < ROUNDS && Date.now() < until; round++) {
        const path = round % 2 === 0 ? "way/secret.txt" : "secret.txt"
        for (const act of [
          async () => expect(await textAt(files, folder, path)).not.toBe(SECRET),
          () => put(files, folder, path, `inside ${round}`),
          () => put(files, folder, `way/new-${round % 7}`, "new"),
          () => files.remove(folder, `way/new-${round % 7}`),
          async () => {
            const listed = (await files.list(folder, 100)).map((file) => file.bytes)
            expect(listed).not.toContain(SECRET.length)
          },
        ])
          outcomes[await outcomeOf(act)] += 1
        expect(readdirSync(outside)).toEqual(["secret.txt"])
        expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe(SECRET)
      }
    } finally {
      await ended(swapper)
    }
    // It was a race: each side won at times.
    expect(outcomes.done).toBeGreaterThan(0)
    expect(outcomes.refused).toBeGreaterThan(0)
    await files.clear(folder)
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe(SECRET)
  }, 60_000)
})

async function outcomeOf(act: () => Promise<unknown>): Promise<"done" | "refused" | "gone"> {
  try {
    await act()
    return "done"
  } catch (error) {
    const { code } = error as { readonly code?: string }
    if (code === "file.not-plain" || code === "file.clash") return "refused"
    if (["ENOENT", "ENOTDIR", "EEXIST", "EISDIR", "ENOTEMPTY"].includes(code ?? "")) return "gone"
    throw error
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve())
    child.kill("SIGKILL")
  })
}
