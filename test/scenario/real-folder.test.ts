/** An agent that works in a folder of the operator's: a real repository on a real disk. */
import { execFileSync } from "node:child_process"
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defineAgent } from "@parlor/agent"
import { openFiles } from "@parlor/files"
import { openSandbox } from "@parlor/sandbox"
import { type ScenarioOptions, type Scene, scenario } from "@parlor/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

const sandbox = openSandbox({ kind: "bubblewrap" })
const unavailable = await sandbox.unavailable()
const address = { agent: "coder", person: "ana", branch: "main" } as const
let home: string
let folder: string
let talk: Scene

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "parlor-folder-"))
  folder = join(home, "repository")
  await mkdir(join(folder, "src"), { recursive: true })
  await mkdir(join(folder, "build"))
  await writeFile(join(folder, ".gitignore"), "build/\n*.log\n")
  await writeFile(join(folder, "README.md"), "# Mine\n")
  await writeFile(join(folder, "src", "main.js"), "console.log(1)\n")
  await writeFile(join(folder, "src", "other.js"), "console.log(2)\n")
  await writeFile(join(folder, "build", "out.js"), "built\n")
  await writeFile(join(folder, "run.sh"), "echo hi\n")
  await chmod(join(folder, "run.sh"), 0o755)
  execFileSync("git", ["-C", folder, "init", "-q"])
})
afterEach(async () => {
  await talk?.close()
  await rm(home, { recursive: true, force: true })
})

async function open(model: ScenarioOptions["model"], files = openFiles({ root: join(home, "data") })): Promise<void> {
  const coder = defineAgent({ name: "coder", workspace: { folder }, run: { approval: "never" } })
  talk = await scenario([coder], { model: model ?? [], files, sandbox })
}

const read = (path: string) => readFile(join(folder, path), "utf8")
const files = async () => (await talk.rows()).files

async function rollBack(): Promise<void> {
  const first = (await talk.messages()).find(({ role }) => role === "person")
  await talk.runtime.rollBack(address, { to: first?.id ?? "", scope: "both", edit: false, txid: talk.runtime.txid() })
  await talk.settled()
}

/** Everything about every file but those named. */
async function state(...without: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const all: Record<string, string> = {}
  for (const path of ["README.md", "src/main.js", "src/other.js", "build/out.js", "run.sh", ".gitignore"]) {
    if (without.includes(path)) continue
    const { mtimeMs, ino, mode, size } = await lstat(join(folder, path))
    all[path] = [mtimeMs, ino, mode, size].join(" ")
  }
  return all
}

describe("a folder of the operator's as workspace", () => {
  it("[WSP-8] a file that the agent overwrites comes back as it was; files it never touched are never changed", async () => {
    await open([
      { call: "write_file", input: { path: "README.md", content: "# The agent's\n" } },
      { call: "write_file", input: { path: "src/new.js", content: "new\n" } },
      "Done.",
    ])
    const before = await state("README.md")
    await talk.send("Write")
    expect(await read("README.md")).toBe("# The agent's\n")
    expect(await read("src/new.js")).toBe("new\n")
    expect([...(await files()).keys()].sort()).toEqual(["README.md", "src/new.js"])
    expect(await state("README.md")).toEqual(before)
    await rollBack()
    expect(await read("README.md")).toBe("# Mine\n")
    expect(await readdir(join(folder, "src"))).toEqual(["main.js", "other.js"])
    expect(await state("README.md")).toEqual(before)
  })

  it("[WSP-8] rights of files are kept", async () => {
    await open([{ call: "write_file", input: { path: "run.sh", content: "echo bye\n" } }, "Done."])
    await talk.send("Write")
    expect((await lstat(join(folder, "run.sh"))).mode & 0o777).toBe(0o755)
  })

  it("[WSP-8] a file that a person deletes stays deleted, and is not listed or read", async () => {
    await open([
      { call: "write_file", input: { path: "notes.txt", content: "notes" } },
      "Done.",
      { call: "read_file", input: { path: "notes.txt" } },
      { call: "list_files", input: {} },
      "Gone.",
    ])
    await talk.send("Write")
    await rm(join(folder, "notes.txt"))
    await talk.send("Read")
    const tools = (await talk.messages()).flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))
    expect(tools[1]).toMatchObject({ name: "read_file", state: "failed" })
    expect(JSON.stringify(tools[2])).not.toContain("notes.txt")
    expect(JSON.stringify(tools[2])).toContain("src/main.js")
    await expect(read("notes.txt")).rejects.toThrow("ENOENT")
  })

  it("[WSP-9] the repository's own folder is out of reach, ignored files are not listed, and links are not followed", async () => {
    await symlink("/etc", join(folder, "etc"))
    await open([
      { call: "write_file", input: { path: ".git/hooks/pre-commit", content: "echo" } },
      { call: "read_file", input: { path: ".git/config" } },
      { call: "read_file", input: { path: "etc/hostname" } },
      { call: "list_files", input: {} },
      "Done.",
    ])
    await talk.send("Try")
    const tools = (await talk.messages()).flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))
    expect(tools.map(({ state }) => state)).toEqual(["failed", "failed", "failed", "done"])
    expect(JSON.stringify(tools[3])).not.toMatch(/build|\.git\/|etc/)
    expect(await readdir(join(folder, ".git", "hooks"))).not.toContain("pre-commit")
  })

  it("[WSP-8] deleting the conversation leaves the folder alone", async () => {
    await open([{ call: "write_file", input: { path: "a.txt", content: "a" } }, "Done."])
    await talk.send("Write")
    await talk.runtime.remove(address, { txid: talk.runtime.txid() } as never)
    expect(await read("a.txt")).toBe("a")
    expect(await read("README.md")).toBe("# Mine\n")
  })
})

