import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { MemoryScope } from "@parlor/protocol"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { startParlor, type TestParlor } from "./parlor.ts"

const tea = { description: "Drinks tea", type: "user", body: "Green, never with milk.\n\n---\n\nReally." }

let parlor: TestParlor
let folder: string
beforeAll(async () => {
  parlor = await startParlor()
  folder = join(parlor.folder, "memory files")
})
afterAll(() => parlor.close())
beforeEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  for (const { scope, name } of await memory().list()) await memory().delete(scope, name)
})

const memory = () => parlor.sdk.memory
const run = (...args: readonly string[]) => parlor.run(["memory", ...args])
const file = (path: string) => join(folder, `${path}.md`)
const put = (path: string, text: string) => {
  mkdirSync(join(folder, path.split("/")[0] ?? ""), { recursive: true })
  writeFileSync(file(path), text)
}
const names = async (scope?: MemoryScope) =>
  (await memory().list(scope === undefined ? {} : { scope })).map((line) => `${line.scope}/${line.name}`)

/** An editor command that changes the file as a person would. */
function editor(script: string): { readonly EDITOR: string } {
  const path = join(parlor.folder, "editor.sh")
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return { EDITOR: path }
}

describe("parlor memory", () => {
  test("[MEM-7] lists name, type, author and description; finds by words; shows text safely", async () => {
    expect(await run()).toMatchObject({ code: 0, out: "", err: expect.stringContaining("There are no memories yet") })
    await memory().write("user", "tea", { ...tea, pinned: true })
    await memory().write("project", "june", { ...tea, description: "Ship it", type: "project", body: "\u001b[2J" })
    expect((await run()).out.split("\n")).toEqual([
      "user/tea      user, pinned  a person  Drinks tea",
      "project/june  project       a person  Ship it",
      "",
    ])
    expect((await run("list", "GREEN", "milk")).out).toContain("user/tea")
    expect((await run("list", "coffee")).err).toContain("No memories match: coffee")
    expect((await run("list", "--scope", "project", "--json")).out).toMatch(/^\{"scope":"project","name":"june".*\}\n$/)
    const shown = await run("show", "tea")
    expect(shown.out).toBe(`---\nname: tea\ndescription: Drinks tea\ntype: user\npinned: true\n---\n\n${tea.body}\n`)
    expect(shown.err).toMatch(/^user, written by a person at 20/)
    expect((await run("show", "june", "--json")).out).toContain("\\u001b[2J")
    expect(await run("show", "coffee")).toMatchObject({ code: 2, err: expect.stringContaining('no memory "coffee"') })
    expect(await run("list", "--scope", "world")).toMatchObject({
      code: 2,
      err: "--scope must be one of: user, project.\n",
    })
  })

  test("[MEM-2] a name in both scopes needs its scope", async () => {
    await memory().write("user", "tea", tea)
    await memory().write("project", "tea", tea)
    for (const command of ["show", "edit", "rm"])
      expect(await run(command, "tea")).toMatchObject({ code: 2, err: expect.stringContaining("Both scopes have") })
    expect(await run("rm", "project/tea")).toMatchObject({ code: 0, err: "Deleted project/tea.\n" })
    expect(await run("rm", "tea", "--scope", "user")).toMatchObject({ code: 0 })
    expect(await names()).toEqual([])
  })

  test("[MEM-7] edits in the person's editor, and keeps what was typed if it is not valid", async () => {
    await memory().write("user", "tea", tea)
    const edited = await parlor.run(
      ["memory", "edit", "tea"],
      "",
      editor('sed -i "s/Green/Black/; s/Drinks/Loves/" "$1"'),
    )
    expect(edited).toMatchObject({ code: 0, err: "Changed user/tea.\n" })
    expect(await memory().read("user", "tea")).toMatchObject({
      description: "Loves tea",
      body: tea.body.replace("Green", "Black"),
    })
    const same = await parlor.run(["memory", "edit", "tea"], "", editor("true"))
    expect(same).toMatchObject({ code: 0, err: "No changes.\n" })
    const bad = await parlor.run(["memory", "edit", "tea"], "", editor('sed -i "s/type: user/type: Two Words/" "$1"'))
    expect(bad.code).toBe(2)
    expect(bad.err).toMatch(/^tea\.md:4: type: .*\nNothing was changed\. Your text is in (\S+)\. Fix/)
    const kept = /is in (\S+)\. Fix/.exec(bad.err)?.[1] ?? ""
    expect(readFileSync(kept, "utf8")).toContain("type: Two Words")
    rmSync(dirname(kept), { recursive: true })
    const left = await parlor.run(["memory", "edit", "tea"], "", editor("exit 3"))
    expect(left).toMatchObject({ code: 2, err: expect.stringContaining("exited with 3.\nNothing was changed.\n") })
    expect((await memory().read("user", "tea")).type).toBe("user")
  })

  test("[MEM-7] writes a new one from the editor, a file or standard input", async () => {
    const text = "---\ndescription: 'Likes coffee'\ntype: user\n---\nBlack.\n"
    put("user/given", text)
    expect(await run("edit", "coffee", "--file", file("user/given"))).toMatchObject({
      code: 0,
      err: "Wrote user/coffee.\n",
    })
    expect(await parlor.run(["memory", "edit", "project/milk", "--file", "-"], text)).toMatchObject({ code: 0 })
    expect(
      await parlor.run(["memory", "edit", "sugar"], "", editor('sed -i "s/One line about this memory/None/" "$1"')),
    ).toMatchObject({
      err: "Wrote user/sugar.\n",
    })
    const untouched = await parlor.run(["memory", "edit", "salt"], "", editor("true"))
    expect(untouched).toMatchObject({ code: 0, err: "No changes.\n" })
    expect(await names()).toEqual(["user/coffee", "user/sugar", "project/milk"])
    expect(await memory().read("user", "coffee")).toMatchObject({ description: "Likes coffee", body: "Black." })
    expect(await run("edit", "Not-Kebab", "--file", file("user/given"))).toMatchObject({ code: 2 })
    expect(await run("edit", "x", "--file", "/nowhere")).toMatchObject({
      code: 2,
      err: expect.stringContaining("/nowhere cannot be read"),
    })
  })
})

