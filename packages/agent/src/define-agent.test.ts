import { commandsIn, type Json, type Model, skillsLoader } from "@parlor/core"
import { says, scriptedModel } from "@parlor/core/testing"
import { type ComposerInput, sendBody, type Trigger } from "@parlor/protocol"
import { describe, expect, expectTypeOf, it } from "vitest"
import { z } from "zod"
import { ConfigError } from "./config-error.ts"
import { defineAgent } from "./define-agent.ts"
import { defineConfig } from "./define-config.ts"
import { defineTool } from "./define-tool.ts"

const model: Model = scriptedModel([says("Hi")])
const tool = (name: string) => defineTool({ name, description: "Does it.", run: () => null })

describe("defineAgent", () => {
  it("needs nothing but a name", () => {
    expect(defineAgent({ name: "crab" })).toEqual({ name: "crab" })
  })

  it("[CMP-9] payloads and wakes infer from the schemas it declares", () => {
    defineAgent({
      name: "shop",
      inbox: { order: z.object({ id: z.number(), note: z.string().optional() }), ping: z.null() },
      handler: async (ctx) => {
        expectTypeOf(ctx.wake.type).toEqualTypeOf<"inbox" | "schedule" | "webhook" | "observation" | "spawn">()
        expectTypeOf(ctx.wake.recovered).toEqualTypeOf<boolean>()
        if (ctx.wake.type === "spawn") {
          expectTypeOf(ctx.wake.message.payload).toEqualTypeOf<{ branch: string; from: string | null }>()
          return
        }
        expectTypeOf(ctx.wake.message.message_type).toEqualTypeOf<"composer_input" | "order" | "ping">()
        if (ctx.wake.type === "inbox") expectTypeOf(ctx.wake.envelope).toEqualTypeOf<Trigger | null>()
        if (ctx.wake.type === "webhook") expectTypeOf(ctx.wake.envelope).toEqualTypeOf<Trigger>()
        if (ctx.wake.message.message_type === "order")
          expectTypeOf(ctx.wake.message.payload).toEqualTypeOf<{ id: number; note?: string | undefined }>()
        if (ctx.wake.message.message_type === "ping") expectTypeOf(ctx.wake.message.payload).toEqualTypeOf<null>()
        if (ctx.wake.type === "inbox" && ctx.wake.message.message_type === "composer_input")
          expectTypeOf(ctx.wake.message.payload).toEqualTypeOf<ComposerInput>()
        // @ts-expect-error There is no such type of message.
        if (ctx.wake.message.message_type === "refund") return
        await skillsLoader(ctx)
        expectTypeOf(commandsIn(ctx.wake)).toExtend<readonly { name: string; text: string }[]>()
        expectTypeOf(await ctx.run())
          .toHaveProperty("text")
          .toEqualTypeOf<string>()
        expectTypeOf(await ctx.ask("Sure?")).toEqualTypeOf<Json | undefined>()
      },
    })
    defineAgent({
      name: "plain",
      handler: (ctx) => {
        if (ctx.wake.type === "inbox") expectTypeOf(ctx.wake.message.payload).toEqualTypeOf<ComposerInput>()
      },
    })
    // @ts-expect-error There is no such field.
    expect(() => defineAgent({ name: "crab", instruction: "Be a crab." })).toThrow(ConfigError)
  })

  it.each([
    ...["order", "orderPlaced", "rpc.call:v2", "a_b-c", "x".repeat(64)].map((type) => [type, true] as const),
    ...["Order", "1st", "_a", "a b", "", "ö", "x".repeat(65), "spawn", "sidecar_answer"].map(
      (type) => [type, false] as const,
    ),
  ])("[CMP-23] the type %j is accepted in a definition and in a send, or in neither: %s", (type, isAccepted) => {
    const declare = () => defineAgent({ name: "crab", inbox: { [type]: z.null() } })
    if (isAccepted) expect(declare).not.toThrow()
    else expect(declare).toThrow(ConfigError)
    expect(sendBody.safeParse({ type, payload: null }).success).toBe(isAccepted)
  })

  it.each([
    [{ name: "Big Crab" }, 'Agent "Big Crab": name:'],
    [{}, 'Agent "undefined": name:'],
    [{ name: "crab", instruction: "x" }, 'Agent "crab": instruction: unknown field'],
    [{ name: "crab", instructions: 7 }, 'Agent "crab": instructions: must be a string'],
    [{ name: "crab", memory: "yes" }, 'Agent "crab": memory: must be true or false'],
    [{ name: "crab", retention: 3 }, 'Agent "crab": retention: must be { days, conversations }'],
    [{ name: "crab", retention: { days: 0 } }, 'Agent "crab": retention.days: must be a positive integer'],
    [{ name: "crab", retention: { day: 1 } }, 'Agent "crab": retention.day: unknown field'],
    [{ name: "crab", budgetTokens: -1 }, 'Agent "crab": budgetTokens: must be a positive integer'],
    [{ name: "crab", model: {} }, 'Agent "crab": model: name a model'],
    [{ name: "crab", onStop: "wait" }, 'Agent "crab": onStop:'],
    [{ name: "crab", handler: "run" }, 'Agent "crab": handler: must be a function'],
    [{ name: "crab", tools: {} }, 'Agent "crab": tools: must be a list'],
    [{ name: "crab", tools: [{ name: "x" }] }, 'Agent "crab": tools[0]: make it with defineTool'],
    [{ name: "crab", tools: [tool("a"), tool("a")] }, 'Agent "crab": tools[1]: there are two tools named "a"'],
    [
      { name: "crab", tools: [tool("memory_write")] },
      'Agent "crab": tools[0]: "memory_write" is the name of a built-in',
    ],
    [
      { name: "crab", slashCommands: [{ name: "Go" }] },
      'Agent "crab": slashCommands[0]: "Go" is not a valid command name',
    ],
    [
      { name: "crab", slashCommands: [{ name: "a" }, { name: "a" }] },
      'Agent "crab": slashCommands[1]: there are two commands',
    ],
    [{ name: "crab", inbox: { composer_input: z.null() } }, 'Agent "crab": inbox.composer_input:'],
    [{ name: "crab", inbox: { spawn: z.null() } }, 'Agent "crab": inbox.spawn:'],
    [
      { name: "crab", inbox: { sidecar_answer: z.null() } },
      'Agent "crab": inbox.sidecar_answer: this type is reserved',
    ],
    [{ name: "crab", inbox: { Order: z.null() } }, 'Agent "crab": inbox.Order: A message type has 1 to 64 letters'],
    [{ name: "crab", inbox: { order: {} } }, 'Agent "crab": inbox.order: must be a zod schema'],
    [{ name: "crab", skills: [""] }, 'Agent "crab": skills[0]: name a folder'],
    [{ name: "crab", acp: { command: [] } }, 'Agent "crab": acp.command: must be a list of strings'],
    [{ name: "crab", acp: { command: ["a"] }, tools: [] }, 'Agent "crab": tools: does not apply to a hosted agent'],
    [
      { name: "crab", acp: { command: ["a"] }, workspace: false },
      'Agent "crab": workspace: a hosted agent (acp) always',
    ],
    [
      { name: "crab", acp: { command: ["a"] }, workspace: { folder: "" } },
      'Agent "crab": workspace.folder: name a folder',
    ],
    [
      { name: "crab", acp: { command: ["a"] }, mcp: { files: { command: "a", approval: "always" } } },
      'Agent "crab": mcp.files.approval: does not apply to a hosted agent',
    ],
  ])("%# names the agent and the field that is wrong", (options, why) => {
    expect(() => defineAgent(options as { name: string })).toThrow(why)
    expect(() => defineConfig({ agents: [options as { name: string }] })).toThrow(ConfigError)
  })

  it("takes everything it knows", () => {
    const all = {
      name: "crab",
      description: "A crab.",
      model,
      fallback: "demo",
      instructions: "Be a crab.",
      tools: [tool("pinch")],
      slashCommands: [{ name: "pinch", arguments: [{ name: "what", required: true }] }],
      inbox: { tide: z.object({ height: z.number() }) },
      skills: ["./skills"],
      shippedSkills: false,
      standardTools: false,
      memory: false,
      workspace: false,
      wakeups: false,
      handler: () => {},
      handlerTimeoutMs: 1_000,
      budgetTokens: 1,
      retention: { days: 30, conversations: 100 },
      personBudgetTokens: 1,
      maxMessages: 1,
      onStop: "drain",
      asksWhenTriggered: true,
      wakeOnSpawn: true,
    } as const
    expect(defineAgent(all)).toBe(all)
  })
})