describe.skipIf(unavailable !== undefined)(
  `commands there${unavailable === undefined ? "" : ` (${unavailable})`}`,
  () => {
    it("[WSP-8, WSP-9, SBX-3] what a command changes, creates and deletes is recorded and restored; ignored files are not", async () => {
      const command =
        "echo changed > src/main.js; rm src/other.js; echo new > src/new.js; echo built > build/more.js; echo x > .git/evil"
      await open([{ call: "run", input: { command } }, "Done."])
      const before = await state("src/main.js", "src/other.js")
      await talk.send("Work")
      expect(await read("src/main.js")).toBe("changed\n")
      expect(await readdir(join(folder, "src"))).toEqual(["main.js", "new.js"])
      const changes = [...(await talk.rows()).changes.values()]
      const byAgent = changes.filter(({ by }) => by === "agent:coder").map(({ path }) => path)
      expect(byAgent.sort()).toEqual(["src/main.js", "src/new.js", "src/other.js"])
      expect(await readdir(join(folder, ".git"))).not.toContain("evil")
      expect(await read("build/more.js")).toBe("built\n")
      expect(await state("src/main.js", "src/other.js")).toEqual(before)
      await rollBack()
      expect(await read("src/main.js")).toBe("console.log(1)\n")
      expect(await read("src/other.js")).toBe("console.log(2)\n")
      expect(await readdir(join(folder, "src"))).toEqual(["main.js", "other.js"])
      expect(await state("src/main.js", "src/other.js")).toEqual(before)
    })

    it("[WSP-8] a second command, after a person's edits: the edits are theirs, and a rollback keeps to what the agent did", async () => {
      await open([
        { call: "run", input: { command: "echo one > src/main.js" } },
        "One.",
        { call: "run", input: { command: "echo two >> src/main.js; echo two > src/other.js" } },
        "Two.",
      ])
      await talk.send("One")
      await writeFile(join(folder, "src", "other.js"), "edited by a person\n")
      await writeFile(join(folder, "README.md"), "# Edited\n")
      await talk.send("Two")
      expect(await read("src/main.js")).toBe("one\ntwo\n")
      await rollBack()
      expect(await read("src/main.js")).toBe("console.log(1)\n")
      expect(await read("src/other.js")).toBe("edited by a person\n")
      expect(await read("README.md")).toBe("# Edited\n")
    })

    it("[WSP-7, WSP-8] a person's revert of what a command changed is an edit by hand, even if the disk failed meanwhile", async () => {
      const disk = openFiles({ root: join(home, "data") })
      let adopted = 0
      const failing = new Proxy(disk, {
        get(target, name) {
          if (name !== "adopt") return Reflect.get(target, name).bind(target)
          return async (...of: Parameters<typeof disk.adopt>) => {
            adopted += 1
            if (adopted > 1) throw Object.assign(new Error("full"), { code: "ENOSPC" })
            await disk.adopt(...of)
          }
        },
      })
      await open(
        [
          { call: "run", input: { command: "echo changed > src/main.js" } },
          "Done.",
          { call: "run", input: { command: "true" } },
          "Done.",
        ],
        failing,
      )
      await talk.send("Work")
      await writeFile(join(folder, "src", "main.js"), "console.log(1)\n")
      await talk.send("Work again")
      expect(await read("src/main.js")).toBe("console.log(1)\n")
      expect((await files()).get("src/main.js")).toMatchObject({ by: "hand" })
    })

    it("[WSP-10] a folder with too many files is refused for commands, with the reason, and stays as it is", async () => {
      await mkdir(join(folder, "many"))
      const writes = Array.from({ length: 5_001 }, (_, n) => writeFile(join(folder, "many", `${n}.txt`), ""))
      await Promise.all(writes)
      await open([{ call: "run", input: { command: "rm -r many" } }, "No."])
      await talk.send("Work")
      const [tool] = (await talk.messages()).flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))
      expect(tool).toMatchObject({
        state: "failed",
        error: { detail: expect.stringContaining("more than 5000 files") },
      })
      expect(await readdir(join(folder, "many"))).toHaveLength(5_001)
    })
  },
)
