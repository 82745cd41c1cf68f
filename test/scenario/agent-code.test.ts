/** What tools and handlers can use besides their input: files, memory, the conversation, other agents. */
import { defineAgent, defineTool, type ToolContext } from "@parlor/agent"
import type { ToolPart, Trigger } from "@parlor/protocol"
import { type Scene, scenario } from "@parlor/testing"
import { describe, expect, it } from "vitest"
import { z } from "zod"

/** A tool that does whatever the test says. */
const act = (run: (context: ToolContext) => unknown) =>
  defineTool({
    name: "act",
    description: "Acts.",
    input: z.object({}),
    run: async (_, context) => (await run(context)) as null,
  })

const crab = (run: (context: ToolContext) => unknown) => defineAgent({ name: "crab", tools: [act(run)] })
const lobster = defineAgent({ name: "lobster" })

async function toolsOf(talk: Scene): Promise<readonly ToolPart[]> {
  const messages = await talk.messages()
  return messages.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
}

describe("a tool", () => {
  it("[COD-4] reads, writes, lists and removes files; the changes are its agent's and its turn's", async () => {
    const agents = [
      crab(async ({ workspace }) => {
        await workspace.write("a.txt", "one")
        await workspace.write("b.txt", "two")
        await workspace.delete("b.txt")
        const { content } = await workspace.read("a.txt")
        return { text: new TextDecoder().decode(content), files: (await workspace.list()).map(({ path }) => path) }
      }),
    ]
    const talk = await scenario(agents, { model: [{ call: "act" }, "Done."] })
    await talk.send("Go")
    expect((await toolsOf(talk))[0]?.output).toEqual({ text: "one", files: ["a.txt"] })
    const rows = await talk.rows()
    const [turn] = rows.turns.keys()
    expect([...rows.changes.values()].map(({ path, by, turn }) => ({ path, by, turn }))).toEqual(
      ["a.txt", "b.txt", "b.txt"].map((path) => ({ path, by: "agent:crab", turn })),
    )
    await talk.close()
  })

  it("[COD-3, COD-4] uses memory, and reads the conversation it is in", async () => {
    const agents = [
      crab(async ({ memory, conversation }) => {
        await memory.write({ scope: "user", name: "color", description: "Color", type: "user", body: "Red." })
        return { memories: (await memory.list()).length, transcript: conversation.transcript() }
      }),
    ]
    const talk = await scenario(agents, { model: [{ call: "act" }, "Done."] })
    await talk.send("Remember red")
    expect((await toolsOf(talk))[0]?.output).toMatchObject({
      memories: 1,
      transcript: [{ role: "user", content: expect.stringContaining("Remember red") }],
    })
    await talk.close()
  })

  it("[COD-4] after its turn was stopped it writes nothing more", async () => {
    let late: Promise<unknown> | undefined
    const agents = [
      crab(({ workspace, signal }) => {
        late = new Promise((resolve) => signal.addEventListener("abort", resolve)).then(() =>
          workspace.write("late.txt", "late"),
        )
        late.catch(() => {})
        return new Promise(() => {})
      }),
    ]
    const talk = await scenario(agents, { model: [{ call: "act" }] })
    await talk.send("Go", { wait: false })
    for (let tries = 0; tries < 500 && late === undefined; tries++)
      await new Promise((resolve) => setTimeout(resolve, 1))
    await talk.stop()
    await expect(late).rejects.toThrow()
    expect((await talk.rows()).files.size).toBe(0)
    await talk.close()
  })
})

