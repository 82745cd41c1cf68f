/** Files an agent and people work on, on a real store and a real disk. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Files } from "@parlor/core"
import { calls, finish, gate, type Script, says } from "@parlor/core/testing"
import { openFiles } from "@parlor/files"
import type { ToolPart } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { address, openStage, type Stage, type StageOptions, txid } from "./stage.ts"

let folder: string
const stages: Stage[] = []
const now = { at: undefined }

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(options: StageOptions & { readonly again?: boolean } = {}): Promise<Stage> {
  if (!options.again) folder = await mkdtemp(join(tmpdir(), "parlor-workspace-"))
  const files = options.files ?? openFiles({ root: join(folder, "files") })
  const stage = await openStage({ ...options, folder, files, agent: { workspace: true, ...options.agent } })
  stages.push(stage)
  return stage
}

/** The process is gone; its store and its disk are not. */
async function reopen(options: StageOptions = {}): Promise<Stage> {
  for (const stage of stages.splice(0)) await stage.close()
  return open({ ...options, again: true })
}

/** Where the conversation's files lie. */
function home(): string {
  const place = join(folder, "files", "ana", "crab")
  return join(place, readdirSync(place)[0] ?? "")
}

const put = (stage: Stage, path: string, text: string) =>
  stage.runtime.writeFile(address, path, Buffer.from(text), { txid })
const text = async (stage: Stage, path: string, at?: string) =>
  Buffer.from((await stage.runtime.readFile(address, path, { at })).content).toString()
const tools = async (stage: Stage): Promise<readonly ToolPart[]> =>
  [...(await stage.rows()).messages.values()].flatMap((row) => row.parts.filter((part) => part.type === "tool"))
const several = (...list: readonly (readonly [string, unknown])[]): Script => [
  ...list.map(
    ([name, input], index) => ({ type: "tool", call: `c${index}`, name, input: JSON.stringify(input) }) as const,
  ),
  finish("tools"),
]

