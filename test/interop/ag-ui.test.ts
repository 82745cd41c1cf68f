/** `HttpAgent` of `@ag-ui/client` against a real server (API-35 to API-39). */
import { ModelFault } from "@parlor/core"
import { calls, finish, gate, says } from "@parlor/core/testing"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { startTestServer, type TestServer } from "../http/server.ts"
import { type Device, openDevice } from "./ag-ui.ts"
import { choose, pay, words } from "./tools.ts"

vi.setConfig({ testTimeout: 60_000 })
const POLL = { timeout: 30_000 }

let server: TestServer
beforeEach(async () => {
  server = await startTestServer({ agent: { tools: [pay, choose] } })
})
afterEach(() => server.close())

const device = (thread: string): Device => openDevice(server, thread)
const state = (branch: string) => server.runtime.snapshot({ agent: "host", person: "me", branch }, { messages: 20 })
const resolved = (one: Device, payload: unknown) =>
  one.interrupts.map(({ id }) => ({ interruptId: id, status: "resolved" as const, payload }))

describe("an AG-UI agent", () => {
  it("[API-35] runs, streams text and reasoning, and keeps one conversation under the thread's id", async () => {
    server.script([{ type: "reasoning", text: "Hm." }, ...words("Hello ", "there."), finish()], says("Still here."))
    const page = device("my-thread")
    await page.say("Hi")
    expect(page.text()).toBe("Hello there.")
    expect([...new Set(page.events.map(({ type }) => type))]).toEqual([
      "RUN_STARTED",
      "REASONING_START",
      "REASONING_MESSAGE_START",
      "REASONING_MESSAGE_CONTENT",
      "REASONING_MESSAGE_END",
      "REASONING_END",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ])
    await page.say("And now?")
    expect(page.text()).toBe("Hello there.Still here.")
    expect(page.outcomes).toEqual(["success", "success"])
    expect((await state("my-thread")).messages.map(({ role }) => role)).toEqual(["person", "agent", "person", "agent"])
    const other = device("my-thread")
    await other.connect()
    const shown = (one: Device) => one.agent.messages.filter(({ role }) => role !== "reasoning")
    expect(shown(other).map(({ id }) => id)).toEqual(shown(page).map(({ id }) => id))
    expect(other.text()).toBe(page.text())
  })

  it("[API-35] the same message sent twice is one message, and both get its run", async () => {
    const [first, second] = [device("twice"), device("twice")]
    await first.say("Once", "m-same")
    await second.say("Once", "m-same")
    expect(second.text()).toBe(first.text())
    expect((await state("twice")).messages).toHaveLength(2)
  })

  it("[API-36] a run ends at an approval; a run with the answer continues, the second time too", async () => {
    server.script(calls("pay", { amount: 5 }), calls("pay", { amount: 7 }), says("Done."))
    const page = device("pay")
    await page.say("Pay")
    expect(page.interrupts).toMatchObject([{ reason: "tool_call", message: expect.stringContaining("Allow host") }])
    const calledAs = page.agent.messages.flatMap((one) => (one.role === "assistant" ? (one.toolCalls ?? []) : []))
    expect(calledAs.map(({ id }) => id)).toEqual([page.interrupts[0]?.toolCallId])
    await page.run({ resume: resolved(page, { approved: true }) })
    expect(page.agent.messages.find(({ role }) => role === "tool")).toMatchObject({ content: '{"paid":5}' })
    await page.run({ resume: page.interrupts.map(({ id }) => ({ interruptId: id, status: "cancelled" as const })) })
    expect(page.agent.messages.filter(({ role }) => role === "tool").at(-1)).toMatchObject({
      content: expect.stringMatching(/^Denied: /),
    })
    expect(page.text()).toBe("Done.")
    expect(page.outcomes).toEqual(["interrupt", "interrupt", "success"])
    expect(page.errors).toEqual([])
  })

  it("[API-36] a question is an interrupt with a schema; abandoning it ends the turn", async () => {
    server.script(calls("choose", {}), says("Tea it is."), calls("choose", {}))
    const page = device("ask")
    await page.say("Drink?")
    expect(page.interrupts).toMatchObject([
      { reason: "input_required", responseSchema: { properties: { answer: { enum: ["Tea", "Coffee"] } } } },
    ])
    await page.run({ resume: resolved(page, { answer: "Tea" }) })
    expect(page.text()).toBe("Tea it is.")
    await page.say("Again?")
    await page.run({ resume: page.interrupts.map(({ id }) => ({ interruptId: id, status: "cancelled" as const })) })
    expect(page.outcomes.at(-1)).toBe("cancelled")
    expect((await state("ask")).asks).toEqual([])
  })

  it("[API-37] a stream cut in the middle continues with the same bytes, at every event, on another device too", async () => {
    const held = gate()
    server.script([...words("One ", "two "), held, ...words("three."), finish()])
    const page = device("cut")
    const running = page.say("Count")
    await expect.poll(() => page.text(), POLL).toBe("One two ")
    const watching = device("cut")
    const watched = watching.connect()
    await expect.poll(() => watching.text(), POLL).toBe("One two ")
    held.open()
    await Promise.all([running, watched])
    expect(watching.text()).toBe("One two three.")
    const [whole = ""] = page.bodies
    const ids = [...whole.matchAll(/^id: (.+)$/gm)].map(([, id = ""]) => id)
    expect(ids.length).toBeGreaterThan(5)
    const { runId } = page.events[0] as unknown as { readonly runId: string }
    for (const id of ids) {
      const rest = await get(`/v1/ag-ui/host/cut/events?runId=${runId}`, { "last-event-id": id })
      const end = whole.indexOf("\n\n", whole.indexOf(`id: ${id}\n`)) + 2
      expect(await rest.text()).toBe(whole.slice(end))
    }
    const last = (watching.bodies[0] ?? "").split("id: ").slice(1).join("id: ")
    expect(whole.replaceAll(runId, "R")).toContain(last.replace(/"runId":"[^"]+"/, '"runId":"R"').slice(-200))
  })

  it("[API-37] a connection to a turn with answered interrupts shows it whole, as one run", async () => {
    const held = gate()
    server.script(calls("pay", { amount: 5 }), [...words("Paid"), held, ...words("."), finish()])
    const page = device("whole")
    await page.say("Pay")
    const early = device("whole")
    await early.connect()
    expect(early.interrupts).toEqual(page.interrupts)
    const running = page.run({ resume: resolved(page, { approved: true }) })
    await expect.poll(() => page.text(), POLL).toBe("Paid")
    const late = device("whole")
    const watched = late.connect()
    await expect.poll(() => late.text(), POLL).toBe("Paid")
    held.open()
    await Promise.all([running, watched])
    expect(late.text()).toBe("Paid.")
    expect(late.outcomes).toEqual(["success"])
    expect(late.agent.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"])
  })

  it("[API-38] a message queued behind another gets its own run; leaving stops nothing, a stop keeps the text", async () => {
    const [first, second] = [gate(), gate()]
    server.script([...words("First."), first, finish()], [...words("Half"), second, finish()])
    const [one, two] = [device("busy"), device("busy")]
    const leaving = one.say("1").catch(() => undefined)
    await expect.poll(() => one.text(), POLL).toBe("First.")
    const queued = two.say("2")
    await expect.poll(async () => (await state("busy")).queue.length, POLL).toBe(1)
    one.agent.abortRun()
    await leaving
    expect((await state("busy")).status.state).toBe("busy")
    first.open()
    await expect.poll(() => two.text(), POLL).toBe("Half")
    await two.agent.stop()
    await queued
    expect(two.outcomes).toEqual(["cancelled"])
    expect((await state("busy")).messages.at(-1)).toMatchObject({ state: "truncated", parts: [{ text: "Half" }] })
    await two.agent.stop()
    second.open()
  })

  it("[API-38] shows no text of a failed attempt twice; a failed run is a run error", async () => {
    const fault = new ModelFault("Too many requests.", { transient: true, retryAfterMs: 5 })
    server.script([...words("Half "), fault], [...words("Half ", "and half."), finish()])
    server.script([new ModelFault("The model is gone.", { transient: false })])
    const page = device("retry")
    await page.say("Hi")
    expect(page.text()).toBe("Half and half.")
    await page.say("Again").catch(() => undefined)
    expect(page.errors).toMatchObject([{ message: expect.stringContaining("gone") }])
  })

  it("[API-38] takes files", async () => {
    const page = device("files")
    const value = Buffer.from("Notes.").toString("base64")
    const source = { type: "data" as const, value, mimeType: "text/plain" }
    const content = [
      { type: "text" as const, text: "Read this" },
      { type: "document" as const, source, metadata: { filename: "a.txt" } },
    ]
    page.agent.addMessage({ id: "f-1", role: "user", content })
    await page.run()
    expect(JSON.stringify(server.requests[0])).toContain("Notes.")
    const other = device("files")
    await other.connect()
    expect(other.agent.messages[0]).toMatchObject({
      content: [{ text: expect.stringContaining("Read this") }, { type: "document" }],
    })
  })

  it("[API-39] errors are run errors, and nothing is stored", async () => {
    const user = { id: "m", role: "user", content: "Hi" }
    const run = (input: object) => post({ threadId: "bad", runId: "r", messages: [user], ...input })
    const refused: readonly (readonly [object, string])[] = [
      [{ protocolVersion: "2.0" }, "AG-UI 1.0"],
      [{ threadId: "a/b" }, "branch name"],
      [{ messages: [] }, "no message"],
      [{ messages: [{ id: "t", role: "tool", toolCallId: "x", content: "42" }] }, "Tools run on the server"],
      [{ messages: [{ id: "a", role: "assistant", content: "Hi" }] }, "nothing to send"],
      [{ messages: [{ id: "h", role: "hologram" }] }, "nothing to send"],
      [{ messages: [{ ...user, content: " " }] }, "neither text nor files"],
      [{ messages: [{ ...user, content: [{ type: "video" }] }] }, "A part is text"],
      [{ messages: [{ ...user, content: 7 }] }, "needs `content`"],
      [{ resume: [{ interruptId: "nobody", status: "resolved" }], threadId: "pay" }, "no ask"],
      [{ threadId: "pay", messages: [{ ...user, id: "m-9" }] }, "Answer the open interrupt first"],
    ]
    server.script(calls("pay", { amount: 5 }))
    const page = device("pay")
    await page.say("Pay")
    const before = JSON.stringify((await server.dump()).messages)
    for (const [input, said] of refused) {
      const response = await run(input)
      expect(response.headers.get("content-type")).toContain("text/event-stream")
      const [, data = "{}"] = /^data: (.+)\n\n$/.exec(await response.text()) ?? []
      expect(JSON.parse(data)).toMatchObject({ type: "RUN_ERROR", message: expect.stringContaining(said) })
    }
    const stale = "trn_none:0000000000000009:0.0"
    for (const [response, status] of [
      [await run({ runId: 7 }), 422],
      [await post("nonsense"), 422],
      [await get("/v1/ag-ui/host/bad/events"), 404],
      [await get("/v1/ag-ui/host/pay/events", { "last-event-id": "nonsense" }), 400],
      [await get("/v1/ag-ui/host/pay/events", { "last-event-id": stale }), 404],
      [await fetch(url("/v1/ag-ui/host"), { method: "POST", body: "{}" }), 401],
    ] as const) {
      expect([response.status, await response.json()]).toMatchObject([status, { type: "RUN_ERROR" }])
    }
    expect(JSON.stringify((await server.dump()).messages)).toBe(before)
  })
})

const url = (path: string) => `http://127.0.0.1:${server.port}${path}`
const headers = () => ({ authorization: `Bearer ${server.token}` })
const get = (path: string, more: Record<string, string> = {}) =>
  fetch(url(path), { headers: { ...headers(), ...more } })
const post = (body: unknown) =>
  fetch(url("/v1/ag-ui/host"), {
    method: "POST",
    headers: { ...headers(), "content-type": "application/json" },
    body: JSON.stringify(body),
  })