describe("defineConfig", () => {
  it.each([
    [{ agents: [] }, "agents: at least one is required"],
    [{ agents: "crab" }, "must export its agents"],
    [undefined, "must export its agents"],
    [{ agents: [{ name: "a" }, { name: "a" }] }, 'Agent "a": name: appears twice'],
    [{ agents: [{ name: "a" }], skill: [] }, "skill: unknown field"],
    [{ agents: [{ name: "a" }], skills: "x" }, "skills: must be a list of folders"],
    [{ agents: [{ name: "a" }], model: 1 }, "model: name a model"],
  ])("%# says what is wrong", (config, why) => {
    expect(() => defineConfig(config as { agents: [] })).toThrow(why)
  })
})

describe("defineTool", () => {
  it("infers its input and output", async () => {
    const add = defineTool({
      name: "add",
      description: "Adds.",
      input: z.object({ a: z.number(), b: z.number().default(1) }),
      output: z.object({ sum: z.number() }),
      repeatable: true,
      approval: ({ a }) => a > 100,
      run: ({ a, b }, context) => {
        expectTypeOf(a).toEqualTypeOf<number>()
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>()
        return { sum: a + b, secret: "left out" }
      },
    })
    expect(await add.run(add.input.parse({ a: 1 }), {} as never)).toEqual({ sum: 2 })
    expect(add).toMatchObject({ name: "add", repeatable: true })
    defineTool({
      name: "bad",
      description: "Says the wrong thing.",
      output: z.object({ sum: z.number() }),
      // @ts-expect-error The sum is a number.
      run: () => ({ sum: "1" }),
    })
  })

  it("without an input it takes nothing, without an answer it answers null, and it is run once", async () => {
    const nothing = defineTool({ name: "nothing", description: "Nothing.", run: () => undefined })
    expect(await nothing.run({}, {} as never)).toBeNull()
    expect(nothing.repeatable).toBe(false)
    expect(nothing.input.safeParse({}).success).toBe(true)
  })

  it.each([
    [{ name: "no name" }, 'Tool "no name": a name is'],
    [{ name: "a", description: " " }, 'Tool "a": description'],
    [{ name: "a", run: 1 }, 'Tool "a": run must be a function'],
    [{ name: "a", input: {} }, 'Tool "a": input must be a zod schema'],
    [{ name: "a", input: z.string() }, 'Tool "a": input must be an object'],
    [{ name: "a", input: z.object({ when: z.date() }) }, 'Tool "a": input:'],
    [{ name: "a", timeoutMs: 0 }, 'Tool "a": timeoutMs'],
  ])("%# says what is wrong", (options, why) => {
    const all = { description: "Does it.", run: () => null, ...options }
    expect(() => defineTool(all as Parameters<typeof defineTool>[0])).toThrow(why)
  })
})
