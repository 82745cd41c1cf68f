/** `parlor acp` with the protocol's own client against a real server (API-25 to API-34). */
import { ModelFault } from "@parlor/core"
import { calls, finish, gate, says, scriptedModel } from "@parlor/core/testing"
import { COMPOSER_INPUT } from "@parlor/protocol"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { startTestServer, type TestServer } from "../http/server.ts"
import { type Editor, type EditorOptions, openEditor, textOf } from "./acp.ts"
import { choose, pay, words } from "./tools.ts"

// Every editor starts a process of its own, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })
const POLL = { timeout: 30_000 }

let server: TestServer
let editors: Editor[] = []
const order = {
  name: "order",
  description: "Orders.",
  arguments: [{ name: "what", type: "string" as const, required: true, description: "What to order." }],
  owner: null,
}
beforeEach(async () => {
  server = await startTestServer({ agent: { tools: [pay, choose], workspace: true, slashCommands: [order] } })
})
afterEach(async () => {
  for (const editor of editors) await editor.close()
  editors = []
  await server.close()
})

async function editor(options: Partial<EditorOptions> = {}): Promise<Editor> {
  const opened = await openEditor({ url: `http://127.0.0.1:${server.port}`, token: server.token, ...options })
  editors.push(opened)
  return opened
}
const state = (branch: string) => server.runtime.snapshot({ agent: "host", person: "me", branch }, { messages: 20 })

