/**
 * People and a running turn change the same files at once, from two nodes with disks of their own. In whatever order
 * things happen, the rows agree with each other and the disks follow.
 */
import { type ChangeRow, changeOf, emptyRows, type FileRow, fold, type Rows, type TxId } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Agent } from "../agent/agent.ts"
import type { Clock } from "../ports/clock.ts"
import type { Folder } from "../ports/files.ts"
import { silentLog } from "../ports/log.ts"
import type { ModelEvent } from "../ports/model.ts"
import { createRuntime, type Runtime } from "../runtime.ts"
import { countingIds, finish, MemoryFiles, MemorySpool, MemoryStore, says, scriptedModel } from "../testing/index.ts"

const address = { agent: "crab", person: "ana", branch: "main" } as const
const paths = ["a.txt", "b.txt", "c/d.txt", "c/e.txt"] as const
const clock: Clock = {
  now: () => Date.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

type Act =
  | {
      readonly verb: "put"
      readonly node: number
      readonly path: string
      readonly text: string
      readonly seen: boolean
    }
  | { readonly verb: "remove"; readonly node: number; readonly path: string }
  | { readonly verb: "read"; readonly node: number; readonly path: string }
  | { readonly verb: "list"; readonly node: number }

const node = fc.constantFrom(0, 1)
const path = fc.constantFrom(...paths)
const text = fc.constantFrom("one", "two", "three", "four\n", "")
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ verb: fc.constant("put" as const), node, path, text, seen: fc.boolean() }),
  fc.record({ verb: fc.constant("remove" as const), node, path }),
  fc.record({ verb: fc.constant("read" as const), node, path }),
  fc.record({ verb: fc.constant("list" as const), node }),
)
const call: fc.Arbitrary<readonly [string, unknown]> = fc.oneof(
  fc.tuple(fc.constant("write_file"), fc.record({ path, content: text })),
  fc.tuple(fc.constant("delete_file"), fc.record({ path })),
  fc.tuple(fc.constant("move_file"), fc.record({ from: path, to: path })),
  fc.tuple(fc.constant("edit_file"), fc.record({ path, edits: fc.constant([{ old: "o", new: "0" }]) })),
)

describe("files changed from several sides", () => {
  it("[WSP-2] rows, changes, status and disks agree, in any order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(act, { maxLength: 5 }), { minLength: 1, maxLength: 4 }),
        fc.array(call, { maxLength: 6 }),
        fc.infiniteStream(fc.nat({ max: 3 })),
        async (people, calls, waits) => {
          const stage = openStage(calls, () => Number(waits.next().value ?? 0))
          const acked: Acked[] = []
          try {
            await stage.begin()
            await Promise.all(people.map((acts) => carryOut(stage.nodes, acts, acked)))
            await stage.idle()
            await check(stage, acked)
          } finally {
            await stage.close()
          }
        },
      ),
      { numRuns: 60 },
    )
  }, 120_000)
})

type Acked = { readonly path: string; readonly hash: string; readonly was?: string }
type Seat = { readonly runtime: Runtime; readonly files: MemoryFiles }