describe("messages between agents", () => {
  it("[COD-5] a message to another agent is attributed, and its model is told who sent it", async () => {
    const agents = [crab(({ send }) => send({ agent: "lobster" }, { text: "Pinch." })), lobster]
    const talk = await scenario(agents, { model: { crab: [{ call: "act" }, "Sent."], lobster: ["Pinched."] } })
    await talk.send("Tell the lobster")
    await talk.settled()
    const other = talk.with({ agent: "lobster" })
    expect((await toolsOf(talk))[0]?.output).toMatchObject({ agent: "lobster", branch: "main", outcome: "started" })
    const [received] = await other.messages()
    expect(received?.trigger).toMatchObject({
      source: "agent",
      subject: "crab/main",
      depth: 1,
    } satisfies Partial<Trigger>)
    expect(JSON.stringify(other.requests("lobster")[0]?.messages)).toContain("Sent by the agent crab/main")
    expect((await other.transcript()).at(-1)).toBe("agent: Pinched.")
    await talk.close()
  })

  it("[COD-5] spawn creates a conversation with a name of its own, or the given one", async () => {
    const agents = [
      crab(async ({ spawn }) => [
        await spawn({ agent: "lobster" }, { text: "One." }),
        await spawn({ agent: "lobster", branch: "two" }, { text: "Two." }),
      ]),
      lobster,
    ]
    const talk = await scenario(agents, { model: { crab: [{ call: "act" }, "Sent."], lobster: ["1", "2"] } })
    await talk.send("Split it up")
    await talk.settled()
    const output = (await toolsOf(talk))[0]?.output as unknown as readonly { readonly branch: string }[]
    expect(output[0]?.branch).toMatch(/^task-[a-z0-9-]+$/)
    expect(output[1]?.branch).toBe("two")
    for (const { branch } of output) {
      const lines = await talk.with({ agent: "lobster", branch }).transcript()
      expect(lines).toHaveLength(2)
    }
    await talk.close()
  })

  it("[COD-5] after a crash a handler's messages are not sent twice", async () => {
    let runs = 0
    const agents = [
      defineAgent({
        name: "crab",
        handler: async (ctx) => {
          runs += 1
          await ctx.send({ agent: "lobster" }, { text: "Pinch." })
          await ctx.ask("Go on?")
          await ctx.reply("Done.")
        },
      }),
      lobster,
    ]
    const talk = await scenario(agents, { model: { lobster: ["Pinched."] } })
    await talk.send("Go")
    await talk.crash()
    await talk.settled()
    await talk.answer("yes")
    expect(runs).toBe(2)
    const received = (await talk.with({ agent: "lobster" }).messages()).filter(({ role }) => role === "person")
    expect(received).toHaveLength(1)
    await talk.close()
  })

  it("[COD-5] agents that answer each other end at a depth; a person's message starts over", async () => {
    const echo = (name: string, other: string) =>
      defineAgent({
        name,
        handler: async (ctx) => {
          await ctx.send({ agent: other }, { text: "You." }).catch((error: Error) => ctx.reply(error.message))
        },
      })
    const talk = await scenario([echo("crab", "lobster"), echo("lobster", "crab")])
    await talk.send("Go")
    await talk.settled()
    const all = [...(await talk.messages()), ...(await talk.with({ agent: "lobster" }).messages())]
    expect(all.filter(({ role }) => role === "person")).toHaveLength(9)
    const said = all.flatMap(({ role, parts }) => (role === "agent" ? parts : []))
    expect(said).toEqual([{ type: "text", text: expect.stringContaining("8 agents in a row") }])
    await talk.close()
  })

  it.each([
    ["to its own conversation", { agent: "crab" }, "own conversation"],
    ["to an agent that does not exist", { agent: "whale" }, "whale"],
  ])("[COD-5] a message %s is refused", async (_, to, words) => {
    const agents = [crab(({ send }) => send(to, { text: "Hi." })), lobster]
    const talk = await scenario(agents, { model: { crab: [{ call: "act" }, "No."] } })
    await talk.send("Go")
    expect((await toolsOf(talk))[0]).toMatchObject({
      state: "failed",
      error: { detail: expect.stringContaining(words) },
    })
    await talk.close()
  })
})

describe("observations", () => {
  const watcher = (what: Parameters<ToolContext["observe"]>[0]) =>
    crab(async ({ spawn, observe }) => {
      if (what.branch === "child") await spawn({ agent: "lobster", branch: "child" }, { text: "Work." })
      return observe(what)
    })

  it("[COD-6] an agent is woken once when a conversation it spawned has ended", async () => {
    const agents = [watcher({ agent: "lobster", branch: "child" }), lobster]
    const model = { crab: [{ call: "act" }, "Waiting.", "It is done."], lobster: ["Worked.", "Again."] }
    const talk = await scenario(agents, { model })
    await talk.send("Delegate")
    await talk.pass("2m")
    expect((await talk.transcript()).slice(-2)).toEqual([
      expect.stringContaining("lobster/child has finished."),
      "agent: It is done.",
    ])
    const woken = (await talk.messages()).find(({ trigger }) => trigger?.source === "observation")
    expect(woken?.trigger).toMatchObject({ subject: "lobster/child", depth: 1 })
    await talk.with({ agent: "lobster", branch: "child" }).send("More")
    await talk.pass("5m")
    expect((await talk.messages()).filter(({ trigger }) => trigger?.source === "observation")).toHaveLength(1)
    await talk.close()
  })

  it("[COD-6] a change of a file wakes it, even after a crash; a handler gets it as an observation", async () => {
    const wakes: string[] = []
    const agents = [
      defineAgent({
        name: "crab",
        handler: async (ctx) => {
          wakes.push(ctx.wake.type)
          if (ctx.wake.type === "inbox") await ctx.observe({ agent: "lobster", file: "plan.md", prompt: "The plan!" })
          await ctx.reply(ctx.wake.type)
        },
      }),
      lobster,
    ]
    const talk = await scenario(agents, {
      model: { lobster: [{ call: "write_file", input: { path: "plan.md", content: "1." } }, "Ok."] },
    })
    await talk.send("Watch the plan")
    await talk.pass("1m")
    expect(wakes).toEqual(["inbox"])
    await talk.crash()
    await talk.with({ agent: "lobster" }).send("Plan")
    await talk.pass("2m")
    expect(wakes).toEqual(["inbox", "observation"])
    await talk.close()
  })

  it("[COD-6] its own conversation cannot be observed, and one conversation observes at most 20 things", async () => {
    const agents = [
      crab(async ({ observe }) => {
        const own = await observe({ agent: "crab" }).catch((error: Error) => error.message)
        for (let n = 0; n < 20; n++) await observe({ agent: "lobster", file: `${n}.txt` })
        return [own, await observe({ agent: "lobster" }).catch((error: Error) => error.message)]
      }),
      lobster,
    ]
    const talk = await scenario(agents, { model: { crab: [{ call: "act" }, "Ok."] } })
    await talk.send("Go")
    expect((await toolsOf(talk))[0]?.output).toEqual([
      expect.stringContaining("its own conversation"),
      expect.stringContaining("already observes 20 things"),
    ])
    await talk.close()
  })
})
