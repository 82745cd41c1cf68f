/** Files edited by hand on disk, between and during Parlor's own writes. */
import type { ChangeRow, TxId } from "@parlor/protocol"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Folder } from "../ports/files.ts"
import { silentLog } from "../ports/log.ts"
import { createRuntime, type Runtime } from "../runtime.ts"
import { countingIds, FakeClock, MemoryFiles, MemorySpool, MemoryStore, scriptedModel } from "../testing/index.ts"

const address = { agent: "crab", person: "ana", branch: "main" } as const
const folder: Folder = { ...address, life: "tx_first" }
const txid = "tx_first" as TxId
const now = { at: undefined }

let runtime: Runtime
let files: MemoryFiles

beforeEach(open)
afterEach(() => runtime.close())

async function open(): Promise<void> {
  const clock = new FakeClock()
  files = new MemoryFiles()
  const about = { name: "crab", description: "", instructions: "", tools: [], slashCommands: [] }
  runtime = createRuntime({
    store: new MemoryStore(clock),
    files,
    spool: new MemorySpool(),
    clock,
    ids: countingIds(),
    random: { next: () => 0.5 },
    log: silentLog,
    agents: [{ ...about, model: scriptedModel([]), workspace: true }],
  })
  await runtime.make(address, txid)
}

const put = (path: string, text: string) => runtime.writeFile(address, path, new TextEncoder().encode(text), { txid })
const changes = async () =>
  (await runtime.fileChanges(address, { turn: undefined, cursor: undefined, limit: 500 })).changes
const texts = async () => (await changes()).map((change: ChangeRow) => `${change.by} ${change.path}`).reverse()

async function seen(path: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode((await runtime.readFile(address, path, now)).content)
  } catch (error) {
    expect((error as { code?: string }).code).toBe("file.unknown")
    return undefined
  }
}

type Act =
  | { readonly verb: "put" | "remove" | "hand" | "handRemove" | "read"; readonly path: string }
  | { readonly verb: "lose" }

const paths = ["a.txt", "b/c.txt"] as const
const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({
        verb: fc.constantFrom("put", "remove", "hand", "hand", "handRemove", "read"),
        path: fc.constantFrom(...paths),
      }),
    },
    { weight: 1, arbitrary: fc.record({ verb: fc.constant("lose" as const) }) },
  ),
  { maxLength: 25 },
)

describe("files edited by hand", () => {
  it("[WSP-7] are read, are recorded before they are overwritten, and are restored to a disk that lost them (WSP-3)", async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (list) => {
        await runtime.close()
        await open()
        /** What the store has, what the disk has, and which of that was created by hand. */
        const rows = new Map<string, string>()
        const disk = new Map<string, { text: string; byHand: boolean }>()
        const overwritten: string[] = []
        let count = 0
        for (const act of list) {
          count += 1
          if (act.verb === "lose") {
            files.lose(folder)
            disk.clear()
            continue
          }
          const { path } = act
          const hand = disk.get(path)?.byHand ? disk.get(path)?.text : undefined
          const visible = hand ?? rows.get(path)
          if (act.verb === "hand") {
            files.byHand(folder, path, `hand ${count}`)
            disk.set(path, { text: `hand ${count}`, byHand: true })
          } else if (act.verb === "handRemove") {
            files.byHand(folder, path, undefined)
            disk.delete(path)
          } else if (act.verb === "read") {
            expect(await seen(path)).toBe(visible)
            if (hand === undefined && visible !== undefined) disk.set(path, { text: visible, byHand: false })
          } else if (act.verb === "put") {
            await put(path, `put ${count}`)
            if (hand !== undefined) overwritten.push(hand)
            rows.set(path, `put ${count}`)
            disk.set(path, { text: `put ${count}`, byHand: false })
          } else {
            const removing = runtime.removeFile(address, path, { txid })
            if (visible === undefined) await expect(removing).rejects.toMatchObject({ code: "file.unknown" })
            else await removing
            if (hand !== undefined) overwritten.push(hand)
            rows.delete(path)
            disk.delete(path)
          }
          expect(files.text(folder, path)).toBe(disk.get(path)?.text)
        }
        for (const path of paths)
          expect(await seen(path)).toBe(disk.get(path)?.byHand ? disk.get(path)?.text : rows.get(path))
        const recorded = (await changes()).filter(({ by }) => by === "hand").reverse()
        expect(recorded.map(({ diff }) => /^\+(.*)$/m.exec(diff ?? "")?.[1])).toEqual(overwritten)
      }),
      { numRuns: 150 },
    )
  }, 60_000)

  it("[WSP-7] an edit by hand is recorded once, even if two overwrite it at the same moment", async () => {
    await put("a.txt", "first")
    files.byHand(folder, "a.txt", "by hand")
    await Promise.all([put("a.txt", "one"), put("a.txt", "two")])
    expect(await texts()).toEqual(["person a.txt", "hand a.txt", "person a.txt", "person a.txt"])
    const [last] = await changes()
    expect(files.text(folder, "a.txt")).toBe(await seen("a.txt"))
    expect(last?.before).not.toBeNull()
  })

  it("[WSP-7] are listed, new ones and changed ones, and listing writes no row", async () => {
    await put("a.txt", "first")
    files.byHand(folder, "a.txt", "other", 77)
    files.byHand(folder, "new.txt", "new", 78)
    files.byHand(folder, "bad\\name", "left out")
    const listed = await runtime.files(address, now)
    expect(listed).toMatchObject([
      { path: "a.txt", bytes: 5, by: "hand", turn: null, at: 77 },
      { path: "new.txt", bytes: 3, by: "hand", hash: null, at: 78 },
    ])
    expect(await texts()).toEqual(["person a.txt"])
  })

  it("[WSP-7] one too large to store is never read and never overwritten", async () => {
    await put("a.txt", "first")
    files.byHand(folder, "a.txt", "x".repeat(10 * 1024 * 1024 + 1))
    await expect(runtime.readFile(address, "a.txt", now)).rejects.toMatchObject({ code: "file.too-large" })
    await expect(put("a.txt", "second")).rejects.toMatchObject({ code: "file.too-large" })
    await expect(runtime.removeFile(address, "a.txt", { txid })).rejects.toMatchObject({ code: "file.too-large" })
    expect(await texts()).toEqual(["person a.txt"])
    expect(files.text(folder, "a.txt")).toHaveLength(10 * 1024 * 1024 + 1)
  })

  it("[WSP-3] a disk failure loses no file", async () => {
    await put("a.txt", "first")
    files.before = (verb) => {
      if (verb !== "clear") throw Object.assign(new Error("no space"), { code: "ENOSPC" })
    }
    await put("a.txt", "second")
    await put("b.txt", "new")
    expect(await seen("a.txt")).toBe("second")
    expect((await runtime.files(address, now)).map(({ path }) => path)).toEqual(["a.txt", "b.txt"])
    files.before = undefined
    expect(files.text(folder, "a.txt")).toBe("first")
    expect(await seen("a.txt")).toBe("second")
    expect(files.text(folder, "a.txt")).toBe("second")
    expect(await texts()).toEqual(["person a.txt", "person a.txt", "person b.txt"])
  })

  it("[SEC-11] a deleted conversation leaves nothing on disk, and a later one with its name has none of it", async () => {
    await put("a.txt", "first")
    files.byHand(folder, "own.txt", "by hand")
    await runtime.remove(address, { branches: [], txid })
    expect(files.paths(folder)).toEqual([])
    await runtime.make(address, "tx_second" as TxId)
    expect(await runtime.files(address, now)).toEqual([])
  })
})
