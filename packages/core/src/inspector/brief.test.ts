import type { StreamId } from "@parlor/protocol"
import { expect, it } from "vitest"
import { z } from "zod"
import type { Agent } from "../agent/agent.ts"
import type { Tool } from "../agent/tool.ts"
import type { Brief } from "../context/brief.ts"
import { type BriefAccess, keepBrief, noBriefs, readBrief } from "./brief.ts"

const input = z.object({ path: z.string() })
/** Created again for each turn, as tools are. */
const tool = (name: string, description = "Does it."): Tool => ({
  name,
  description,
  input,
  repeatable: true,
  run: async () => "",
})
const brief = (change: Partial<Brief> = {}): Brief => ({
  ...{ speaker: { name: "crab" } as Agent, author: "", instructions: "Be.", notes: "", tools: [tool("a"), tool("b")] },
  ...change,
})

function storing() {
  const kept: string[] = []
  const contents = new Map<string, Uint8Array>()
  const blobs = {
    keep: async (stream: StreamId, hash: string, content: Uint8Array) => {
      kept.push(`${stream} ${hash}`)
      contents.set(hash, content)
    },
    get: async (hash: string) => contents.get(hash),
  }
  return { kept, node: { store: { blobs }, log: { warn: () => {} }, briefs: noBriefs() } as unknown as BriefAccess }
}

it("[LOG-15] the same brief is stored once per conversation; after that it costs no write and no waiting", async () => {
  const { kept, node } = storing()
  const one = 1 as StreamId
  const hash = await keepBrief(node, one, brief(), "crab")
  for (let turn = 0; turn < 10; turn++) expect(keepBrief(node, one, brief(), "crab")).toBe(hash)
  expect(await keepBrief(node, 2 as StreamId, brief(), "crab")).toBe(hash)
  expect(kept).toEqual([`1 ${hash}`, `2 ${hash}`])
})

it("[LOG-15] any difference in what a model is told makes another brief, and each is read back unchanged", async () => {
  const { kept, node } = storing()
  const changes: readonly Partial<Brief>[] = [
    {},
    { instructions: "Be not." },
    { notes: "a note" },
    { author: "critic" },
    { tools: [tool("a")] },
    { tools: [tool("b"), tool("a")] },
    { tools: [tool("a", "Does something else."), tool("b")] },
    { tools: [tool("a"), { ...tool("b"), inputSchema: { type: "string" } }] },
  ]
  const hashes: (string | null)[] = []
  for (const change of changes) hashes.push(await keepBrief(node, 1 as StreamId, brief(change), "crab"))
  hashes.push(await keepBrief(node, 1 as StreamId, brief(), "lobster"))
  expect(new Set(hashes).size).toBe(changes.length + 1)
  for (const change of changes) await keepBrief(node, 1 as StreamId, brief(change), "crab")
  expect(kept.length, "a second time nothing is written").toBe(hashes.length)
  expect(await readBrief(node, hashes[4] ?? "")).toMatchObject({
    instructions: "Be.",
    host: "crab",
    tools: [{ name: "a" }],
  })
  expect(await readBrief(node, "0".repeat(64))).toBeUndefined()
})
