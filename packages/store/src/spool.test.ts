import { appendFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { StreamId } from "@parlor/protocol"
import { afterAll, expect, test } from "vitest"
import { append, change, delta } from "../test/fixtures.ts"
import { openSpool } from "./spool.ts"

const folder = mkdtempSync(join(tmpdir(), "parlor-spool-"))
afterAll(() => rmSync(folder, { recursive: true }))

const first = append(1 as StreamId, [delta("m", 0, "é\u0000\n\u2028")], { epoch: 1, batch: 1 })
const second = append(2 as StreamId, [change("turns", "t")])

test("[LOG-12] what was added is read in order, even by the next process, until it is cleared", async () => {
  const path = join(folder, "a.jsonl")
  const spool = openSpool(path)
  expect(await spool.read()).toEqual([])
  await Promise.all([spool.add([first]), spool.add([second, first])])
  expect(await openSpool(path).read()).toEqual([first, second, first])
  await spool.clear()
  expect(await spool.read()).toEqual([])
  await spool.add([second])
  expect(await openSpool(path).read()).toEqual([second])
})

test("[LOG-12] a line truncated by a crash is ignored, and adding continues after it", async () => {
  const path = join(folder, "b.jsonl")
  await openSpool(path).add([first])
  appendFileSync(path, '{"stream":3,"chan')
  expect(await openSpool(path).read()).toEqual([first])
  await openSpool(path).add([second])
  expect(await openSpool(path).read()).toEqual([first, second])
})

test("[LOG-2] a line written before a collection was renamed is read under its new name", async () => {
  const path = join(folder, "c.jsonl")
  const current = append(1 as StreamId, [change("slashCommands", "order"), change("turns", "t")])
  appendFileSync(path, `${JSON.stringify(current).replace("slashCommands", "commands")}\n`)
  expect(await openSpool(path).read()).toEqual([current])
})
