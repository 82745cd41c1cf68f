import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startParlor, type TestParlor } from "./parlor.ts"

let parlor: TestParlor
beforeAll(async () => {
  parlor = await startParlor()
})
afterAll(() => parlor.close())

const run = (...args: readonly string[]) => parlor.run(["files", ...args])

describe("parlor files", () => {
  test("[WSP-4] puts, lists, shows and removes files, which are in the data folder", async () => {
    expect(await run()).toMatchObject({ code: 0, out: "", err: "There are no files.\n" })
    expect(await parlor.run(["files", "put", "notes/a.md"], "# Hello\n")).toMatchObject({
      code: 0,
      err: "Wrote notes/a.md, 8 B.\n",
    })
    const local = join(parlor.folder, "local.bin")
    writeFileSync(local, Buffer.from([0, 1, 255]))
    expect(await run("put", "data.bin", local)).toMatchObject({ code: 0 })
    expect((await run()).out).toBe("3 B  person  data.bin\n8 B  person  notes/a.md\n")
    expect(await run("show", "notes/a.md")).toMatchObject({ code: 0, out: "# Hello\n" })
    expect(await run("show", "data.bin")).toMatchObject({ code: 2, err: expect.stringContaining("-o") })
    expect(await run("show", "data.bin", "-o", `${local}.back`)).toMatchObject({ code: 0 })
    expect([...readFileSync(`${local}.back`)]).toEqual([0, 1, 255])
    const disk = join(parlor.folder, "files", "me", "host")
    const home = join(disk, readdirSync(disk)[0] ?? "")
    expect(readFileSync(join(home, "notes", "a.md"), "utf8")).toBe("# Hello\n")
    expect(await run("remove", "data.bin")).toMatchObject({ code: 0, err: "Deleted data.bin.\n" })
    expect(existsSync(join(home, "data.bin"))).toBe(false)
    expect(await run("remove", "data.bin")).toMatchObject({ code: 5, err: expect.stringContaining("no file") })
  })

  test("[WSP-4] an agent's files are listed too, and changes are shown with diffs", async () => {
    const edit = { path: "notes/a.md", edits: [{ old: "Hello", new: "Good morning" }] }
    expect(await parlor.run(["send", `use edit_file ${JSON.stringify(edit)}`])).toMatchObject({ code: 0 })
    expect((await run("show", "notes/a.md")).out).toBe("# Good morning\n")
    const { out } = await run("changes", "-n", "1")
    expect(out).toBe("changed notes/a.md by agent:host\n@@ -1 +1 @@\n-# Hello\n+# Good morning\n")
    const [line] = (await run("changes", "--json")).out.split("\n")
    const { turn } = JSON.parse(line ?? "") as { turn: string }
    expect((await run("changes", "--turn", turn)).out).toBe(out)
    const { messages } = await parlor.sdk.conversation("host").open()
    const asked = messages.find((message) => message.role === "person")?.id ?? ""
    expect((await run("show", "notes/a.md", "--at", asked)).out).toBe("# Hello\n")
    expect((await run("list", "--at", asked)).out).toBe("8 B  notes/a.md\n")
  })

  test("[WSP-1] a path outside of the workspace is refused", async () => {
    for (const path of ["../token", "..", "/etc/passwd", "a/../../token", "con"])
      expect(await run("show", path), path).toMatchObject({ code: 5, out: "", err: expect.stringMatching(/path/) })
  })
})