describe("an ACP client", () => {
  it("[API-25] a session is a branch: prompts, thoughts, text and usage", async () => {
    server.script([{ type: "reasoning", text: "Hm." }, ...words("Hello ", "there."), finish()], says("Still here."))
    const zed = await editor()
    expect(zed.about.agentInfo?.name).toBe("parlor")
    const session = await zed.open()
    expect(await zed.prompt(session, "Hi")).toBe("end_turn")
    expect(zed.text()).toBe("Hello there.")
    expect(textOf(zed.updates, "agent_thought_chunk")).toBe("Hm.")
    expect(textOf(zed.updates, "user_message_chunk")).toBe("")
    expect(await zed.prompt(session, "And now?")).toBe("end_turn")
    expect(zed.text()).toBe("Hello there.Still here.")
    expect((await state(session)).messages.map(({ role }) => role)).toEqual(["person", "agent", "person", "agent"])
    await expect.poll(() => zed.updates.map((update) => update.sessionUpdate), POLL).toContain("usage_update")
    expect(zed.strayLines).toEqual([])
  })

  it("[API-26] loading replays the conversation, after a restart of the process too", async () => {
    server.script(calls("pay", { amount: 5 }), says("Paid."))
    const first = await editor()
    const session = await first.open()
    await first.prompt(session, "Pay")
    await first.close()
    const second = await editor()
    const { sessions } = await second.agent.request("session/list", {})
    expect(sessions.map(({ sessionId }) => sessionId)).toContain(session)
    await second.agent.request("session/load", { sessionId: session, cwd: "/tmp", mcpServers: [] })
    expect(second.updates.slice(0, 3)).toMatchObject([
      { sessionUpdate: "user_message_chunk", content: { text: "Pay" } },
      { sessionUpdate: "tool_call", name: "pay", status: "completed", rawOutput: { paid: 5 } },
      { sessionUpdate: "agent_message_chunk", content: { text: "Paid." } },
    ])
    server.script(says("Again."))
    expect(await second.prompt(session, "And?")).toBe("end_turn")
    expect(second.text()).toBe("Paid.Again.")
  })

  it("[API-26] a running turn is loaded whole, and resumed from where it is; each end once", async () => {
    const held = gate()
    server.script([...words("One ", "two "), held, ...words("three."), finish()])
    const first = await editor()
    const session = await first.open()
    const prompted = first.prompt(session, "Count")
    await expect.poll(() => first.text(), POLL).toBe("One two ")
    const [loaded, resumed] = [await editor(), await editor()]
    const at = { sessionId: session, cwd: "/tmp", mcpServers: [] }
    await loaded.agent.request("session/load", at)
    await resumed.agent.request("session/resume", at)
    await expect.poll(() => loaded.text(), POLL).toBe("One two ")
    expect(textOf(loaded.updates, "user_message_chunk")).toBe("Count")
    held.open()
    expect(await prompted).toBe("end_turn")
    await expect.poll(() => [loaded.text(), resumed.text()], POLL).toEqual(["One two three.", "three."])
    expect(first.text()).toBe("One two three.")
    expect(textOf(resumed.updates, "user_message_chunk")).toBe("")
  })

  it("[API-26] a process that ends while the turn runs stops nothing; closing a session cancels its prompts", async () => {
    const [one, two] = [gate(), gate()]
    server.script([...words("Kept "), one, ...words("on."), finish()], [...words("Cut"), two, finish()])
    const first = await editor()
    const session = await first.open()
    void first.prompt(session, "Go").catch(() => undefined)
    await expect.poll(() => first.text(), POLL).toBe("Kept ")
    await first.close()
    one.open()
    await expect.poll(async () => JSON.stringify((await state(session)).messages), POLL).toContain("Kept on.")
    const second = await editor()
    const prompted = second.prompt(session, "More")
    await expect.poll(() => second.text(), POLL).toBe("Cut")
    await second.agent.request("session/close", { sessionId: session })
    expect(await prompted).toBe("cancelled")
    two.open()
  })

  it("[API-27] a prompt queued behind another ends with its own reply; other devices' messages are shown", async () => {
    const held = gate()
    server.script([...words("First."), held, finish()], says("Second."), says("Third."))
    const zed = await editor()
    const session = await zed.open()
    const ends: string[] = []
    const first = zed.prompt(session, "1").then((reason) => ends.push(`1 ${reason}`))
    await expect.poll(() => zed.text(), POLL).toBe("First.")
    const second = zed.prompt(session, "2").then((reason) => ends.push(`2 ${reason}`))
    await expect.poll(async () => (await state(session)).queue.length, POLL).toBe(1)
    expect(ends).toEqual([])
    held.open()
    await Promise.all([first, second])
    expect(ends).toEqual(["1 end_turn", "2 end_turn"])
    expect(zed.text()).toBe("First.Second.")
    const address = { agent: "host", person: "me", branch: session }
    const payload = { source: "From the phone" }
    await server.runtime.send(address, {
      type: COMPOSER_INPUT,
      payload,
      mode: "immediate",
      source: "person",
      txid: server.runtime.txid(),
    })
    await expect.poll(() => zed.text(), POLL).toBe("First.Second.Third.")
    expect(textOf(zed.updates, "user_message_chunk")).toBe("From the phone")
  })

  it("[API-28] a cancel stops the turn, removes what is queued, keeps the text, and the next prompt runs", async () => {
    const held = gate()
    server.script([...words("Half"), held, finish()], says("Whole."))
    const zed = await editor()
    const session = await zed.open()
    const first = zed.prompt(session, "1")
    await expect.poll(() => zed.text(), POLL).toBe("Half")
    const second = zed.prompt(session, "2")
    await expect.poll(async () => (await state(session)).queue.length, POLL).toBe(1)
    await zed.agent.notify("session/cancel", { sessionId: session })
    expect(await Promise.all([first, second])).toEqual(["cancelled", "cancelled"])
    const { messages, queue } = await state(session)
    expect(queue).toEqual([])
    expect(messages.at(-1)).toMatchObject({ state: "truncated", parts: [{ type: "text", text: "Half" }] })
    expect(await zed.prompt(session, "3")).toBe("end_turn")
    expect(zed.text()).toBe("HalfWhole.")
    held.open()
  })

  it("[API-28] canceling one request leaves the other", async () => {
    const held = gate()
    server.script([...words("One"), held, ...words("."), finish()])
    const zed = await editor()
    const session = await zed.open()
    const first = zed.prompt(session, "1")
    await expect.poll(() => zed.text(), POLL).toBe("One")
    const abort = new AbortController()
    const prompt = [{ type: "text" as const, text: "2" }]
    const options = { cancellationSignal: abort.signal }
    const second = zed.agent.request("session/prompt", { sessionId: session, prompt }, options)
    await expect.poll(async () => (await state(session)).queue.length, POLL).toBe(1)
    abort.abort()
    expect((await second).stopReason).toBe("cancelled")
    held.open()
    expect(await first).toBe("end_turn")
    expect(zed.text()).toBe("One.")
  })

  it("[API-29] tool calls have states, and the files they change are diffs", async () => {
    const edits = [{ old: "two", new: "three" }]
    server.script(
      calls("write_file", { path: "notes.md", content: "one two" }),
      calls("edit_file", { path: "notes.md", edits }),
      says("Done."),
    )
    const zed = await editor()
    const session = await zed.open()
    await zed.prompt(session, "Write")
    const path = `/parlor/host/${session}/notes.md`
    const shown = zed.updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith("tool_call"))
    expect(shown).toMatchObject([
      {
        sessionUpdate: "tool_call",
        title: "write_file notes.md",
        kind: "edit",
        status: "pending",
        locations: [{ path }],
      },
      { status: "in_progress" },
      { status: "completed", content: [{ type: "diff", path, oldText: null, newText: "one two" }, {}] },
      { sessionUpdate: "tool_call", title: "edit_file notes.md", rawInput: { edits } },
      { status: "in_progress" },
      { status: "completed", content: [{ oldText: "one two", newText: "one three" }, {}], locations: [{ path }] },
    ])
    expect(new Set(shown.map((update) => "toolCallId" in update && update.toolCallId)).size).toBe(2)
  })

  it("[API-30] approvals are permission requests: allowed, then denied", async () => {
    server.script(calls("pay", { amount: 5 }), calls("pay", { amount: 7 }), says("Done."))
    const answers = ["allow", "deny"]
    const zed = await editor({ permission: async () => answers.shift() })
    const session = await zed.open()
    expect(await zed.prompt(session, "Pay")).toBe("end_turn")
    expect(zed.permissions.map(({ toolCall }) => toolCall.title)).toEqual([
      "Allow host to use pay?",
      "Allow host to use pay?",
    ])
    const known = zed.updates.map((update) => ("toolCallId" in update ? update.toolCallId : ""))
    for (const { toolCall } of zed.permissions) expect(known).toContain(toolCall.toolCallId)
    const ended = zed.updates.flatMap((update) =>
      update.sessionUpdate === "tool_call_update" && update.status !== "in_progress" ? [update.status] : [],
    )
    expect(ended).toEqual(["completed", "failed"])
  })

  it("[API-30] an approval given on another device cancels the request; a cancel withdraws it", async () => {
    server.script(calls("pay", { amount: 5 }), says("Paid."), calls("pay", { amount: 7 }))
    const zed = await editor({ permission: () => new Promise(() => undefined) })
    const session = await zed.open()
    const address = { agent: "host", person: "me", branch: session }
    const first = zed.prompt(session, "Pay")
    await expect.poll(() => zed.permissions.length, POLL).toBe(1)
    const [ask] = (await state(session)).asks
    await server.runtime.answer(address, ask?.id ?? "", true, { by: "person", txid: server.runtime.txid() })
    expect(await first).toBe("end_turn")
    const second = zed.prompt(session, "Pay more")
    await expect.poll(() => zed.permissions.length, POLL).toBe(2)
    await zed.agent.notify("session/cancel", { sessionId: session })
    expect(await second).toBe("cancelled")
    expect((await state(session)).asks).toEqual([])
  })

  it("[API-30] an open approval is asked again after a restart of the process", async () => {
    server.script(calls("pay", { amount: 5 }), says("Paid."))
    const first = await editor({ permission: () => new Promise(() => undefined) })
    const session = await first.open()
    void first.prompt(session, "Pay").catch(() => undefined)
    await expect.poll(() => first.permissions.length, POLL).toBe(1)
    await first.close()
    const second = await editor()
    await second.agent.request("session/load", { sessionId: session, cwd: "/tmp", mcpServers: [] })
    await expect.poll(() => second.text(), POLL).toBe("Paid.")
    expect(second.permissions).toHaveLength(1)
  })

  it("[API-31] a question is an elicitation", async () => {
    server.script(calls("choose", {}), says("Coffee it is."))
    const asked: unknown[] = []
    const zed = await editor({
      elicitation: async (request) => {
        asked.push(request)
        return { action: "accept", content: { answer: "Coffee" } }
      },
    })
    expect(await zed.prompt(await zed.open(), "Drink?")).toBe("end_turn")
    expect(zed.text()).toBe("Coffee it is.")
    expect(asked).toMatchObject([
      { mode: "form", message: "Which?", requestedSchema: { properties: { answer: { enum: ["Tea", "Coffee"] } } } },
    ])
  })

  it("[API-31] without elicitations the next prompt answers, a wrong answer leaves the question open", async () => {
    server.script(calls("choose", {}), says("Tea it is."))
    const zed = await editor()
    const session = await zed.open()
    expect(await zed.prompt(session, "Drink?")).toBe("end_turn")
    expect(zed.text()).toBe("Which?\n1. Tea\n2. Coffee")
    await expect(zed.prompt(session, "7")).rejects.toMatchObject({ code: -32602 })
    expect((await state(session)).asks).toHaveLength(1)
    expect(await zed.prompt(session, "1")).toBe("end_turn")
    expect(zed.text()).toContain("Tea it is.")
    expect((await state(session)).messages.filter(({ role }) => role === "person")).toHaveLength(1)
  })

  it("[API-32] resources and images are attached; commands are listed and run", async () => {
    const zed = await editor()
    const session = await zed.open()
    await expect
      .poll(() => zed.updates, POLL)
      .toContainEqual({
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name: "order", description: "Orders.", input: { hint: "<what>" } }],
      })
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    await zed.agent.request("session/prompt", {
      sessionId: session,
      prompt: [
        { type: "text", text: "Look at " },
        { type: "resource", resource: { uri: "file:///src/main.rs", mimeType: "text/rust", text: "fn main() {}" } },
        { type: "text", text: " and " },
        { type: "resource_link", name: "the docs", uri: "https://example.com/docs" },
        { type: "image", data: png, mimeType: "image/png" },
      ],
    })
    const [message] = (await state(session)).messages
    expect(message?.composer?.source).toBe("Look at main.rs and [the docs](https://example.com/docs)")
    expect(message?.parts.flatMap((part) => (part.type === "attachment" ? [part.mediaType] : []))).toEqual([
      "text/rust",
      "image/png",
    ])
    expect(JSON.stringify(server.requests[0])).toContain("fn main()")
    await zed.prompt(session, "/order tea")
    const ordered = (await state(session)).messages.findLast(({ role }) => role === "person")
    expect(ordered?.composer?.nodes?.map(({ kind }) => kind)).toContain("slash_command")
  })

  it("[API-54] the model is a config option: chosen here or elsewhere, kept after a reload, and refused if it is not offered", async () => {
    await server.close()
    const quick = { ...scriptedModel([says("Quick.")]), name: "quick" }
    const offer = { name: "quick", window: 5_000, load: async () => quick }
    server = await startTestServer({ agent: { offers: () => [offer] } })
    const { agent, updates, ...opened } = await editor()
    const { sessionId, configOptions } = await agent.request("session/new", { cwd: "/tmp", mcpServers: [] })
    expect(configOptions).toMatchObject([
      { id: "model", type: "select", category: "model", currentValue: "scripted", options: [{}, { value: "quick" }] },
    ])
    const select = (value: string, configId = "model") =>
      agent.request("session/set_config_option", { sessionId, configId, value })
    expect(await select("quick")).toMatchObject({ configOptions: [{ currentValue: "quick" }] })
    expect(await opened.prompt(sessionId, "Who?")).toBe("end_turn")
    expect(opened.text()).toBe("Quick.")
    await expect(select("nobody")).rejects.toMatchObject({ code: -32602, data: { code: "model.not-offered" } })
    await expect(select("quick", "mode")).rejects.toMatchObject({ code: -32602 })
    expect((await state(sessionId)).status.settings).toEqual({ model: "quick" })
    const again = await agent.request("session/load", { sessionId, cwd: "/tmp", mcpServers: [] })
    expect(again.configOptions).toMatchObject([{ currentValue: "quick" }])
    const path = `http://127.0.0.1:${server.port}/v1/conversations/host/${sessionId}/settings`
    const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" }
    expect((await fetch(path, { method: "PUT", headers, body: "{}" })).status).toBe(200)
    await expect
      .poll(() => updates.findLast(({ sessionUpdate }) => sessionUpdate === "config_option_update"))
      .toMatchObject({ configOptions: [{ currentValue: "scripted" }] })
  })

  it("[API-33] shows no text of a failed attempt twice", async () => {
    const fault = new ModelFault("Too many requests.", { transient: true, retryAfterMs: 5 })
    server.script([...words("Half "), fault], [...words("Half ", "and half."), finish()])
    server.script([...words("Good"), fault], [...words("Go", "lden"), finish()])
    const zed = await editor()
    const session = await zed.open()
    await zed.prompt(session, "Hi")
    expect(zed.text()).toBe("Half and half.")
    zed.updates.length = 0
    await zed.prompt(session, "Hi")
    const chunks = zed.updates.flatMap((update) => (update.sessionUpdate === "agent_message_chunk" ? [update] : []))
    const [first, ...rest] = [...new Set(chunks.map(({ messageId }) => messageId))]
    expect(textOf(chunks.filter(({ messageId }) => messageId === first))).toBe("Good")
    expect(rest).toHaveLength(1)
    expect(textOf(chunks.filter(({ messageId }) => messageId === rest[0]))).toBe("Golden")
  })

  it("[API-34] errors are JSON-RPC errors, and nothing is stored", async () => {
    const zed = await editor()
    const at = { cwd: "/tmp", mcpServers: [] }
    const before = (await server.dump()).messages?.length ?? 0
    await expect(zed.agent.request("session/load", { ...at, sessionId: "nowhere" })).rejects.toMatchObject({
      code: -32002,
      data: { code: "conversation.unknown" },
    })
    await expect(zed.agent.request("session/resume", { ...at, sessionId: "a/b" })).rejects.toMatchObject({
      code: -32002,
    })
    await expect(zed.prompt("nowhere", "Hi")).rejects.toMatchObject({ code: -32002 })
    const session = await zed.open()
    await expect(zed.prompt(session, "  ")).rejects.toMatchObject({ code: -32602, data: { code: "request.invalid" } })
    const prompt = [{ type: "image" as const, data: "AAAA", mimeType: "image/png" }]
    await expect(zed.agent.request("session/prompt", { sessionId: session, prompt })).rejects.toMatchObject({
      code: -32602,
    })
    await expect(zed.agent.request("session/unheard_of", {})).rejects.toMatchObject({ code: -32601 })
    const odd = [{ type: "hologram", data: "x" }]
    await expect(
      zed.agent.request<unknown, object>("session/prompt", { sessionId: session, prompt: odd }),
    ).rejects.toMatchObject({
      code: -32602,
    })
    await expect(zed.agent.request("session/list", { cursor: "no cursor" })).rejects.toMatchObject({ code: -32602 })
    expect((await state(session)).messages).toEqual([])
    expect((await server.dump()).messages?.length ?? 0).toBe(before)
    server.script([new ModelFault("The model is gone.", { transient: false })])
    await expect(zed.prompt(session, "Hi")).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining("gone"),
    })
    const stranger = await editor({ token: "wrong" })
    await expect(stranger.open()).rejects.toMatchObject({ code: -32000 })
    const lost = await editor({ args: ["nobody"] })
    await expect(lost.open()).rejects.toMatchObject({ code: -32002 })
    expect(zed.strayLines).toEqual([])
  })
})
