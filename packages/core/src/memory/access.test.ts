import { limits, type MemoryEntry } from "@parlor/protocol"
import { beforeEach, describe, expect, it } from "vitest"
import { defaultQuotaSettings } from "../quota/quota.ts"
import { FakeClock } from "../testing/fake-clock.ts"
import { MemoryStore } from "../testing/memory-store.ts"
import { type AskToChange, memoryAccess } from "./access.ts"
import { BY_PERSON, type MemoryHome, writeMemory } from "./memory.ts"

const ana = { person: "ana", agent: "crab", branch: "main" } as const
const ben = { person: "ben", agent: "owl", branch: "side" } as const
const tea: MemoryEntry = { scope: "user", name: "tea", description: "Drinks tea", type: "user", body: "Green." }

let clock: FakeClock
let home: MemoryHome
beforeEach(() => {
  clock = new FakeClock()
  home = {
    store: new MemoryStore(clock),
    clock,
    usedBytes: new Map(),
    settings: { projectWriters: ["ana"], quota: defaultQuotaSettings },
  }
})
const allows = async () => true
const anas = (ask: AskToChange = allows) => memoryAccess(home, ana, "crab", ask)
const bens = () => memoryAccess(home, ben, "owl", allows)
const refused = (code: string, detail?: string) =>
  expect.objectContaining({ code, ...(detail === undefined ? {} : { message: expect.stringContaining(detail) }) })