describe("the tools of a workspace", () => {
  it("[WSP-2] write, read, edit, list, search, move and delete files, each change an event with its content kept", async () => {
    const stage = await open({
      scripts: [
        several(
          ["write_file", { path: "notes/plan.md", content: "# Plan\nfirst\nsecond\n" }],
          ["edit_file", { path: "notes/plan.md", edits: [{ old: "first", new: "1st" }] }],
          ["read_file", { path: "notes/plan.md", from: 2, to: 2 }],
          ["write_file", { path: "b.txt", content: "The PLAN b" }],
          ["list_files", {}],
          ["list_files", { path: "notes" }],
          ["search_files", { query: "plan" }],
          ["move_file", { from: "b.txt", to: "notes/c.txt" }],
          ["delete_file", { path: "notes/plan.md" }],
          ["list_files", {}],
        ),
        says("Done."),
      ],
    })
    const { turn } = await stage.send("Work")
    const rows = await stage.idle()
    expect((await tools(stage)).map(({ output, error }) => output ?? error)).toEqual([
      { path: "notes/plan.md", bytes: 20 },
      { path: "notes/plan.md", bytes: 18, edits: 1 },
      { path: "notes/plan.md", lines: 3, from: 2, to: 2, content: "1st" },
      { path: "b.txt", bytes: 10 },
      {
        files: [
          { path: "b.txt", bytes: 10, by: "agent:crab" },
          { path: "notes/plan.md", bytes: 18, by: "agent:crab" },
        ],
      },
      { files: [{ path: "notes/plan.md", bytes: 18, by: "agent:crab" }] },
      {
        matches: [
          { path: "b.txt", line: 1, text: "The PLAN b" },
          { path: "notes/plan.md", line: 1, text: "# Plan" },
        ],
      },
      { from: "b.txt", to: "notes/c.txt" },
      { path: "notes/plan.md", deleted: true },
      { files: [{ path: "notes/c.txt", bytes: 10, by: "agent:crab" }] },
    ])
    expect([...rows.files.values()]).toMatchObject([{ path: "notes/c.txt", by: "agent:crab", turn }])
    expect(rows.status.get("status")).toMatchObject({ files: 1, latestFile: "notes/c.txt" })
    const [feed] = (await stage.runtime.list("ana", listing)).conversations
    expect(feed?.latestFile).toBe("notes/c.txt")
    const made = [...rows.changes.values()]
    expect(made.map(({ path, turn: of }) => [path, of])).toEqual(
      ["notes/plan.md", "notes/plan.md", "b.txt", "b.txt", "notes/c.txt", "notes/plan.md"].map((path) => [path, turn]),
    )
    for (const { before, after } of made)
      for (const hash of [before, after]) if (hash !== null) expect(await stage.store.blobs.get(hash)).toBeDefined()
    expect(readFileSync(join(home(), "notes", "c.txt"), "utf8")).toBe("The PLAN b")
    expect(readdirSync(home())).toEqual(["notes"])
  })

  it("[WSP-2] say clearly what cannot be done, and go on", async () => {
    const stage = await open({
      scripts: [
        several(
          ["write_file", { path: "../out.txt", content: "x" }],
          ["read_file", { path: "none.txt" }],
          ["write_file", { path: "a.txt", content: "one one" }],
          ["edit_file", { path: "a.txt", edits: [{ old: "one", new: "1" }] }],
          ["edit_file", { path: "a.txt", edits: [{ old: "two", new: "2" }] }],
          ["move_file", { from: "a.txt", to: "a.txt" }],
          ["delete_file", { path: "none.txt" }],
          ["write_file", { path: "A.txt", content: "x" }],
        ),
        says("Done."),
      ],
    })
    await stage.send("Try")
    await stage.idle()
    const said = (await tools(stage)).map(({ state, error }) => `${state}: ${error?.detail ?? ""}`)
    expect(said).toEqual([
      expect.stringMatching(/^failed: "..\/out.txt" cannot be the path of a file: it has the segment "..".$/),
      'failed: There is no file "none.txt".',
      "done: ",
      expect.stringMatching(/more than once.*Nothing was changed/),
      expect.stringMatching(/was not found.*Nothing was changed/),
      expect.stringMatching(/is already its path/),
      'failed: There is no file "none.txt".',
      expect.stringMatching(/a.txt is in the way/),
    ])
    expect([...(await stage.rows()).changes.values()]).toHaveLength(1)
  })

  it("[WSP-2] tell a binary file as such, and see what people put there by hand", async () => {
    const stage = await open({
      scripts: [several(["read_file", { path: "bin" }], ["read_file", { path: "by-hand.txt" }]), says("ok")],
    })
    await stage.runtime.writeFile(address, "bin", Buffer.from([1, 0, 255]), { txid })
    writeFileSync(join(home(), "by-hand.txt"), "Hello from the editor")
    await stage.send("Read")
    await stage.idle()
    expect((await tools(stage)).map(({ output }) => output)).toEqual([
      { path: "bin", bytes: 3, binary: true },
      { path: "by-hand.txt", lines: 1, from: 1, to: 1, content: "Hello from the editor" },
    ])
  })

  it("are there for agents that have a workspace, and for no others", async () => {
    const stage = await open({ scripts: [says("ok")], agent: { workspace: false } })
    await stage.send("Hi")
    await stage.idle()
    expect(stage.model.requests[0]?.tools).toEqual([])
  })

  it("[TRN-4] a write that a stop overtakes does not happen", async () => {
    const entered = gate()
    const held = gate()
    const files: Files = {
      ...openFiles({ root: join(tmpdir(), "never-made") }),
      read: async () => {
        entered.open()
        await held.opened
        return undefined
      },
      write: async () => {},
      list: async () => [],
      clear: async () => {},
    }
    const stage = await open({ scripts: [calls("write_file", { path: "a.txt", content: "late" })], files })
    const { turn } = await stage.send("Write")
    await entered.opened
    await stage.runtime.stop(address, { turn, onQueue: "hold", txid })
    held.open()
    await stage.runtime.files(address, now)
    await expect(put(stage, "b.txt", "after")).resolves.toMatchObject({ path: "b.txt" })
    expect([...(await stage.rows()).files.keys()]).toEqual(["b.txt"])
  })
})

