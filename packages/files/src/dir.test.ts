import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Dir, openRoot, openWay } from "./dir.ts"
import { listPlain } from "./list-plain.ts"
import { readPlain, replacePlain } from "./plain-file.ts"

/** A link to outside replaces the folder after it was opened: the exact moment an attacker would choose. */
describe.each([
  ["handles", true],
  ["paths", false],
] as const)("a folder held by %s, while a link replaces it", (_how, handles) => {
  let base: string
  let root: Dir
  let way: Dir
  let temp: Dir

  beforeEach(async () => {
    base = mkdtempSync(join(tmpdir(), "parlor-dir-"))
    for (const name of ["root/way", "root/temp", "outside"]) mkdirSync(join(base, name), { recursive: true })
    writeFileSync(join(base, "root", "way", "a.txt"), "inside")
    writeFileSync(join(base, "outside", "a.txt"), "outside")
    root = await openRoot(join(base, "root"), { handles })
    way = (await openWay(root, ["way"], { make: false })) as Dir
    temp = (await openWay(root, ["temp"], { make: false })) as Dir
  })
  afterEach(async () => {
    for (const dir of [way, temp, root]) await dir.close()
    rmSync(base, { recursive: true, force: true })
  })

  const swap = () => {
    renameSync(join(base, "root", "way"), join(base, "root", "kept"))
    symlinkSync(join(base, "outside"), join(base, "root", "way"))
  }
  const outside = () =>
    readdirSync(join(base, "outside")).map((name) => readFileSync(join(base, "outside", name), "utf8"))

  it("[WSP-1] reads nothing from outside", async () => {
    swap()
    const read = readPlain(way, "a.txt", 100)
    if (handles) expect((await read)?.content?.toString()).toBe("inside")
    else await expect(read).rejects.toMatchObject({ code: "file.not-plain" })
  })

  it("[WSP-1] writes nothing outside", async () => {
    const options = { temp, at: 1, ready: async () => swap() }
    const writing = replacePlain(way, "a.txt", Buffer.from("new"), options)
    if (handles) {
      await writing
      expect(readFileSync(join(base, "root", "kept", "a.txt"), "utf8")).toBe("new")
    } else await expect(writing).rejects.toMatchObject({ code: "file.not-plain" })
    expect(outside()).toEqual(["outside"])
    expect(readdirSync(join(base, "root", "temp"))).toEqual([])
  })

  it("[WSP-1] lists nothing from outside", async () => {
    writeFileSync(join(base, "outside", "b.txt"), "outside")
    mkdirSync(join(base, "root", "way", "inner"))
    swap()
    const listed = listPlain(way, 100)
    if (handles) expect((await listed).map((file) => file.path)).toEqual(["a.txt"])
    else await expect(listed).rejects.toMatchObject({ code: "file.not-plain" })
  })
})