describe("parlor memory export and import", () => {
  test("[MEM-7] export and import round-trip, even odd texts", async () => {
    const odd = "---\n\n\"quotes\": 'and' # more\r\n\u2028é e\u0301 👩‍👩‍👧 \ufeff\n---\n\n"
    await memory().write("user", "tea", { ...tea, pinned: true })
    await memory().write("user", "odd", { description: `"x": 'y' # — 👩‍👩‍👧\u00a0`, type: "null", body: odd })
    await memory().write("project", "tea", { ...tea, body: "" })
    const before = await Promise.all((await memory().list()).map(({ scope, name }) => memory().read(scope, name)))
    expect(await run("export", folder)).toMatchObject({
      code: 0,
      err: `Wrote 3 files to ${folder}; 0 unchanged.\n`,
    })
    expect(readdirSync(join(folder, "user")).sort()).toEqual(["odd.md", "tea.md"])
    expect(await run("import", folder)).toMatchObject({ code: 0, err: "Imported: 0 new, 0 changed, 3 unchanged.\n" })
    await run("rm", "user/tea", "odd", "project/tea")
    const imported = await run("import", folder)
    expect(imported).toMatchObject({ code: 0, err: "Imported: 3 new, 0 changed, 0 unchanged.\n" })
    const after = await Promise.all((await memory().list()).map(({ scope, name }) => memory().read(scope, name)))
    const said = (list: typeof before) => list.map(({ createdAt: _, updatedAt: __, ...text }) => text)
    expect(said(after)).toEqual(said(before))
    expect(await run("export", folder)).toMatchObject({ err: `Wrote 0 files to ${folder}; 3 unchanged.\n` })
  })

  test("[MEM-7] reports what is new, changed and unchanged; a dry run changes nothing; the other scope is left alone", async () => {
    await memory().write("user", "tea", tea)
    await memory().write("user", "milk", tea)
    await run("export", folder)
    put("user/tea", readFileSync(file("user/tea"), "utf8").replace("Green", "Black"))
    put("project/june", "---\ndescription: Ship\ntype: project\n---\n")
    const dry = await run("import", folder, "--dry-run")
    expect(dry.err).toBe("Would import: 1 new, 1 changed, 1 unchanged.\n")
    expect(dry.out.split("\n").sort()).toEqual(["", "changed  user/tea", "new      project/june", "same     user/milk"])
    expect(await names("project")).toEqual([])
    expect((await run("import", folder, "--scope", "user")).err).toBe("Imported: 0 new, 1 changed, 1 unchanged.\n")
    expect(await names("project")).toEqual([])
    expect((await memory().read("user", "tea")).body).toContain("Black")
    expect((await run("import", folder)).err).toBe("Imported: 1 new, 0 changed, 2 unchanged.\n")
  })

  test("[MEM-7] invalid files are refused by name and line, and then nothing is imported, unless told to keep going", async () => {
    put("user/good", "---\ndescription: Good\ntype: user\n---\nYes.\n")
    put("user/bad", "---\ndescription: Bad\ntype: user\ncolour: red\n---\n")
    put("project/Worse Name", "---\ndescription: Bad\ntype: user\n---\n")
    writeFileSync(file("user/bytes"), Buffer.from([0x2d, 0x2d, 0x2d, 0xff]))
    put("user/long", `---\ndescription: Long\ntype: user\n---\n${"x".repeat(40_000)}`)
    const refused = await run("import", folder)
    expect(refused).toMatchObject({ code: 2, out: "" })
    for (const words of [
      `${file("user/bad")}:4: Unknown field.`,
      `${file("project/Worse Name")}:1: "Worse Name" is not a valid name`,
      `${file("user/bytes")}:1: The file cannot be read`,
      `${file("user/long")}:1: The file cannot be read`,
      "Nothing was imported: 4 files not valid. Use --keep-going to import the others.",
    ])
      expect(refused.err).toContain(words)
    expect(await names()).toEqual([])
    const taken = await run("import", folder, "--keep-going")
    expect(taken).toMatchObject({ code: 5, out: "new      user/good\n" })
    expect(await names()).toEqual(["user/good"])
  })

  test("[MEM-8] an import over the limit is refused before anything is written", async () => {
    for (let i = 0; i < 9; i++) put(`user/pin-${i}`, `---\ndescription: Pin ${i}\ntype: user\npinned: true\n---\n`)
    expect(await run("import", folder)).toMatchObject({
      code: 2,
      err: "Nothing was imported: 9 memories would be pinned in the scope user. The maximum is 8.\n",
    })
    expect(await names()).toEqual([])
    const taken = await run("import", folder, "--keep-going")
    expect(taken).toMatchObject({
      code: 5,
      err: expect.stringContaining("The scope user already has the maximum of 8 pinned memories"),
    })
    expect(taken.out).toContain("refused  user/pin-8\n")
    expect(taken.err).toContain("Imported: 8 new, 0 changed, 0 unchanged, 1 refused.")
    expect(await names()).toHaveLength(8)
  })

  test("[MEM-7] an export reports files without a memory, and removes only what it wrote itself", async () => {
    await memory().write("user", "tea", tea)
    await memory().write("user", "old", tea)
    await memory().write("user", "edited", tea)
    put("user/readme", "# Not a memory at all")
    put("user/own", "---\ndescription: Old\ntype: user\n---\n")
    await run("export", folder)
    put("user/edited", "---\ndescription: Mine now\ntype: user\n---\n")
    await memory().delete("user", "old")
    await memory().delete("user", "edited")
    expect((await run("export", folder)).err).toContain(
      `${file("user/old")} is no longer a memory. Use --prune to remove it.`,
    )
    expect(existsSync(file("user/old"))).toBe(true)
    for (let n = 0; n < 2; n++) {
      const { err } = await run("export", folder, "--prune")
      expect(err.includes(`Removed ${file("user/old")}.`)).toBe(n === 0)
      expect(existsSync(file("user/old"))).toBe(false)
      expect(err).toContain(`${file("user/edited")} has changed since it was exported. It was kept.`)
      for (const name of ["user/readme", "user/own"])
        expect(err).toContain(`${file(name)} is not a memory and was not written by an export. It was kept.`)
      for (const name of ["user/readme", "user/own", "user/edited", "user/tea"])
        expect(existsSync(file(name)), name).toBe(true)
    }
    expect(await run("import", join(folder, "nowhere"))).toMatchObject({
      code: 0,
      err: expect.stringContaining("There are no files to import"),
    })
  })
})
