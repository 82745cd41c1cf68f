import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { putBack, stage } from "../src/copy.ts"

let home: string
let folder: string
let copy: string
const never = new AbortController().signal

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "parlor-copy-"))
  folder = join(home, "folder")
  copy = join(home, "copy")
  await mkdir(join(folder, "sub"), { recursive: true })
  await mkdir(copy)
  await writeFile(join(folder, "a.txt"), "a")
  await writeFile(join(folder, "sub", "b.txt"), "b")
})
afterEach(() => rm(home, { recursive: true, force: true }))

const staged = () => stage(folder, copy, { maxBytes: 1_000, owner: undefined, signal: never })
const back = async (before: Awaited<ReturnType<typeof staged>>) => putBack(folder, copy, before, { maxBytes: 1_000 })
const read = (path: string) => readFile(join(folder, path), "utf8")

describe("the copy of a folder", () => {
  it("[SBX-3] changed, new and deleted files come back; folders that became empty go", async () => {
    const before = await staged()
    await writeFile(join(copy, "a.txt"), "A")
    await rm(join(copy, "sub"), { recursive: true })
    await mkdir(join(copy, "new", "deep"), { recursive: true })
    await writeFile(join(copy, "new", "deep", "c.txt"), "c")
    expect(await back(before)).toEqual([])
    expect(await read("a.txt")).toBe("A")
    expect(await read("new/deep/c.txt")).toBe("c")
    expect(await readdir(folder)).toEqual(["a.txt", "new"])
  })

  it("[SBX-3] a file becomes a folder, and a folder a file", async () => {
    const before = await staged()
    await rm(join(copy, "sub"), { recursive: true })
    await writeFile(join(copy, "sub"), "file")
    await rm(join(copy, "a.txt"))
    await mkdir(join(copy, "a.txt"))
    await writeFile(join(copy, "a.txt", "x"), "x")
    expect(await back(before)).toEqual([])
    expect(await read("sub")).toBe("file")
    expect(await read("a.txt/x")).toBe("x")
  })

  it("[SBX-3] what somebody changed, made or deleted meanwhile stays as they left it, and is named", async () => {
    const before = await staged()
    await writeFile(join(folder, "a.txt"), "edited by a person")
    await writeFile(join(folder, "new.txt"), "a person's")
    await writeFile(join(copy, "a.txt"), "A")
    await writeFile(join(copy, "new.txt"), "the command's")
    await rm(join(copy, "sub", "b.txt"))
    await writeFile(join(folder, "sub", "b.txt"), "edited too")
    const left = await back(before)
    expect(left.map(({ path }) => path).sort()).toEqual(["a.txt", "new.txt", "sub/b.txt"])
    expect(await read("a.txt")).toBe("edited by a person")
    expect(await read("new.txt")).toBe("a person's")
    expect(await read("sub/b.txt")).toBe("edited too")
  })

  it("[SBX-3] links are copied as links, are not followed, and none comes back", async () => {
    await writeFile(join(home, "outside.txt"), "outside")
    await symlink(join(home, "outside.txt"), join(folder, "link"))
    const before = await staged()
    await symlink("/etc", join(copy, "etc"))
    expect(await back(before)).toEqual([{ path: "etc", why: "links are not kept" }])
    expect(await readdir(folder)).toEqual(["a.txt", "link", "sub"])
  })

  it("[SBX-3] nothing is written through a folder that somebody replaced by a link meanwhile", async () => {
    const before = await staged()
    await mkdir(join(home, "elsewhere"))
    await rm(join(folder, "sub"), { recursive: true })
    await symlink(join(home, "elsewhere"), join(folder, "sub"))
    await writeFile(join(copy, "sub", "c.txt"), "c")
    expect(await back(before)).toEqual([{ path: "sub/c.txt", why: "a file or a link is in the way" }])
    expect(await readdir(join(home, "elsewhere"))).toEqual([])
  })

  it("[SBX-5] a folder that is too large is not copied, and too much does not come back", async () => {
    await writeFile(join(folder, "large"), "x".repeat(2_000))
    await expect(staged()).rejects.toThrow("more than 1000 bytes")
    await rm(join(folder, "large"))
    await rm(copy, { recursive: true })
    await mkdir(copy)
    const before = await staged()
    await writeFile(join(copy, "a.txt"), "A")
    await writeFile(join(copy, "large"), "x".repeat(2_000))
    expect(await back(before)).toMatchObject([{ path: "all files" }])
    expect(await read("a.txt")).toBe("a")
  })
})
