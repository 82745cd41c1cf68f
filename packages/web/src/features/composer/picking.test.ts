import type { SlashCommandRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import {
  activeIn,
  chipOf,
  countWords,
  OBJECT,
  type Offered,
  pickGroups,
  stepped,
  type TypedSign,
  triggerIn,
} from "./picking.ts"

const command = (name: string): SlashCommandRow => ({ name, description: `does ${name}`, arguments: [], owner: null })
const offered: Offered = {
  commands: ["deploy", "undeploy", "help", "pr-review"].map(command),
  agents: [
    { name: "critic", description: "Criticises." },
    { name: "scribe", description: "Writes." },
  ],
  files: ["src/main.ts", "src/critic.ts", "docs/main.md", "Makefile"].map((path) => ({ path })),
}
const names = (trigger: TypedSign, from = offered) =>
  pickGroups(trigger, from).map(({ title, rows }) => [title, ...rows.map(({ id }) => id.split(" ").at(-1))])
const slash = (query: string): TypedSign => ({ sign: "/", query, length: query.length + 1 })
const at = (query: string): TypedSign => ({ sign: "@", query, length: query.length + 1 })

describe("when something is offered", () => {
  it.each([
    ["/", slash("")],
    ["please /dep", slash("dep")],
    [`${OBJECT}/dep`, slash("dep")],
    ["@", at("")],
    ["(@cri", at("cri")],
    ["see @src/ma", at("src/ma")],
    ["🦀 @x", at("x")],
  ])("[TAB-10] %j opens the picker", (before, trigger) => {
    expect(triggerIn(before)).toEqual(trigger)
  })

  it.each(["", "and/or", "/usr/bin", "//", "me@home", "@a b", "/help now", "(/help", "hello", `@${OBJECT}`])(
    "[TAB-10] %j does not",
    (before) => {
      expect(triggerIn(before)).toBeUndefined()
    },
  )

  it("a word that goes on and on is no name", () => {
    expect(triggerIn(`@${"x".repeat(500)}`)).toBeUndefined()
  })
})

describe("what is offered", () => {
  it("[TAB-10] commands by name, the ones that begin so first", () => {
    expect(names(slash("dep"))).toEqual([["Commands", "deploy", "undeploy"]])
    expect(names(slash("REV"))).toEqual([["Commands", "pr-review"]])
    expect(names(slash(""))).toEqual([["Commands", "deploy", "help", "pr-review", "undeploy"]])
    expect(names(slash("nothing"))).toEqual([])
  })

  it("[TAB-10] agents and files in one list, each under its own title", () => {
    expect(names(at("cri"))).toEqual([
      ["Agents", "critic", "scribe"],
      ["Files", "src/critic.ts"],
    ])
    expect(names(at("main"))).toEqual([["Files", "docs/main.md", "src/main.ts"]])
    expect(names(at("file:Make"))).toEqual([["Files", "Makefile"]])
    expect(names(at("src/"), { ...offered, files: undefined })).toEqual([])
  })

  it("however many files there are, the list is short", () => {
    const files = Array.from({ length: 5_000 }, (_, index) => ({ path: `f${index}.ts` }))
    expect(pickGroups(at("f"), { ...offered, agents: [], files })[0]?.rows).toHaveLength(20)
  })

  it("[CMP-3] a chosen row becomes a chip that knows what it is", () => {
    const rows = [...pickGroups(slash("help"), offered), ...pickGroups(at("critic"), offered)].flatMap(
      ({ rows }) => rows,
    )
    expect(rows.map(chipOf)).toEqual([
      { kind: "slash_command", name: "help" },
      { kind: "mention", name: "critic" },
      { kind: "file", path: "src/critic.ts" },
    ])
  })
})

describe("what is chosen", () => {
  const rows = pickGroups(slash(""), offered)[0]?.rows ?? []

  it("[CMP-8] stays the same while rows come and go, and gives way to its neighbor when it goes itself", () => {
    expect(activeIn(rows, undefined)).toBe(0)
    expect(activeIn(rows, { id: "command help", index: 0 })).toBe(1)
    expect(activeIn(rows.slice(0, 2), { id: "command undeploy", index: 3 })).toBe(1)
    expect(activeIn([], { id: "command help", index: 1 })).toBe(0)
  })

  it("goes round at both ends", () => {
    expect([stepped(0, -1, 4), stepped(3, 1, 4), stepped(1, 1, 4), stepped(0, 1, 0)]).toEqual([3, 0, 2, 0])
  })

  it("[TAB-27] how many there are is said, and when there are none, of what", () => {
    expect(countWords(slash("d"), 2, false)).toBe("2 suggestions")
    expect(countWords(slash("d"), 1, false)).toBe("1 suggestion")
    expect(countWords(slash("tmp"), 0, false)).toBe("No command named “tmp”")
    expect(countWords(slash(""), 0, false)).toBe("No commands here")
    expect(countWords(at("x"), 0, true)).toBe("Searching files…")
    expect(countWords(at("x"), 0, false)).toBe("No agent or file named “x”")
    expect(countWords(at(""), 0, false)).toContain("files here")
  })
})