describe("the disk and the store", () => {
  it("[WSP-3] when the folder is gone, files come back, each when it is looked at and not before", async () => {
    const stage = await open()
    await put(stage, "a.txt", "A")
    await put(stage, "b/c.txt", "C")
    rmSync(join(folder, "files"), { recursive: true })
    expect((await stage.runtime.files(address, now)).map(({ path }) => path)).toEqual(["a.txt", "b/c.txt"])
    expect(existsSync(join(folder, "files", "ana"))).toBe(false)
    expect(await text(stage, "b/c.txt")).toBe("C")
    expect(readFileSync(join(home(), "b", "c.txt"), "utf8")).toBe("C")
    expect(readdirSync(home())).toEqual(["b"])
    const again = await reopen({ scripts: [calls("read_file", { path: "a.txt" }), says("ok")] })
    await again.send("Read")
    await again.idle()
    expect((await tools(again))[0]).toMatchObject({ state: "done", output: { content: "A" } })
    expect(readFileSync(join(home(), "a.txt"), "utf8")).toBe("A")
  })

  it("[WSP-3] without a disk, files live in the store alone", async () => {
    const stage = await open()
    await put(stage, "a.txt", "A")
    for (const one of stages.splice(0)) await one.close()
    const bare = await openStage({ folder, agent: { workspace: true } })
    stages.push(bare)
    expect(await text(bare, "a.txt")).toBe("A")
    await put(bare, "a.txt", "AA")
    expect(await text(bare, "a.txt")).toBe("AA")
  })

  it.each(["write", "remove"] as const)(
    "[WSP-3] killed between the store and the disk (%s), the disk follows the store when next looked at",
    async (verb) => {
      const first = await open()
      await put(first, "a.txt", "before")
      const real = openFiles({ root: join(folder, "files") })
      // As far as the store knows it was done; the process never came to the disk.
      const stuck: Files = { ...real, [verb]: () => new Promise<void>(() => {}) }
      const stage = await reopen({ files: stuck })
      const isWrite = verb === "write"
      void (isWrite ? put(stage, "a.txt", "after") : stage.runtime.removeFile(address, "a.txt", { txid }))
      await stage.until((rows) => rows.changes.size === 2)
      expect(readFileSync(join(home(), "a.txt"), "utf8")).toBe("before")
      const again = await reopen()
      if (isWrite) expect(await text(again, "a.txt")).toBe("after")
      else await expect(text(again, "a.txt")).rejects.toMatchObject({ code: "file.unknown" })
      expect(existsSync(join(home(), "a.txt"))).toBe(isWrite)
      if (isWrite) expect(readFileSync(join(home(), "a.txt"), "utf8")).toBe("after")
      // It was nobody's hand.
      expect([...(await again.rows()).changes.values()].map(({ by }) => by)).toEqual(["person", "person"])
    },
  )

  it("[TRN-7] a write that a crash cut off is made again, and is one change all the same", async () => {
    const script = calls("write_file", { path: "a.txt", content: "once" })
    await open({ scripts: [script] })
    const real = openFiles({ root: join(folder, "files") })
    const stage = await reopen({ scripts: [script], files: { ...real, write: () => new Promise<void>(() => {}) } })
    await stage.send("Write")
    await stage.until((rows) => rows.changes.size === 1)
    const again = await reopen({ scripts: [says("Written.")] })
    await again.idle()
    expect(await again.transcript()).toEqual([
      "person: Write",
      'agent: [write_file done: {"path":"a.txt","bytes":4}]',
      "agent: Written.",
    ])
    expect((await again.rows()).changes.size).toBe(1)
    expect(readFileSync(join(home(), "a.txt"), "utf8")).toBe("once")
  })

  it("[WSP-7] what was edited by hand is kept before an agent overwrites it", async () => {
    const stage = await open({ scripts: [calls("write_file", { path: "a.txt", content: "agent" }), says("ok")] })
    await put(stage, "a.txt", "person")
    writeFileSync(join(home(), "a.txt"), "by hand")
    expect(await text(stage, "a.txt")).toBe("by hand")
    await stage.send("Write")
    const rows = await stage.idle()
    const made = [...rows.changes.values()]
    expect(made.map(({ by }) => by)).toEqual(["person", "hand", "agent:crab"])
    expect(Buffer.from((await stage.store.blobs.get(made[1]?.after ?? "")) ?? []).toString()).toBe("by hand")
    expect(readFileSync(join(home(), "a.txt"), "utf8")).toBe("agent")
  })

  it("[WSP-1] what stands in the way on disk is refused before anything is decided", async () => {
    const stage = await open()
    await put(stage, "a.txt", "A")
    mkdirSync(join(home(), "folder"))
    await expect(put(stage, "folder", "x")).rejects.toMatchObject({ code: "file.clash" })
    expect((await stage.rows()).changes.size).toBe(1)
  })

  it("[SEC-11] deleting the conversation deletes its folder", async () => {
    const stage = await open()
    await put(stage, "a.txt", "A")
    writeFileSync(join(home(), "by-hand.txt"), "x")
    await stage.runtime.remove(address, { branches: [], txid })
    expect(existsSync(join(folder, "files", "ana"))).toBe(false)
    expect(readdirSync(join(folder, "files", ".parlor", "written"))).toEqual([])
  })
})

