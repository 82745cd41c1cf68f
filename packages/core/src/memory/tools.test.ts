import type { TurnId } from "@parlor/protocol"
import { beforeEach, describe, expect, it } from "vitest"
import type { ToolContext } from "../agent/tool.ts"
import { toolSpec } from "../context/tool-spec.ts"
import type { Json } from "../ports/json.ts"
import { defaultQuotaSettings } from "../quota/quota.ts"
import { FakeClock } from "../testing/fake-clock.ts"
import { MemoryStore } from "../testing/memory-store.ts"
import { memorySkill, withMemorySkill } from "./skill.ts"
import { memoryTools } from "./tools.ts"

const address = { person: "ana", agent: "crab", branch: "main" } as const
const tea = { scope: "user", name: "tea", description: "Drinks tea", type: "user", body: "Green." }

let tools: ReturnType<typeof memoryTools>
beforeEach(() => {
  const clock = new FakeClock()
  tools = memoryTools(
    {
      store: new MemoryStore(clock),
      clock,
      usedBytes: new Map(),
      settings: { projectWriters: ["ana"], quota: defaultQuotaSettings },
    },
    address,
    "crab",
  )
})

/** Like `turn/tools.ts`: input that does not match the schema never reaches the tool. */
async function use(name: string, input: unknown): Promise<Json> {
  const tool = tools.find((known) => known.name === name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  const context = { signal: new AbortController().signal, now: () => 0, call: "c", turn: "t" as TurnId, address }
  // These tools use nothing else.
  const used = { ...context, ask: async () => undefined } as unknown as ToolContext
  return tool.run(tool.input.parse(input), used)
}

describe("the tools of memory", () => {
  it("[MEM-2] write, read, list and delete", async () => {
    expect(tools.map(({ name }) => name)).toEqual(["memory_write", "memory_read", "memory_list", "memory_delete"])
    expect(await use("memory_write", tea)).toMatchObject({ scope: "user", name: "tea", writtenBy: "crab" })
    expect(await use("memory_read", { name: "tea" })).toMatchObject({
      ...tea,
      writtenIn: { agent: "crab", branch: "main" },
    })
    expect(await use("memory_list", {})).toMatchObject({ memories: [{ name: "tea", description: "Drinks tea" }] })
    expect(await use("memory_list", { query: "coffee" })).toEqual({ memories: [] })
    expect(await use("memory_delete", { name: "tea", scope: "user" })).toEqual({ name: "tea", deleted: true })
    expect(await use("memory_delete", { name: "tea" })).toEqual({ name: "tea", deleted: false })
    await expect(use("memory_read", { name: "tea" })).rejects.toMatchObject({ code: "memory.unknown" })
  })

  it("[MEM-2] a name and a body are enough to write one", async () => {
    const body = `\n## Drinks **tea**\u0007, never coffee\n\nMore of it.`
    expect(await use("memory_write", { name: "drinks", body })).toMatchObject({
      scope: "user",
      type: "user",
      description: "Drinks **tea** , never coffee",
    })
    const long = { name: "long", body: "x".repeat(1_000) }
    expect(((await use("memory_write", long)) as { description: string }).description).toHaveLength(200)
    expect(await use("memory_write", { name: "empty", body: " \n" })).toMatchObject({ description: "empty" })
    expect(await use("memory_write", { name: "bell", body: "\u0007\nTea" })).toMatchObject({ description: "Tea" })
  })

  it("[MEM-2] give the same result when run again after a crash", async () => {
    expect(tools.every(({ repeatable }) => repeatable)).toBe(true)
    await use("memory_write", tea)
    await use("memory_write", tea)
    expect(await use("memory_list", {})).toMatchObject({ memories: [{ name: "tea" }] })
  })

  it("[MEM-2] a long list is cut and says how much is missing", async () => {
    for (let i = 0; i < 100; i++) await use("memory_write", { ...tea, name: `tea-${i}` })
    expect(await use("memory_list", {})).not.toHaveProperty("more")
    for (let i = 100; i < 120; i++) await use("memory_write", { ...tea, name: `tea-${i}` })
    const { memories, more } = (await use("memory_list", {})) as { memories: Json[]; more: number }
    expect([memories.length, more]).toEqual([100, 20])
  })

  it("[MEM-8] state their limits in the schema the model sees, and reject what exceeds them", async () => {
    const write = tools[0]
    if (write === undefined) throw new Error("no tools")
    const { properties } = toolSpec(write).inputSchema as { properties: Record<string, { maxLength?: number }> }
    expect(properties.description?.maxLength).toBe(200)
    await expect(use("memory_write", { ...tea, name: "Not Kebab" })).rejects.toThrow("single hyphens")
    expect(toolSpec(write).inputSchema).toBe(toolSpec({ ...write }).inputSchema)
  })

  it("[MEM-4] the skill, and the tool itself, teach when to write and when not", () => {
    const taught = [memorySkill.body, tools[0]?.description ?? ""]
    for (const text of taught) {
      for (const subject of ["preference", "role", "constraint", "correct", "resource"]) expect(text).toContain(subject)
      expect(text).toMatch(/(?:Never|Do not write)[\s\S]*contents of files/)
    }
    expect(memorySkill).toMatchObject({ name: "memory", files: {} })
    expect(memorySkill.description).not.toContain("\n")
  })

  it("[MEM-4] an agent's own skill with that name replaces the built-in one", () => {
    const own = [{ ...memorySkill, body: "Remember nothing." }]
    const other = [{ ...memorySkill, name: "tea" }]
    expect(withMemorySkill(own)).toBe(own)
    expect(withMemorySkill(other).map(({ name }) => name)).toEqual(["tea", "memory"])
    expect(withMemorySkill(other)).toBe(withMemorySkill(other))
    expect(withMemorySkill()).toEqual([memorySkill])
  })
})
