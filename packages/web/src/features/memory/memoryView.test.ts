import { limits, type Memory, type MemoryLine, memoryName, memoryText } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  completedDraft,
  type Draft,
  draftDefect,
  draftOf,
  emptyDraft,
  groupsOf,
  keyOf,
  originWords,
  TYPES,
} from "./memoryView.ts"

const written = { writtenBy: "person", writtenIn: null, createdAt: 0, updatedAt: 0 }
const line = (name: string, change: Partial<MemoryLine> = {}): MemoryLine => ({
  scope: "user",
  name,
  description: "Drinks tea",
  type: "user",
  pinned: false,
  ...written,
  ...change,
})
const good: Draft = { ...emptyDraft, name: "green-tea", description: "Drinks it" }

describe("a draft", () => {
  it("[MEM-1] is told to be wrong exactly when the server would turn it down", () => {
    const odd = fc.constantFrom(
      "",
      " ",
      "a",
      "A",
      "-",
      "tea",
      "green-tea",
      "a--b",
      "a-",
      "é",
      "\t",
      "\u2028",
      "\n",
      "1",
    )
    const words = fc.oneof(
      odd,
      fc.string({ maxLength: 12 }),
      fc.array(odd, { maxLength: 4 }).map((all) => all.join("")),
    )
    const long = (most: number) => fc.integer({ min: most - 1, max: most + 1 }).map((length) => "x".repeat(length))
    const draft = fc.record({
      scope: fc.constantFrom("user" as const, "project" as const),
      name: fc.oneof(fc.constant(good.name), words, long(limits.memoryNameLength)),
      description: fc.oneof(fc.constant("Fine"), words, long(limits.memoryDescriptionLength)),
      type: fc.oneof(fc.constantFrom(...TYPES), words, long(limits.memoryTypeLength)),
      body: fc.oneof(words, fc.constant("é".repeat(limits.memoryBodyBytes / 2)), long(limits.memoryBodyBytes)),
      pinned: fc.boolean(),
    })
    fc.assert(
      fc.property(draft, (one) => {
        const { name, description, type, body } = one
        const taken = memoryName.safeParse(name).success && memoryText.safeParse({ description, type, body }).success
        // A NUL in the text is for the server alone to tell: nobody types one.
        if (!body.includes("\0")) expect(draftDefect(one) === undefined).toBe(taken)
      }),
    )
  })

  it("[MEM-1] says what would be right, field by field, the first one first", () => {
    const words = (change: Partial<Draft>) => draftDefect({ ...good, ...change })?.words
    expect(words({ name: "" })).toContain("such as metric-units")
    expect(words({ description: "" })).toBe("Enter a one-line description.")
    expect(words({ description: "one\ttwo" })).toContain("without tabs")
    expect(words({ description: "x".repeat(limits.memoryDescriptionLength + 1) })).toContain("200 characters")
    expect(words({ type: "" })).toContain("one word in lowercase letters")
    expect(words({ body: "x".repeat(limits.memoryBodyBytes + 1) })).toBe("At most 16 KB.")
    expect(draftDefect(emptyDraft)?.field).toBe("name")
  })

  it("[MEM-7] of a memory has all that can be changed, and nothing of who wrote it", () => {
    const memory: Memory = { ...line("tea", { pinned: true, scope: "project" }), body: "Green." }
    expect(draftOf(memory)).toEqual({
      scope: "project",
      name: "tea",
      description: "Drinks tea",
      type: "user",
      body: "Green.",
      pinned: true,
    })
    expect(draftDefect({ ...emptyDraft, name: "a", description: "b" })).toBeUndefined()
  })
})

describe("a list", () => {
  it("[MEM-7] is grouped without losing one or changing their order, the person's own first", () => {
    const scopes = fc.array(fc.constantFrom("user" as const, "project" as const), { maxLength: 20 })
    fc.assert(
      fc.property(scopes, (all) => {
        const lines = all.map((scope, index) => line(`m${index}`, { scope }))
        const groups = groupsOf(lines)
        for (const { scope, memories } of groups) expect(memories).toEqual(lines.filter((one) => one.scope === scope))
        expect(groups.flatMap(({ memories }) => memories)).toHaveLength(lines.length)
        expect(groups.every(({ memories }) => memories.length > 0)).toBe(true)
        expect(groups.map(({ scope }) => scope)).toEqual(
          ["user", "project"].filter((one) => all.includes(one as never)),
        )
      }),
    )
  })

  it("[MEM-2] one name in both scopes is two memories", () => {
    expect(keyOf(line("tea"))).not.toBe(keyOf(line("tea", { scope: "project" })))
  })

  it("[MEM-7] what an agent wrote names the agent and its conversation, in either scope", () => {
    const byAgent = { writtenBy: "critic", writtenIn: { agent: "critic", branch: "redder" } }
    expect(originWords(line("a", byAgent))).toBe("written by critic")
    expect(originWords(line("a", { scope: "project", ...byAgent }))).toBe("written by critic")
    expect(originWords(line("a"))).toBe("written by you")
  })
})

it("[TAB-39] one text is enough: its first line becomes the description and the name", () => {
  const made = (body: string, change: Partial<Draft> = {}) => completedDraft({ ...emptyDraft, body, ...change })
  expect(made("\n# I drink **green** tea\n\nNever with milk.")).toMatchObject({
    name: "i-drink-green-tea",
    description: "I drink green tea",
    body: "\n# I drink **green** tea\n\nNever with milk.",
  })
  expect(made("Ünïts: métrique, not IMPERIAL, please, always and everywhere").name).toBe(
    "units-metrique-not-imperial-please-always",
  )
  expect(made("お茶").name).toMatch(/^note-[a-z0-9]+$/)
  expect(made("x".repeat(9_000)).description.length).toBeLessThanOrEqual(limits.memoryDescriptionLength)
  expect(made("Text", { name: "mine", description: "Own words" })).toMatchObject({
    name: "mine",
    description: "Own words",
  })
  for (const body of ["お茶", "a\tb\u0007c", "-", "x".repeat(9_000)])
    expect(draftDefect(made(body)), body).toBeUndefined()
})