describe("earlier states", () => {
  it("[WSP-2] every state at an earlier message is rebuilt from the store alone", async () => {
    const stage = await open({
      scripts: [
        several(["write_file", { path: "a.txt", content: "1" }], ["write_file", { path: "b.txt", content: "1" }]),
        says("one"),
        several(
          ["edit_file", { path: "a.txt", edits: [{ old: "1", new: "2" }] }],
          ["delete_file", { path: "b.txt" }],
          ["write_file", { path: "c.txt", content: "2" }],
          ["edit_file", { path: "a.txt", edits: [{ old: "2", new: "22" }] }],
        ),
        says("two"),
        says("three"),
      ],
    })
    const sent: string[] = []
    const states: (readonly (readonly [string, string])[])[] = []
    for (const words of ["first", "second", "third"]) {
      states.push([...(await stage.rows()).files.values()].map(({ path, hash }) => [path, hash] as const).sort())
      sent.push((await stage.send(words)).message)
      await stage.idle()
      if (words === "second") await put(stage, "between.txt", "person")
    }
    rmSync(join(folder, "files"), { recursive: true })
    for (const [index, at] of sent.entries()) {
      const files = await stage.runtime.files(address, { at })
      expect(files.map(({ path, hash }) => [path, hash])).toEqual(states[index])
    }
    expect(states.map((state) => state.map(([path]) => path))).toEqual([
      [],
      ["a.txt", "b.txt"],
      ["a.txt", "between.txt", "c.txt"],
    ])
    expect(await text(stage, "a.txt", sent[1])).toBe("1")
    expect(await text(stage, "a.txt", sent[2])).toBe("22")
    expect((await stage.runtime.files(address, { at: sent[1] })).map(({ bytes }) => bytes)).toEqual([1, 1])
    await expect(stage.runtime.readFile(address, "c.txt", { at: sent[1] })).rejects.toMatchObject({
      code: "file.unknown",
    })
    await expect(stage.runtime.files(address, { at: "msg_none" })).rejects.toMatchObject({ code: "message.unknown" })
  })

  it("[WSP-4] the changes of a turn are shown with diffs, one for each file", async () => {
    const stage = await open({
      scripts: [
        several(
          ["edit_file", { path: "a.txt", edits: [{ old: "two", new: "2" }] }],
          ["write_file", { path: "gone.txt", content: "x" }],
          ["edit_file", { path: "a.txt", edits: [{ old: "three", new: "3" }] }],
          ["delete_file", { path: "gone.txt" }],
          ["delete_file", { path: "bin" }],
        ),
        says("ok"),
      ],
    })
    await put(stage, "a.txt", "one\ntwo\nthree\n")
    await stage.runtime.writeFile(address, "bin", Buffer.from([0, 1]), { txid })
    const { turn = "" } = await stage.send("Edit")
    await stage.idle()
    await put(stage, "a.txt", "later")
    const all = { cursor: undefined, limit: 100 }
    const { changes } = await stage.runtime.fileChanges(address, { turn, ...all })
    expect(changes.map(({ path, diff, turn: of }) => ({ path, diff, of }))).toEqual([
      { path: "a.txt", diff: "@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+3", of: turn },
      { path: "bin", diff: null, of: turn },
    ])
    const first = await stage.runtime.fileChanges(address, { turn: undefined, cursor: undefined, limit: 5 })
    expect(first.changes.map(({ path }) => path)).toEqual(["a.txt", "bin", "gone.txt", "a.txt", "gone.txt"])
    const rest = await stage.runtime.fileChanges(address, { turn: undefined, cursor: first.cursor ?? "", limit: 5 })
    expect(rest).toMatchObject({ changes: [{ path: "a.txt" }, { path: "bin" }, { path: "a.txt" }], cursor: null })
    await expect(stage.runtime.fileChanges(address, { turn: "trn_none", ...all })).rejects.toMatchObject({
      code: "turn.unknown",
    })
    await expect(stage.runtime.fileChanges(address, { turn: undefined, cursor: "no", limit: 5 })).rejects.toMatchObject(
      { code: "cursor.invalid" },
    )
  })
})

const listing = { agent: undefined, archived: false, ephemeral: false, cursor: undefined, limit: 10 }
