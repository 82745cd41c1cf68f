import type { SlashCommandRow } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Agent } from "../agent/agent.ts"
import type { Toolsets } from "../agent/toolsets.ts"
import {
  baseCommands,
  type Commands,
  commandChanges,
  commandRow,
  OUTSIDE_OWNER,
  ownedReplaced,
  registered,
  synced,
  unregistered,
} from "./command.ts"
import { lentCommands } from "./lent-commands.ts"

const names = ["a", "b", "c", "d"] as const
const name = fc.constantFrom(...names)
const owner = fc.constantFrom("x", "y")
const description = fc.constantFrom("one", "two")

type Act =
  | { readonly act: "register"; readonly name: string; readonly owner: string; readonly description: string }
  | { readonly act: "unregister"; readonly name: string }
  | { readonly act: "replace"; readonly owner: string; readonly names: readonly string[] }
  | { readonly act: "edit"; readonly statics: readonly string[]; readonly skills: readonly string[] }

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ act: fc.constant("register" as const), name, owner, description }),
  fc.record({ act: fc.constant("unregister" as const), name }),
  fc.record({ act: fc.constant("replace" as const), owner, names: fc.uniqueArray(name) }),
  fc.record({ act: fc.constant("edit" as const), statics: fc.uniqueArray(name), skills: fc.uniqueArray(name) }),
)

const agentOf = (statics: readonly string[], skills: readonly string[]) => ({
  slashCommands: statics.map((one) => commandRow({ name: one, description: "static" }, null)),
  skills: skills.map((one) => ({ name: one, description: "skill", body: "", files: {} })),
})

/** The rows after the changes, as a store has them. */
function written(rows: Map<string, SlashCommandRow>, after: Commands): Map<string, SlashCommandRow> {
  const next = new Map(rows)
  for (const { operation, row } of commandChanges(rows, after)) {
    expect(operation === "insert").toBe(!next.has(row.name))
    if (operation === "delete") next.delete(row.name)
    else next.set(row.name, JSON.parse(JSON.stringify(row)) as SlashCommandRow)
  }
  return next
}

