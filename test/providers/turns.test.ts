/** Whole turns over real HTTP, in each provider's wire format. */
import { emptyUsage } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { openStand, providers, type Stand, tokens, toolCall } from "./stand.ts"
import { requestOf } from "./wire-request.ts"

describe.each(providers)("a turn with $name", (provider) => {
  let stand: Stand
  afterEach(() => stand.close())

  const requests = () => stand.tap.requests.map(({ path, body }) => requestOf(path, body))

  it("[TRN-16] text streams, and the provider was sent instructions, tools and the message", async () => {
    stand = await openStand(provider)
    stand.answers.push({ content: "Hello to you, 世界! 👋", ...tokens(11, 7) })
    await stand.stage.send("Hi")
    const rows = await stand.stage.idle()
    expect(await stand.stage.transcript()).toEqual(["person: Hi", "agent: Hello to you, 世界! 👋"])
    // An answer that comes in one piece is one event (LOG-10).
    const said = (await stand.stage.log()).filter(({ type, key }) => type === "deltas" || rows.messages.has(key))
    expect(said.length).toBeGreaterThan(1)
    expect(rows.status.get("status")?.usage).toMatchObject({ inputTokens: 11, outputTokens: 7 })
    expect(requests()).toMatchObject([
      {
        instructions: "Be brief.",
        messages: [{ role: "person", text: "Hi" }],
        tools: [
          {
            name: "weather",
            description: "The weather in a city.",
            inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
          },
          { name: "broken", description: "Never works." },
        ],
      },
    ])
    expect(JSON.stringify(stand.tap.requests.map(({ body }) => body))).not.toContain("sk-test")
  })

  it("[TRN-11, TRN-14] several steps with parallel calls and a failing tool; each request holds what came before", async () => {
    stand = await openStand(provider)
    const both = [toolCall("weather", { city: "Oslo" }, "call_a"), toolCall("weather", { city: "Rome" }, "call_b")]
    stand.answers.push({ content: "Let me look.", toolCalls: both, ...tokens(10, 5) })
    stand.answers.push({ toolCalls: [toolCall("broken", {}, "call_c")], ...tokens(20, 5) })
    stand.answers.push({ content: "Rome is warmer.", ...tokens(30, 5) })
    await stand.stage.send("Which is warmer?")
    const rows = await stand.stage.idle()
    expect(await stand.stage.transcript()).toEqual([
      "person: Which is warmer?",
      'agent: Let me look.[weather done: {"city":"Oslo","celsius":4}][weather done: {"city":"Rome","celsius":21}]',
      'agent: [broken failed: "tool.failed"]',
      "agent: Rome is warmer.",
    ])
    expect(requests().map(({ messages }) => messages.map(({ role }) => role).join(" "))).toEqual([
      "person",
      "person agent tools",
      "person agent tools agent tools",
    ])
    expect(requests()[2]?.messages.slice(1)).toMatchObject([
      {
        parts: [
          { type: "text", text: "Let me look." },
          { type: "tool", call: "call_a", name: "weather", input: { city: "Oslo" } },
          { type: "tool", call: "call_b", name: "weather", input: { city: "Rome" } },
        ],
      },
      {
        results: [
          { call: "call_a", output: '{"city":"Oslo","celsius":4}' },
          { call: "call_b", output: '{"city":"Rome","celsius":21}' },
        ],
      },
      { parts: [{ call: "call_c", name: "broken", input: {} }] },
      { results: [{ call: "call_c", output: "no wires" }] },
    ])
    const [turn] = [...rows.turns.values()]
    expect(turn).toMatchObject({ steps: 3, state: "done", usage: { inputTokens: 60, outputTokens: 15 } })
    const said = [...rows.messages.values()].filter(({ role }) => role === "agent")
    const tokensOnly = said.map(({ usage }) => ({ ...usage, costMicros: 0 }))
    expect(tokensOnly).toEqual([10, 20, 30].map((inputTokens) => ({ ...emptyUsage, inputTokens, outputTokens: 5 })))
  })

  it("[TRN-8] one id for two calls, in a step and across steps: each request has each id once", async () => {
    stand = await openStand(provider)
    const same = (city: string) => toolCall("weather", { city }, "call_1")
    stand.answers.push({ toolCalls: [same("Oslo"), same("Rome")] }, { toolCalls: [same("Oslo")] }, { content: "Done." })
    await stand.stage.send("Go")
    await stand.stage.idle()
    expect((await stand.stage.transcript()).at(-1)).toBe("agent: Done.")
    const ids = requests()
      .at(-1)
      ?.messages.flatMap((message) => (message.role === "tools" ? message.results : []))
    expect(new Set(ids?.map(({ call }) => call)).size).toBe(3)
    expect(ids?.map(({ output }) => output)).toEqual([
      '{"city":"Oslo","celsius":4}',
      '{"city":"Rome","celsius":21}',
      '{"city":"Oslo","celsius":4}',
    ])
  })

  it("[TRN-11] a tool that is not there, and an input that is not right, are results the model sees", async () => {
    stand = await openStand(provider)
    stand.answers.push({ toolCalls: [toolCall("no_such", {}, "call_1"), toolCall("weather", { town: 1 }, "call_2")] })
    stand.answers.push({ content: "Sorry." })
    await stand.stage.send("Go")
    await stand.stage.idle()
    expect(await stand.stage.transcript()).toEqual([
      "person: Go",
      'agent: [no_such failed: "tool.unknown"][weather failed: "tool.input"]',
      "agent: Sorry.",
    ])
    expect(requests()[1]?.messages[2]).toMatchObject({
      results: [{ output: 'There is no tool "no_such".' }, { output: expect.stringContaining("city") }],
    })
  })
})