describe("memory, as agents use it", () => {
  it("[MEM-1] an entry has its content, who wrote it, from where and when", async () => {
    const first = clock.now()
    await anas().write(tea)
    await clock.advance(5_000)
    await anas().write({ ...tea, body: "Black." })
    expect(await anas().read("tea")).toEqual({
      ...tea,
      body: "Black.",
      pinned: false,
      writtenBy: "crab",
      writtenIn: { agent: "crab", branch: "main" },
      createdAt: first,
      updatedAt: first + 5_000,
    })
  })

  it("[MEM-1] pinning someone else's entry does not change its author", async () => {
    await anas().write(tea)
    await clock.advance(5_000)
    const pinned = await writeMemory(home, "ana", { ...tea, pinned: true }, BY_PERSON)
    expect(pinned).toEqual({ ...(await anas().read("tea")), pinned: true })
    expect(pinned).toMatchObject({ writtenBy: "crab", updatedAt: pinned.createdAt })
    expect(await writeMemory(home, "ana", { ...tea, body: "Black." }, BY_PERSON)).toMatchObject({
      pinned: true,
      writtenBy: "person",
      writtenIn: null,
      updatedAt: pinned.createdAt + 5_000,
    })
  })

  it("[MEM-2] a name in both scopes is ambiguous, for reading and deleting", async () => {
    await anas().write(tea)
    await anas().write({ ...tea, scope: "project", body: "In the kitchen." })
    await expect(anas().read("tea")).rejects.toEqual(refused("memory.ambiguous", "user or project"))
    await expect(anas().delete("tea")).rejects.toEqual(refused("memory.ambiguous"))
    expect((await anas().read("tea", "project")).body).toBe("In the kitchen.")
    expect(await anas().delete("tea", "project")).toBe(true)
    expect((await anas().read("tea")).body).toBe("Green.")
  })

  it("[MEM-2] a missing entry cannot be read, and deleting it returns false", async () => {
    await expect(anas().read("tea")).rejects.toEqual(refused("memory.unknown", '"tea"'))
    await expect(anas().read("tea", "user")).rejects.toEqual(refused("memory.unknown", "scope user"))
    expect(await anas().delete("tea")).toBe(false)
  })

  it("[MEM-5] each person has their own entry under the same name", async () => {
    await anas().write(tea)
    await bens().write({ ...tea, body: "Rooibos." })
    expect((await anas().read("tea")).body).toBe("Green.")
    expect((await bens().read("tea")).body).toBe("Rooibos.")
    expect(await bens().delete("tea")).toBe(true)
    expect(await bens().list()).toEqual([])
    expect(await anas().list()).toHaveLength(1)
  })

  it("[MEM-5] everyone reads project memory; only conversations of managers change it", async () => {
    const shared = { ...tea, scope: "project" } as const
    await anas().write(shared)
    expect((await bens().read("tea")).body).toBe("Green.")
    await expect(bens().write({ ...shared, body: "Poison." })).rejects.toEqual(refused("auth.forbidden"))
    await expect(bens().delete("tea")).rejects.toEqual(refused("auth.forbidden"))
    await expect(bens().delete("tea", "project")).rejects.toEqual(refused("auth.forbidden"))
    expect((await anas().read("tea")).body).toBe("Green.")
  })

  it("[MEM-10] project memory changes only when the person allows that exact change", async () => {
    const shared = { ...tea, scope: "project" } as const
    const questions: string[] = []
    const answering = (answer: unknown): AskToChange => {
      return async ({ title, detail }) => {
        questions.push(`${title} ${detail}`)
        return answer
      }
    }
    await anas(answering(true)).write(shared)
    expect(questions).toEqual([expect.stringMatching(/crab.*"tea".*Drinks tea\n\nGreen\.$/s)])
    for (const answer of [false, undefined, "true", 1, {}]) {
      await expect(anas(answering(answer)).write({ ...shared, body: "Poison." })).rejects.toEqual(
        refused("auth.forbidden"),
      )
      await expect(anas(answering(answer)).delete("tea")).rejects.toEqual(refused("auth.forbidden"))
    }
    expect((await anas().read("tea")).body).toBe("Green.")
    expect(await anas(answering(true)).delete("tea")).toBe(true)
    const asked = questions.length
    await anas(answering(false)).write(tea)
    expect(await anas(answering(false)).delete("tea")).toBe(true)
    expect(questions.length, "a person's own memory needs no approval").toBe(asked)
  })

  it("[MEM-7] a search finds words in name, description, type and body, all of them, in any case", async () => {
    await anas().write(tea)
    await anas().write({
      ...tea,
      scope: "project",
      name: "office",
      description: "Where we sit",
      body: "Fourth floor, GREEN door.",
    })
    const found = async (query: string) => (await anas().list({ query })).map(({ scope, name }) => `${scope}/${name}`)
    expect(await found("green")).toEqual(["user/tea", "project/office"])
    expect(await found(" door  Green ")).toEqual(["project/office"])
    expect(await found("drinks")).toEqual(["user/tea"])
    expect(await found("offi")).toEqual(["project/office"])
    expect(await found("green milk")).toEqual([])
    expect(await anas().list({ query: " " })).toHaveLength(2)
    expect(await anas().list({ scope: "project" })).toHaveLength(1)
    expect(await anas().list({ query: "green" })).not.toContainEqual(
      expect.objectContaining({ body: expect.anything() }),
    )
  })

  it.each([
    ["a name with capitals and spaces", "/name", { name: "Green Tea" }],
    ["a name with two hyphens in a row", "/name", { name: "a--b" }],
    ["a name that is a path", "/name", { name: "../etc" }],
    ["a name too long", "/name", { name: "x".repeat(limits.memoryNameLength + 1) }],
    ["a description of two lines", "/description", { description: "two\nlines" }],
    ["a blank description", "/description", { description: " " }],
    ["a description with a control character", "/description", { description: "bell\u0007" }],
    ["a description too long", "/description", { description: "x".repeat(limits.memoryDescriptionLength + 1) }],
    ["a type of two words", "/type", { type: "No Word" }],
    ["a type too long", "/type", { type: "x".repeat(limits.memoryTypeLength + 1) }],
    ["a body of too many bytes", "/body", { body: "é".repeat(limits.memoryBodyBytes / 2 + 1) }],
    ["half of a surrogate pair", "/body", { body: "half \ud800" }],
    ["an unknown scope", "/scope", { scope: "world" as "user" }],
  ])("[MEM-8] %s is rejected", async (_what, pointer, change) => {
    const writing = anas().write({ ...tea, ...change })
    await expect(writing).rejects.toEqual(expect.objectContaining({ code: "memory.invalid", pointer }))
    expect(await anas().list()).toEqual([])
  })

  it("[MEM-8] the number of memories in a scope is limited; replacing one always works", async () => {
    for (let i = 0; i < limits.memoriesPerScope; i++) await anas().write({ ...tea, name: `tea-${i}` })
    await expect(anas().write(tea)).rejects.toEqual(refused("memory.full", String(limits.memoriesPerScope)))
    await anas().write({ ...tea, name: "tea-0", body: "Changed." })
    await anas().write({ ...tea, scope: "project" })
    await bens().write(tea)
    expect(await anas().list({ scope: "user" })).toHaveLength(limits.memoriesPerScope)
  })

  it("[MEM-8] pinned entries are limited in number and bytes, per scope", async () => {
    const pin = (change: Partial<MemoryEntry>) =>
      writeMemory(home, "ana", { ...tea, pinned: true, ...change }, BY_PERSON)
    for (let i = 0; i < limits.memoriesPinned; i++) await pin({ name: `tea-${i}` })
    await expect(pin({})).rejects.toEqual(expect.objectContaining({ code: "memory.full", pointer: "/pinned" }))
    await pin({ scope: "project" })
    await pin({ name: "tea-0", body: "x".repeat(limits.memoryBodyBytes / 2) })
    await expect(pin({ name: "tea-1", body: "x".repeat(limits.memoryBodyBytes / 2) })).rejects.toEqual(
      refused("memory.full", "bytes"),
    )
    await pin({ name: "tea-1", pinned: false })
    await pin({})
  })

  it("[MEM-3] an agent's write neither pins nor unpins, and cannot exceed the limit of pinned bytes", async () => {
    await writeMemory(home, "ana", { ...tea, pinned: true }, BY_PERSON)
    await anas().write({ ...tea, body: "Black." })
    expect(await anas().read("tea")).toMatchObject({ pinned: true, body: "Black.", writtenBy: "crab" })
    await writeMemory(home, "ana", { ...tea, name: "more", pinned: true, body: "x".repeat(9_000) }, BY_PERSON)
    await expect(anas().write({ ...tea, body: "x".repeat(9_000) })).rejects.toEqual(refused("memory.full"))
  })
})
