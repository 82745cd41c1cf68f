/** The port on a real disk: with open handles, as on Linux, and by paths, as elsewhere. */
import { execFileSync } from "node:child_process"
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Files } from "@parlor/core"
import { MemoryFiles } from "@parlor/core/testing"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { openFiles } from "../src/index.ts"
import { filesContract, folder, put, textAt } from "./contract.ts"

const base = mkdtempSync(join(tmpdir(), "parlor-files-"))
afterAll(() => rmSync(base, { recursive: true, force: true }))

let count = 0
const fresh = () => join(base, `root${++count}`)

filesContract("in memory", () => new MemoryFiles())
filesContract("by handles", () => openFiles({ root: fresh(), handles: true }))
filesContract("by paths", () => openFiles({ root: fresh(), handles: false }))

describe.each([true, false])("the disk, handles: %s", (handles) => {
  let root: string
  let files: Files
  /** The folder of the conversation's files, and a folder outside with a secret in it. */
  let home: string
  let outside: string
  const secret = "only outside"

  beforeEach(async () => {
    root = fresh()
    files = openFiles({ root, handles })
    await put(files, folder, "in/here.txt", "inside")
    home = join(root, "ana", "crab", "main~tx_1")
    outside = `${root}-outside`
    mkdirSync(outside)
    writeFileSync(join(outside, "secret.txt"), secret)
  })

  const outsideIsAsItWas = () => {
    expect(readdirSync(outside)).toEqual(["secret.txt"])
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe(secret)
  }

  it("keeps folders and files to their owner", () => {
    for (const path of [root, home, join(home, "in")]) expect(statSync(path).mode & 0o077).toBe(0)
    expect(statSync(join(home, "in", "here.txt")).mode & 0o777).toBe(0o600)
  })

  it("leaves nothing half written behind", async () => {
    expect(readdirSync(join(root, ".parlor", "temp"))).toEqual([])
    writeFileSync(join(root, ".parlor", "temp", "new-left"), "half")
    mkdirSync(join(root, ".parlor", "temp", "gone-left", "deep"), { recursive: true })
    await openFiles({ root, handles }).list(folder, 1)
    expect(readdirSync(join(root, ".parlor", "temp"))).toEqual([])
  })

  /** What is in the way, and how each operation reacts. Nothing outside is read, written, listed or removed. */
  const tricks: readonly (readonly [string, string, () => void])[] = [
    ["a link to a file outside", "link.txt", () => symlinkSync(join(outside, "secret.txt"), join(home, "link.txt"))],
    ["a relative link", "rel.txt", () => symlinkSync(`../../../../${base}/x`, join(home, "rel.txt"))],
    ["a link to nothing", "dangling.txt", () => symlinkSync(join(outside, "new.txt"), join(home, "dangling.txt"))],
    ["a link to itself", "loop", () => symlinkSync("loop", join(home, "loop"))],
    ["a link to a file inside", "twin.txt", () => symlinkSync("in/here.txt", join(home, "twin.txt"))],
    ["a link to a folder outside", "way/secret.txt", () => symlinkSync(outside, join(home, "way"))],
    ["a link to a folder outside, for a new file", "way/new.txt", () => symlinkSync(outside, join(home, "way"))],
    [
      "a chain of links",
      "one/secret.txt",
      () => {
        symlinkSync(outside, join(home, "two"))
        symlinkSync("two", join(home, "one"))
      },
    ],
    [
      "a link deep in the path",
      "a/b/c/secret.txt",
      () => {
        mkdirSync(join(home, "a", "b"), { recursive: true })
        symlinkSync(outside, join(home, "a", "b", "c"))
      },
    ],
    ["a link to the parent", "up/ana", () => symlinkSync("..", join(home, "up"))],
    ["a link to the root of all", "top/etc/hostname", () => symlinkSync("/", join(home, "top"))],
    ["a link into /proc", "proc/environ", () => symlinkSync("/proc/self", join(home, "proc"))],
    ["a pipe", "pipe", () => execFileSync("mkfifo", [join(home, "pipe")])],
    ["a device", "null", () => symlinkSync("/dev/null", join(home, "null"))],
  ]

  it.each(tricks)("[WSP-1] %s is rejected", async (_what, path, make) => {
    make()
    await expect(files.read(folder, path, { most: 1_000 })).rejects.toMatchObject({ code: "file.not-plain" })
    await expect(put(files, folder, path, "out")).rejects.toMatchObject({ code: "file.not-plain" })
    await expect(files.remove(folder, path)).rejects.toMatchObject({ code: "file.not-plain" })
    expect((await files.list(folder, 100)).map((file) => file.path)).toEqual(["in/here.txt"])
    outsideIsAsItWas()
    await files.clear(folder)
    expect(existsSync(home)).toBe(false)
    outsideIsAsItWas()
  })

  it("[WSP-1] a socket is rejected", async () => {
    const server = createServer()
    // A socket's path has to be short.
    const short = mkdtempSync(join(tmpdir(), "s-"))
    await new Promise<void>((resolve) => server.listen(join(short, "s"), resolve))
    renameSync(join(short, "s"), join(home, "sock"))
    await expect(files.read(folder, "sock", { most: 10 })).rejects.toMatchObject({ code: "file.not-plain" })
    await expect(put(files, folder, "sock", "x")).rejects.toMatchObject({ code: "file.not-plain" })
    await new Promise((resolve) => server.close(resolve))
    rmSync(short, { recursive: true })
  })

  it.each(["ana", "crab", "main~tx_1"])("[WSP-1] a link in place of the folder %s is rejected", async (step) => {
    const path = join(root, "ana", "crab", "main~tx_1").split(`/${step}`)[0] ?? ""
    renameSync(join(path, step), `${root}-moved`)
    symlinkSync(outside, join(path, step))
    await expect(files.read(folder, "secret.txt", { most: 10 })).rejects.toMatchObject({ code: "file.not-plain" })
    await expect(put(files, folder, "new.txt", "x")).rejects.toMatchObject({ code: "file.not-plain" })
    await expect(files.list(folder, 10)).rejects.toMatchObject({ code: "file.not-plain" })
    outsideIsAsItWas()
    rmSync(`${root}-moved`, { recursive: true })
  })

  it("[WSP-1] a hard link is recognized, and never written through", async () => {
    linkSync(join(outside, "secret.txt"), join(home, "hard.txt"))
    expect(await files.read(folder, "hard.txt", { most: 100 })).toMatchObject({ linked: true, written: [] })
    expect((await files.list(folder, 100)).map((file) => file.path)).toEqual(["in/here.txt"])
    await put(files, folder, "hard.txt", "mine")
    expect(await textAt(files, folder, "hard.txt")).toBe("mine")
    outsideIsAsItWas()
    linkSync(join(outside, "secret.txt"), join(home, "again.txt"))
    await files.remove(folder, "again.txt")
    outsideIsAsItWas()
  })

  it("[WSP-1] Parlor's own files are not written through a link either", async () => {
    const journal = join(root, ".parlor", "written", readdirSync(join(root, ".parlor", "written"))[0] ?? "")
    rmSync(journal)
    linkSync(join(outside, "secret.txt"), journal)
    await put(files, folder, "a.txt", "x")
    outsideIsAsItWas()
    rmSync(journal)
    symlinkSync(join(outside, "secret.txt"), journal)
    await expect(put(files, folder, "b.txt", "x")).rejects.toThrow()
    outsideIsAsItWas()
    rmSync(join(root, ".parlor", "temp"), { recursive: true })
    symlinkSync(outside, join(root, ".parlor", "temp"))
    await expect(put(files, folder, "c.txt", "x")).rejects.toMatchObject({ code: "file.not-plain" })
    outsideIsAsItWas()
  })

  it("a folder in place of a file and a file in place of a folder are rejected", async () => {
    mkdirSync(join(home, "folder"))
    await expect(put(files, folder, "folder", "x")).rejects.toMatchObject({ code: "file.clash" })
    await expect(files.read(folder, "folder", { most: 10 })).rejects.toMatchObject({ code: "file.clash" })
    await expect(put(files, folder, "in/here.txt/deeper", "x")).rejects.toMatchObject({ code: "file.clash" })
  })

  it("recognizes files created by hand, even after a restart", async () => {
    writeFileSync(join(home, "in", "here.txt"), "edited")
    writeFileSync(join(home, "new.txt"), "new")
    for (const port of [files, openFiles({ root, handles })]) {
      expect(await port.read(folder, "in/here.txt", { most: 100 })).toMatchObject({ written: ["hash of inside"] })
      expect(await port.read(folder, "new.txt", { most: 100 })).toMatchObject({ written: [] })
    }
  })

  it("counts both as written when killed between recording and writing", async () => {
    const journal = join(root, ".parlor", "written", readdirSync(join(root, ".parlor", "written"))[0] ?? "")
    const line = (...parts: unknown[]) => writeFileSync(journal, `${JSON.stringify(parts)}\n`, { flag: "a" })
    line("w", "in/here.txt", "next")
    const written = async () => (await openFiles({ root, handles }).read(folder, "in/here.txt", { most: 9 }))?.written
    expect(await written()).toEqual(["hash of inside", "next"])
    line("d", "in/here.txt")
    expect(await written()).toEqual(["next"])
    line("w", "in/here.txt", null)
    expect(await written()).toEqual(["next"])
  })

  it("a truncated line corrupts no other", async () => {
    const journal = join(root, ".parlor", "written", readdirSync(join(root, ".parlor", "written"))[0] ?? "")
    writeFileSync(journal, '["w","in/here.txt","cut o', { flag: "a" })
    await put(openFiles({ root, handles }), folder, "next.txt", "x")
    const again = openFiles({ root, handles })
    expect((await again.list(folder, 9)).map(({ path, written }) => [path, written])).toEqual([
      ["in/here.txt", ["hash of inside"]],
      ["next.txt", ["hash of x"]],
    ])
  })

  it("keeps its own lines few, however often a file is written", async () => {
    const journal = join(root, ".parlor", "written", readdirSync(join(root, ".parlor", "written"))[0] ?? "")
    const lines = () => readFileSync(journal, "utf8").split("\n").length
    writeFileSync(journal, '["w","a","b"]\n["d","a"]\n'.repeat(2_000))
    const again = openFiles({ root, handles })
    expect(lines()).toBeGreaterThan(4_000)
    await put(again, folder, "b.txt", "x")
    expect(lines()).toBeLessThan(20)
    expect((await openFiles({ root, handles }).read(folder, "b.txt", { most: 9 }))?.written).toEqual(["hash of x"])
  })

  it("deletes deep and oddly named entries", async () => {
    let deep = home
    for (let level = 0; level < 90; level++) deep = join(deep, "d")
    mkdirSync(deep, { recursive: true })
    writeFileSync(join(deep, "end"), "x")
    mkdirSync(Buffer.concat([Buffer.from(`${home}/`), Buffer.from([0xff, 0xfe])]))
    writeFileSync(Buffer.concat([Buffer.from(`${home}/`), Buffer.from([0xff, 0xfe, 0x2f, 0xfd])]), "x")
    symlinkSync(outside, join(home, "d", "away"))
    await files.clear(folder)
    expect(existsSync(join(root, "ana"))).toBe(false)
    expect(readdirSync(join(root, ".parlor", "temp"))).toEqual([])
    outsideIsAsItWas()
  })

  it("recovers when the root was deleted under it", async () => {
    rmSync(root, { recursive: true })
    expect(await files.list(folder, 10)).toEqual([])
    await put(files, folder, "in/here.txt", "again")
    expect(await textAt(files, folder, "in/here.txt")).toBe("again")
  })

  it("keeps the given time, to the millisecond", async () => {
    for (const at of [1, 1_699_999_999_999, 1_700_000_000_001, 4_102_444_800_007]) {
      await put(files, folder, "time.txt", "x", at)
      expect((await files.list(folder, 10)).find((file) => file.path === "time.txt")?.modifiedAt).toBe(at)
    }
    utimesSync(join(home, "time.txt"), 5, 5)
    expect((await files.read(folder, "time.txt", { most: 9 }))?.modifiedAt).toBe(5_000)
    expect(lstatSync(join(home, "time.txt")).nlink).toBe(1)
  })
})