function openStage(calls: readonly (readonly [string, unknown])[], wait: () => number) {
  const store = new MemoryStore(clock)
  const hold = async () => {
    for (let left = wait(); left > 0; left--) await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const ids = countingIds()
  const nodes = [0, 1].map((index): Seat => {
    const files = new MemoryFiles()
    files.before = hold
    const runtime = createRuntime({
      name: `node${index}`,
      store: store.node({ latency: hold, readLatency: hold, bellMs: () => 1 }),
      files,
      spool: new MemorySpool(),
      clock,
      ids,
      random: { next: () => 0.5 },
      log: silentLog,
      agents: [agent(calls)],
      settings: { drainDelayMs: 0 },
    })
    return { runtime, files }
  })
  const rows = async (): Promise<Rows> => {
    const stream = await store.log.find({ kind: "conversation", ...address })
    const changes = (stream && store.dump(stream.id)?.events) ?? []
    return fold(emptyRows(), changes.map(changeOf))
  }
  return {
    store,
    nodes,
    rows,
    async begin() {
      for (const { runtime } of nodes) await runtime.start()
      const [first] = nodes
      const input = { type: "composer_input", payload: { source: "go" } }
      await first?.runtime.send(address, { ...input, mode: "immediate", source: "person", txid: "tx_begin" as TxId })
    },
    async idle() {
      while ((await rows()).status.get("status")?.turn !== null) await new Promise((resolve) => setTimeout(resolve, 1))
    },
    async close() {
      for (const { runtime } of nodes) await runtime.close()
    },
  }
}

/** All its calls in one step, then a reply. */
function agent(calls: readonly (readonly [string, unknown])[]): Agent {
  const asked = calls.map(
    ([name, input], index): ModelEvent => ({ type: "tool", call: `c${index}`, name, input: JSON.stringify(input) }),
  )
  const model = scriptedModel([...(asked.length > 0 ? [[...asked, finish("tools")]] : []), says("done")])
  const about = { name: "crab", description: "", instructions: "", tools: [], slashCommands: [] }
  return { ...about, model, workspace: true }
}

async function carryOut(nodes: readonly Seat[], acts: readonly Act[], acked: Acked[]): Promise<void> {
  let count = 0
  for (const one of acts) {
    const runtime = (nodes[one.node] as Seat).runtime
    const txid = `tx_${count++}` as TxId
    try {
      if (one.verb === "list") await runtime.files(address, { at: undefined })
      if (one.verb === "read") await runtime.readFile(address, one.path, { at: undefined })
      if (one.verb === "remove") await runtime.removeFile(address, one.path, { txid })
      if (one.verb === "put") {
        const was = one.seen ? await seenAt(runtime, one.path) : undefined
        const content = new TextEncoder().encode(one.text)
        const row = await runtime.writeFile(address, one.path, content, { txid, ...(was === undefined ? {} : { was }) })
        acked.push({ path: row.path, hash: row.hash, ...(was === undefined ? {} : { was }) })
      }
    } catch (error) {
      expect(["file.unknown", "file.changed", "file.exists"]).toContain((error as { code?: string }).code)
    }
  }
}

async function seenAt(runtime: Runtime, path: string): Promise<string | undefined> {
  try {
    return (await runtime.readFile(address, path, { at: undefined })).hash
  } catch {
    return undefined
  }
}

async function check(stage: ReturnType<typeof openStage>, acked: readonly Acked[]): Promise<void> {
  const rows = await stage.rows()
  const changes = [...rows.changes.values()].sort((a, b) => a.ord - b.ord || (a.id < b.id ? -1 : 1))
  const status = rows.status.get("status")
  // In id order, each change begins where the previous one at its path ended.
  const state = new Map<string, string>()
  for (const change of changes) {
    expect(change.before).toBe(state.get(change.path) ?? null)
    if (change.after === null) state.delete(change.path)
    else state.set(change.path, change.after)
    expect(change.by).not.toBe("hand")
  }
  expect([...rows.files.values()].map(({ path, hash }) => [path, hash]).sort()).toEqual([...state].sort())
  expect([...rows.changes.keys()]).toEqual(changes.map(({ id }) => id))
  expect(status).toMatchObject({ files: rows.files.size, latestFile: latestOf(changes, rows.files) })
  for (const { path, hash, was } of acked) {
    const made = changes.filter((change) => change.path === path && change.after === hash)
    if (was !== undefined && was !== hash) expect(made.map(({ before }) => before)).toContain(was)
  }
  await checkDisks(stage, rows)
}

/** The newest that still exists; any of those changed in the same millisecond. */
function latestOf(changes: readonly ChangeRow[], files: ReadonlyMap<string, FileRow>): unknown {
  if (files.size === 0) return null
  const last = changes.at(-1)
  return last !== undefined && last.after !== null ? last.path : expect.toBeOneOf([...files.keys()])
}

/** Once read, each disk has what the rows say, and nothing more is written. */
async function checkDisks(stage: ReturnType<typeof openStage>, rows: Rows): Promise<void> {
  const folder: Folder = { ...address, life: (await firstTxid(stage.store)) ?? "" }
  for (const { runtime, files } of stage.nodes) {
    for (const path of paths) await seenAt(runtime, path)
    const listed = await runtime.files(address, { at: undefined })
    expect(listed.map(({ path, hash }) => [path, hash])).toEqual(
      [...rows.files.values()].map(({ path, hash }) => [path, hash]).sort(),
    )
    expect(files.paths(folder)).toEqual([...rows.files.keys()].sort())
  }
}

async function firstTxid(store: MemoryStore): Promise<string | undefined> {
  const stream = await store.log.find({ kind: "conversation", ...address })
  return stream && store.dump(stream.id)?.events[0]?.txid
}
