import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Agent, Handler, SlashCommands } from "@parlor/core"
import { says, scriptedModel } from "@parlor/core/testing"
import type { Rows, SlashCommandRow } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { address, openStage, type Stage, txid } from "./stage.ts"

let stage: Stage
afterEach(() => stage.close())

const row = (name: string, description = "", owner: string | null = null): SlashCommandRow => ({
  name,
  description,
  arguments: [],
  argumentHint: null,
  owner,
})
const order: SlashCommandRow = {
  name: "order",
  description: "Orders something.",
  arguments: [{ name: "what", type: "string", required: true, description: "What to order" }],
  argumentHint: null,
  owner: null,
}

/** What each message does to the commands, by its text. */
const acting =
  (acts: Readonly<Record<string, (commands: SlashCommands) => unknown>>): Handler =>
  async (ctx) => {
    const text = ctx.message.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
    await acts[text]?.(ctx.slashCommands)
  }

const effective = (rows: Rows) => [...rows.slashCommands.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
const changesOfCommands = async () => (await stage.log()).filter((change) => change.type === "slashCommands")

async function say(text: string): Promise<Rows> {
  await stage.send(text)
  return stage.idle()
}

describe("slash commands", () => {
  it("[CMP-7] those an agent declares are there from the conversation's first moment", async () => {
    stage = await openStage({ agent: { slashCommands: [order] }, fallback: says("Fine.") })
    expect((await stage.runtime.snapshot(address, { messages: 1 })).slashCommands).toEqual([order])
    expect(stage.runtime.agents()[0]?.slashCommands).toEqual([order])
    await say("Hi")
    expect(effective(await stage.rows())).toEqual([order])
    const [first, second] = await stage.log()
    expect([first?.type, second?.type]).toEqual(["status", "slashCommands"])
  })

  it("[CMP-8] a dynamic command hides a static one of its name; removed, it shows that one again", async () => {
    const seen: unknown[] = []
    const handler = acting({
      hide: (commands) => commands.register({ name: "order", description: "Orders tea.", owner: "tea" }),
      look: (commands) => seen.push(commands.get("order"), commands.get("none"), commands.list().length),
      show: async (commands) => seen.push(await commands.unregister("order")),
      again: async (commands) => seen.push(await commands.unregister("order"), await commands.unregister("none")),
    })
    stage = await openStage({ agent: { slashCommands: [order, row("help")], handler } })
    expect(effective(await say("hide"))).toEqual([row("help"), row("order", "Orders tea.", "tea")])
    await say("look")
    expect(seen.splice(0)).toEqual([row("order", "Orders tea.", "tea"), undefined, 2])
    expect(effective(await say("show"))).toEqual([row("help"), order])
    await say("again")
    expect(seen).toEqual([true, false, false])
  })

  it("[CMP-8] register replaces by name, replaceOwned makes a whole owner's list, and clients see each change live", async () => {
    const handler = acting({
      one: (commands) => commands.register({ name: "a" }),
      two: (commands) => commands.register({ name: "a", description: "Better." }),
      three: (commands) => commands.replaceOwned("git", [{ name: "pull" }, { name: "push" }, { name: "order" }]),
      four: (commands) => commands.replaceOwned("git", [{ name: "pull" }]),
      five: (commands) => commands.replaceOwned("git", []),
    })
    stage = await openStage({ agent: { slashCommands: [order], handler } })
    await say("nothing")
    const live: string[] = []
    const stream = await stage.runtime.conversation(address)
    const unsubscribe = stage.runtime.subscribe(stream.id, (changes) => {
      for (const { collection, operation, key } of changes)
        if (collection === "slashCommands") live.push(`${operation} ${key}`)
    })
    expect(effective(await say("one")).map(({ name, owner }) => [name, owner])).toEqual([
      ["a", "handler"],
      ["order", null],
    ])
    expect(effective(await say("two"))[0]).toEqual(row("a", "Better.", "handler"))
    expect(live.splice(0)).toEqual(["insert a", "update a"])
    await say("three")
    expect(live.splice(0).sort()).toEqual(["insert pull", "insert push", "update order"])
    await say("four")
    expect(live.splice(0).sort()).toEqual(["delete push", "update order"])
    expect(effective(await say("five"))).toEqual([row("a", "Better.", "handler"), order])
    expect(live).toEqual(["delete pull"])
    unsubscribe()
  })

  it("[CMP-8] what does not change is not written", async () => {
    const handler = acting({
      register: (commands) => commands.register({ name: "a", description: "One." }),
      replace: (commands) => commands.replaceOwned("git", [{ name: "pull" }]),
    })
    stage = await openStage({ agent: { slashCommands: [order], handler } })
    for (const text of ["register", "replace"]) {
      await say(text)
      const before = (await changesOfCommands()).length
      await say(text)
      expect(await changesOfCommands()).toHaveLength(before)
    }
  })

  it("[CMP-8] they are rows: a restart keeps them, and an edited agent shows from its next turn on", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parlor-commands-"))
    const handler = acting({ add: (commands) => commands.register({ name: "order", owner: "tea" }) })
    stage = await openStage({ folder, agent: { slashCommands: [order, row("old")], handler } })
    await say("add")
    await stage.close()
    stage = await openStage({ folder, agent: { slashCommands: [order, row("new", "New.")], handler } })
    expect(effective(await stage.rows())).toEqual([row("old"), row("order", "", "tea")])
    expect(effective(await say("hello"))).toEqual([row("new", "New."), row("order", "", "tea")])
    const edited: Agent = {
      name: "crab",
      description: "",
      instructions: "Be another crab.",
      model: scriptedModel([], { fallback: says("Now I am another.") }),
      tools: [],
      slashCommands: [],
    }
    stage.runtime.replaceAgents([edited])
    expect(effective(await say("hello"))).toEqual([row("order", "", "tea")])
    expect((await stage.transcript()).at(-1)).toBe("agent: Now I am another.")
    await stage.close()
    await rm(folder, { recursive: true, force: true })
    stage = await openStage({})
  })

  it("[CMP-14] one that cannot be is the turn's error, in words", async () => {
    const handler = acting({
      "bad name": (commands) => commands.register({ name: "Bad Name" }),
      "too many": (commands) =>
        commands.replaceOwned(
          "git",
          Array.from({ length: 501 }, (_, n) => ({ name: `c${n}` })),
        ),
    })
    stage = await openStage({ agent: { handler } })
    for (const text of ["bad name", "too many"]) {
      await say(text)
      const { status } = await stage.runtime.snapshot(address, { messages: 1 })
      expect(status).toMatchObject({ state: "error", error: { code: "command.invalid" } })
      await stage.runtime.resume(address, txid)
    }
    expect(effective(await stage.rows())).toEqual([])
  })
})