describe("commands", () => {
  it("[CMP-8, CMP-18] for any registrations and removals, a name is the dynamic command, else the declared one, else the skill", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        let agent = agentOf(["a", "b"], ["b"])
        let rows = written(new Map(), baseCommands(agent))
        const dynamic = new Map<string, { owner: string; description: string }>()
        for (const one of acts) {
          const base = baseCommands(agent)
          if (one.act === "register") {
            dynamic.set(one.name, one)
            rows = written(rows, registered(rows, one))
          } else if (one.act === "unregister") {
            dynamic.delete(one.name)
            rows = written(rows, unregistered(rows, one.name, base))
          } else if (one.act === "replace") {
            for (const [held, by] of dynamic) if (by.owner === one.owner) dynamic.delete(held)
            for (const held of one.names) dynamic.set(held, { owner: one.owner, description: "" })
            const list = one.names.map((held) => ({ name: held }))
            rows = written(rows, ownedReplaced(rows, one.owner, list, base))
          } else {
            agent = agentOf(one.statics, one.skills)
            rows = written(rows, synced(rows, baseCommands(agent)))
          }
          const statics = agent.slashCommands.map((row) => row.name)
          const skills = agent.skills.map((skill) => skill.name)
          for (const shown of names) {
            const expected =
              dynamic.get(shown) ??
              (statics.includes(shown)
                ? { owner: null, description: "static" }
                : skills.includes(shown)
                  ? { owner: "skills", description: "skill" }
                  : undefined)
            const row = rows.get(shown)
            expect(row && { owner: row.owner, description: row.description }).toEqual(
              expected && { owner: expected.owner, description: expected.description },
            )
          }
          expect(commandChanges(rows, synced(rows, baseCommands(agent)))).toEqual([])
        }
      }),
      { numRuns: 500 },
    )
  })

  it("[CMP-7] declared commands get defaults: types, whether required, descriptions", () => {
    expect(
      commandRow(
        { name: "git:pull_all-now", arguments: [{ name: "n", type: "number", required: true }, { name: "what" }] },
        null,
      ),
    ).toEqual({
      name: "git:pull_all-now",
      description: "",
      arguments: [
        { name: "n", type: "number", required: true, description: "" },
        { name: "what", type: "string", required: false, description: "" },
      ],
      argumentHint: null,
      owner: null,
    })
  })

  it.each([
    [{ name: "" }, '"" is not a valid'],
    [{ name: "Deploy" }, "not a valid command name"],
    [{ name: "a b" }, "not a valid command name"],
    [{ name: "a-" }, "not a valid command name"],
    [{ name: "a".repeat(65) }, "not a valid command name"],
    [{ name: "a", description: "x".repeat(1_025) }, "more than 1024"],
    [{ name: "a", arguments: Array.from({ length: 21 }, (_, n) => ({ name: `a${n}` })) }, "more than 20 arguments"],
    [{ name: "a", arguments: [{ name: "1" }] }, "not a valid argument name"],
    [{ name: "a", arguments: [{ name: "n", type: "date" as "string" }] }, "must be a string, a number or a boolean"],
  ])("%j is rejected", (command, why) => {
    expect(() => commandRow(command, null)).toThrow(why)
  })

  it("[CMP-7] names, descriptions and arguments may be as long as the limits", () => {
    const args = Array.from({ length: 20 }, (_, n) => ({ name: `a${n}` }))
    const row = commandRow({ name: "a".repeat(64), description: "x".repeat(1_024), arguments: args }, null)
    expect(row.arguments).toHaveLength(20)
  })

  it("[CMP-7] an agent's commands are put together once, and a conversation that has them all shares them", () => {
    const agent = agentOf(["a"], ["b"])
    const base = baseCommands(agent)
    expect(baseCommands(agent)).toBe(base)
    expect(synced(base, base)).toBe(base)
    expect(synced(new Map(base), base)).toBe(base)
    expect(unregistered(base, "a", new Map())).toBe(base)
    expect(commandChanges(base, base)).toEqual([])
  })

  it("[CMP-8] commands from outside come and go with each turn, those of the handler stay", () => {
    const lent = commandRow({ name: "lent" }, `${OUTSIDE_OWNER}files`)
    const own = commandRow({ name: "own" }, "x-mcp:")
    const commands = new Map([lent, own].map((row) => [row.name, row]))
    expect([...synced(commands, new Map()).keys()]).toEqual(["own"])
  })

  it("[TRG-6] what the agent declares and its skills go before what it is lent", () => {
    const agent = { ...agentOf(["a"], ["b"]), name: "crab" } as unknown as Agent
    const lent = (rows: readonly SlashCommandRow[]) => ({ commandsFor: () => rows }) as unknown as Toolsets
    const outside = (name: string) => commandRow({ name, description: "lent" }, `${OUTSIDE_OWNER}files`)
    expect(lentCommands(undefined, agent)).toBe(baseCommands(agent))
    expect(lentCommands(lent([]), agent)).toBe(baseCommands(agent))
    const all = lentCommands(lent([outside("a"), outside("c")]), agent)
    expect([...all.values()].map(({ name, description }) => [name, description])).toEqual([
      ["a", "static"],
      ["c", "lent"],
      ["b", "skill"],
    ])
  })

  it("[CMP-8] an owner has a name of 1 to 64 characters", () => {
    const owned = (owner: string) => ownedReplaced(new Map(), owner, [{ name: "a" }], new Map()).size
    expect(owned("x".repeat(64))).toBe(1)
    for (const owner of ["", "x".repeat(65), 7 as unknown as string])
      expect(() => owned(owner)).toThrow("The name of a command owner must have 1 to 64 characters.")
  })

  it("[CMP-8] a conversation has at most 500 commands", () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `c${n}` }))
    expect(ownedReplaced(new Map(), "x", many(500), new Map()).size).toBe(500)
    expect(() => ownedReplaced(new Map(), "x", many(501), new Map())).toThrow("at most 500")
  })
})
