/** A process that is killed while it trims logs and frees a deleted conversation leaves both as before a slice. */
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { RowChange, Store } from "@parlor/core"
import { changeOf, emptyRows, fold, type StreamId, type TxId } from "@parlor/protocol"
import { openSqlite } from "@parlor/store"
import { expect, test } from "vitest"
import { rounds } from "../support/rounds.ts"
import { chooseSeed, seededRandom } from "./random.ts"

const ROUNDS = rounds({ usual: 4, long: 60 })
const MESSAGES = 60
const DELTAS = 80

test(`[LOG-38] [LOG-24] ${ROUNDS} kills within slices lose nothing`, {
  timeout: 60_000 + ROUNDS * 20_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "parlor-trim-kill-"))
  const path = join(folder, "parlor.db")
  const random = seededRandom(chooseSeed("kills while trimming"))
  try {
    const store = await openSqlite({ path })
    const [kept, gone] = [await fill(store, "kept"), await fill(store, "gone")]
    const rows = await rowsOf(store, kept)
    await store.log.remove(gone, {})
    await store.close()
    for (let round = 0; round < ROUNDS; round++) {
      await killed(path, random.int(0, 25))
      const again = await openSqlite({ path })
      expect(await rowsOf(again, kept)).toEqual(rows)
      const page = await again.log.events(kept, 0, { count: 1_000_000, bytes: Number.MAX_SAFE_INTEGER })
      const folded = fold(emptyRows(), (page?.changes ?? []).map(changeOf))
      expect([...folded.messages.keys()].sort()).toEqual(rows.map(({ key }) => key))
      expect(folded.deltas.size).toBe(0)
      expect(await again.log.read(gone, [])).toBeUndefined()
      await again.close()
    }
    const last = await openSqlite({ path })
    while ((await last.log.trim({ graceMs: -60_000 })).more);
    while (await last.log.freeSlice());
    const page = await last.log.events(kept, 0, { count: 1_000_000, bytes: Number.MAX_SAFE_INTEGER })
    expect(page?.changes).toHaveLength(2 * MESSAGES)
    expect(page?.head).toBe(MESSAGES * (DELTAS + 2))
    expect(await last.usage.stored("gone")).toMatchObject({ conversations: 0, conversationBytes: 0 })
    await last.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

async function fill(store: Store, person: string): Promise<StreamId> {
  const { id } = await store.log.ensure({ kind: "conversation", agent: "host", person, branch: "main" })
  for (let m = 0; m < MESSAGES; m++) {
    const key = `m${String(m).padStart(3, "0")}`
    const row = (state: string): RowChange => ({
      collection: "messages",
      key,
      operation: state === "done" ? "update" : "insert",
      value: JSON.stringify({ id: key, ord: m, state, parts: [] }),
      ord: m,
      ...(state === "done" ? { dropsDeltasOf: key } : {}),
    })
    const deltas = Array.from({ length: DELTAS }, (_, n): RowChange => {
      const value = JSON.stringify({ message: key, part: 0, kind: "text", n, text: "word ".repeat(20) })
      return { collection: "deltas", key: `${key}/0/${n}`, operation: "insert", value, ord: null }
    })
    const changes = [row("streaming"), ...deltas, row("done")]
    await store.log.commit([{ stream: id, changes, txid: `tx${m}` as TxId, at: m }])
  }
  return id
}

async function rowsOf(store: Store, stream: StreamId) {
  return (await store.log.read(stream, [{ collection: "messages" }]))?.lists[0] ?? []
}

/** Another process that does slices until it is killed, this long after it began. */
async function killed(path: string, afterMs: number): Promise<void> {
  const built = pathToFileURL(join(import.meta.dirname, "../../packages/store/dist/index.js")).href
  const code = `
    const { openSqlite } = await import(${JSON.stringify(built)})
    const store = await openSqlite({ path: ${JSON.stringify(path)} })
    process.stdout.write("go")
    for (;;) { await store.log.trim({ graceMs: -60000 }); await store.log.freeSlice() }`
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise((resolve) => child.once("exit", resolve))
  await new Promise((resolve) => child.stdout.once("data", resolve))
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  child.kill("SIGKILL")
  await ended
}
