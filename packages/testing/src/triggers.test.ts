import { defineAgent, defineConfig, defineTool } from "@parlor/agent"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { fails, scenario } from "./index.ts"

const DAY = 24 * 3_600_000
const clerk = defineAgent({ name: "clerk" })
const config = defineConfig({
  agents: [clerk, defineAgent({ name: "critic" })],
  schedules: { report: { agent: "clerk", when: { cron: "0 9 * * 1-5", timeZone: "Europe/Berlin" }, text: "Report." } },
  webhooks: { ci: { agent: "clerk", secretEnv: "CI_SECRET", template: "{{headers.x-event}}: {{body.state}}" } },
  notices: { ops: { url: "https://ops.test/", secretEnv: "OPS_SECRET", events: ["turn.finished"] } },
  mcp: {
    crm: { command: "crm", agents: ["clerk"], approval: ["refund"], wakeOn: [{ resource: "crm://orders" }] },
  },
})

describe("triggers in a scenario", () => {
  it("[TRG-3] [TRG-11] a declared schedule fires at its times, as time passes", async () => {
    const model = ["Monday.", "Tuesday."]
    const talk = await scenario(config, { model, startAt: "2026-03-02T07:00:00Z" })
    await talk.pass("2h")
    expect(await talk.transcript()).toEqual(["person: Report.", "agent: Monday."])
    await talk.pass("1d")
    expect(await talk.firings("report")).toMatchObject([
      { dueAt: Date.parse("2026-03-03T08:00:00Z"), became: "done" },
      { dueAt: Date.parse("2026-03-02T08:00:00Z"), became: "done" },
    ])
    await talk.close()
  })

  it("[TRG-7] a schedule is fired and a webhook delivered to by name, and what became of it is known", async () => {
    const talk = await scenario(config, { model: ["Reported.", "Red? I see."] })
    await talk.fire("report")
    const headers = { "X-Event": "build" }
    const first = await talk.deliver("ci", { state: "red" }, { id: "d1", headers })
    expect(await talk.deliver("ci", { state: "red" }, { id: "d1", headers })).toEqual(first)
    expect((await talk.transcript()).slice(2)).toEqual(["person: build: red", "agent: Red? I see."])
    expect(await talk.firings("ci")).toMatchObject([{ id: "d1", became: "done" }])
    await expect(talk.fire("none")).rejects.toThrow('There is no trigger "none". Available: report.')
    await talk.close()
  })

  it("[TRG-9] [QUE-20] a webhook's message that fails is tried again, and outgoing webhooks tell of both", async () => {
    const talk = await scenario(config, {
      model: [fails("busy", { passing: true }), "Now."],
      settings: { retry: { tries: 1, baseMs: 1, maxMs: 1 } },
    })
    await talk.deliver("ci", { state: "red" })
    await talk.pass("1m")
    expect((await talk.transcript()).at(-1)).toBe("agent: Now.")
    expect(talk.posts().map(({ type, data }) => `${type} ${data.state}`)).toEqual([
      "turn.finished failed",
      "turn.finished done",
    ])
    await talk.close()
  })

  it("[TRG-4] an agent's wakeups are listed, and wake it when their time has come", async () => {
    const when = { delayMs: 7_200_000 }
    const wake = { call: "request_wakeup", input: { when, prompt: "Is it done?", reason: "the build" } }
    const talk = await scenario(clerk, { model: [wake, "I will look.", "It is done."] })
    await talk.send("Tell me when it is done")
    expect(await talk.wakeups()).toMatchObject([{ name: "the build", state: "active" }])
    await talk.pass("90m")
    expect(await talk.transcript()).toHaveLength(3)
    await talk.pass("1h")
    expect((await talk.transcript()).slice(-2)).toEqual(["person: Is it done?", "agent: It is done."])
    expect(await talk.wakeups()).toEqual([])
    await talk.close()
  })

  it("[TRG-6] an MCP server lends tools under its name, asks where the config says, and wakes whom it says", async () => {
    const refund = defineTool({
      name: "refund",
      description: "Refunds an order.",
      input: z.object({ order: z.string() }),
      run: ({ order }) => ({ refunded: order }),
    })
    const talk = await scenario(config, {
      model: [{ call: "crm__refund", input: { order: "A-7" } }, "Refunded.", "Seen."],
      mcp: { crm: { tools: [refund] } },
    })
    await talk.send("Refund A-7")
    expect(await talk.asks()).toMatchObject([{ kind: "approval" }])
    await talk.answer(true)
    expect((await talk.transcript()).slice(-2)).toEqual([
      'agent: [crm__refund done: {"from":"MCP server crm","untrusted":true,"output":{"refunded":"A-7"}}]',
      "agent: Refunded.",
    ])
    await talk.changed("crm", { resource: "crm://orders" })
    expect((await talk.messages()).at(-2)?.trigger).toMatchObject({ source: "mcp-event", subject: "crm://orders" })
    expect(talk.requests("critic")).toEqual([])
    await expect(talk.changed("crm", { list: "tools" })).rejects.toThrow("No agent is woken by")
    await expect(scenario(config, { mcp: { shop: {} } })).rejects.toThrow('no MCP server "shop"')
    await talk.close()
  })

  it("[QUE-19] an ask expires as time passes; a person who is away is not asked again", async () => {
    const careful = defineAgent({
      name: "careful",
      handler: async (ctx) => {
        const answer = await ctx.ask({ kind: "question", title: "Which?", expiresInMs: DAY })
        await ctx.reply(answer === undefined ? "Nobody answered." : "Thanks.")
      },
    })
    const talk = await scenario(careful)
    await talk.send("go")
    expect(await talk.asks()).toHaveLength(1)
    await talk.pass("23h")
    expect(await talk.asks()).toHaveLength(1)
    await talk.pass("2h")
    expect((await talk.transcript()).at(-1)).toBe("agent: Nobody answered.")
    await talk.close()
  })
})
