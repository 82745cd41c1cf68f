/** What a chat of the AI SDK does, for every version of it (API-1 to API-4). */
import { defineTool, ModelFault } from "@parlor/core"
import { calls, finish, gate, says } from "@parlor/core/testing"
import type { UIMessage } from "ai"
import { afterAll, beforeAll, expect, it } from "vitest"
import { z } from "zod"
import { startTestServer, type TestServer } from "../http/server.ts"
import type { AnyChat, NewChat } from "./remote-chat.ts"
import { choose, pay, words } from "./tools.ts"

let server: TestServer
const wait = defineTool({
  name: "wait",
  description: "Waits.",
  input: z.object({}),
  repeatable: true,
  run: () => Promise.resolve("waited"),
})

export function uiCases({ sdk, newChat }: { readonly sdk: 6 | 7; readonly newChat: () => NewChat }): void {
  beforeAll(async () => {
    server = await startTestServer({ agent: { tools: [pay, choose, wait] } })
  })
  afterAll(() => server.close())
  const chatOf = (init: Parameters<NewChat>[1]) => newChat()({ port: server.port, token: server.token, sdk }, init)

  it("[API-1] sends, streams and keeps one conversation under the chat's id", async () => {
    server.script([{ type: "reasoning", text: "Hm." }, ...words("Hello ", "there."), finish()], says("Still here."))
    const chat = chatOf({ id: "my-chat" })
    await chat.sendMessage({ text: "Hi" })
    expect(chat.status).toBe("ready")
    expect(chat.text).toBe("Hello there.")
    expect(chat.lastMessage?.parts.map(({ type }) => type)).toEqual(["step-start", "reasoning", "text"])
    await chat.sendMessage({ text: "And now?" })
    expect(chat.text).toBe("Still here.")
    const other = chatOf({ id: "my-chat", messages: await listed("my-chat") })
    await expect.poll(() => other.messages.map(({ id }) => id)).toEqual(chat.messages.map(({ id }) => id))
    expect(other.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"])
  })

  it("[API-1] the same message sent twice is one message, and both get its answer", async () => {
    const message = { id: "m-1", role: "user", parts: [{ type: "text", text: "Once" }] } as const
    const [first, second] = [chatOf({ id: "twice" }), chatOf({ id: "twice" })]
    await first.sendMessage({ ...message, parts: [...message.parts] })
    await second.sendMessage({ ...message, parts: [...message.parts] })
    expect(second.text).toBe(first.text)
    expect(second.bodies).toEqual(first.bodies)
    expect((await listed("twice")).length).toBe(2)
  })

  it("[API-2] ends the stream at an approval and continues with the tool's output after the answer, the second time too", async () => {
    server.script(calls("pay", { amount: 5 }), calls("pay", { amount: 7 }, "call_2"), says("Paid."))
    const chat = chatOf({ id: "pay" })
    await chat.sendMessage({ text: "Pay" })
    expect(chat.status).toBe("ready")
    const [first] = chat.tools
    expect(first).toMatchObject({ state: "approval-requested", toolName: "pay", input: { amount: 5 } })
    await approve(chat, true)
    await expect.poll(() => chat.tools.at(-1)).toMatchObject({ state: "approval-requested", input: { amount: 7 } })
    expect(chat.tools[0]).toMatchObject({ state: "output-available", output: { paid: 5 } })
    await approve(chat, false)
    await expect.poll(() => chat.text).toBe("Paid.")
    expect(chat.tools.map(({ state }) => state)).toEqual(["output-available", "output-denied"])
    expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"])
  })

  it("[API-2] answers a question with the next message", async () => {
    server.script(calls("choose", {}), says("Coffee it is."))
    const chat = chatOf({ id: "ask" })
    await chat.sendMessage({ text: "What to drink?" })
    const question = chat.lastMessage?.parts.find(({ type }) => type === "data-ask")
    expect(question).toMatchObject({ data: { title: "Which?", options: ["Tea", "Coffee"] } })
    await chat.sendMessage({ text: "2" })
    expect(chat.text).toBe("Coffee it is.")
    const rows = await server.runtime.snapshot({ agent: "host", person: "me", branch: "ask" }, { messages: 10 })
    expect(JSON.stringify(rows.messages)).toContain("chosen: Coffee")
    expect(rows.queue).toEqual([])
  })

  it("[API-3] a connection cut in the middle resumes with the same bytes, on the second device too", async () => {
    const held = gate()
    server.script([...words("One ", "two "), held, ...words("three."), finish()])
    const chat = chatOf({ id: "cut" })
    const sending = chat.sendMessage({ text: "Count" })
    await expect.poll(() => chat.text).toBe("One two ")
    await chat.stop()
    await sending
    const device = chatOf({ id: "cut", messages: await listed("cut") })
    const [resumed, watched] = [chat.resumeStream(), device.resumeStream()]
    await expect.poll(() => [chat.bodies[1], device.bodies[0]].every((body) => body?.includes("two "))).toBe(true)
    held.open()
    await Promise.all([resumed, watched])
    expect(chat.text).toBe("One two three.")
    expect(device.text).toBe("One two three.")
    const [cut = "", whole = ""] = chat.bodies
    expect(whole.startsWith(cut)).toBe(true)
    expect(device.bodies[0]).toBe(whole)
    await device.resumeStream()
    expect(device.bodies).toHaveLength(1)
  })

  it("[API-3] a message queued behind another gets its own answer; a stop keeps what was said", async () => {
    const held = gate()
    server.script([...words("First"), held, finish()], says("Second."))
    const [one, two] = [chatOf({ id: "busy" }), chatOf({ id: "busy" })]
    const first = one.sendMessage({ text: "1" })
    await expect.poll(() => one.text).toBe("First")
    const second = two.sendMessage({ text: "2" })
    await expect.poll(async () => (await state("busy")).queue.length).toBe(1)
    expect((await post("/v1/ui/host/busy/stop")).status).toBe(204)
    await first
    expect(one.text).toBe("First")
    expect((await state("busy")).status.held).not.toBeNull()
    await server.runtime.resume({ agent: "host", person: "me", branch: "busy" }, server.runtime.txid())
    await second
    expect(two.text).toBe("Second.")
    expect((await post("/v1/ui/host/busy/stop")).status).toBe(204)
  })

  it("[API-4] shows no text of a failed attempt twice", async () => {
    const fault = new ModelFault("Too many requests.", { transient: true, retryAfterMs: 5 })
    server.script([...words("Half "), fault], [...words("Half ", "and half."), finish()])
    const chat = chatOf({ id: "retry" })
    await chat.sendMessage({ text: "Hi" })
    expect(chat.text).toBe("Half and half.")
  })

  it("[API-4] the text of the attempts that fail is shown once, or retracted where the client can", async () => {
    const fault = () => new ModelFault("Too many requests.", { transient: true, retryAfterMs: 5 })
    server.script([...words("Red "), fault()], [...words("Blue "), fault()], [...words("Green."), finish()])
    const chat = chatOf({ id: "attempts" })
    await chat.sendMessage({ text: "Which?" })
    expect(chat.text.split("Green.")).toHaveLength(2)
    const resets = (chat.bodies[0] ?? "").split("reset-step").length - 1
    expect(resets).toBe(sdk === 7 ? 2 : 0)
    if (sdk === 7) expect(chat.text).toBe("Green.")
    const [, stored] = await listed("attempts")
    expect(stored?.parts.filter(({ type }) => type === "text")).toMatchObject([{ text: "Green." }])
  })

  it("[API-4] a message that steers the reply is shown in it, the second one too", async () => {
    const [first, second] = [gate(), gate()]
    const wait = (number: number) => [{ type: "tool", call: `wait_${number}`, name: "wait", input: "{}" }] as const
    server.script(
      [...words("A "), first, ...wait(1), finish()],
      [...words("B "), second, ...wait(2), finish()],
      says("C."),
    )
    const chat = chatOf({ id: "steer" })
    const sending = chat.sendMessage({ text: "Go" })
    await expect.poll(() => chat.text).toBe("A ")
    await steer("steer", "Left")
    first.open()
    await expect.poll(() => chat.text).toBe("A B ")
    await steer("steer", "Right")
    second.open()
    await sending
    expect(chat.text).toBe("A B C.")
    const kind = sdk === 7 ? "steering-message" : "data-steering-message"
    const steers = chat.lastMessage?.parts.filter(({ type }) => (type as string) === kind) ?? []
    expect(steers.map((part) => /Left|Right/.exec(JSON.stringify(part))?.[0])).toEqual(["Left", "Right"])
  })

  it("[API-4] answers again, and takes an edited message, with versions kept", async () => {
    server.script(says("First."), says("Again."), says("Edited."))
    const chat = chatOf({ id: "again" })
    await chat.sendMessage({ text: "Hi" })
    await chat.regenerate()
    expect(chat.text).toBe("Again.")
    const [question] = chat.messages
    await chat.sendMessage({ text: "Hello", messageId: question?.id ?? "" })
    expect(chat.text).toBe("Edited.")
    expect((await listed("again")).map(({ parts }) => JSON.stringify(parts))).toHaveLength(2)
    const { rollbacks } = await state("again")
    expect(rollbacks).toHaveLength(2)
  })

  it("[API-4] takes files as data URLs", async () => {
    const chat = chatOf({ id: "files" })
    const url = `data:text/plain;base64,${Buffer.from("Notes.").toString("base64")}`
    await chat.sendMessage({
      text: "Read this",
      files: [{ type: "file", mediaType: "text/plain", filename: "a.txt", url }],
    })
    expect(JSON.stringify(server.requests.at(-1))).toContain("Notes.")
    const [message] = await listed("files")
    expect(message?.parts.find(({ type }) => type === "file")).toMatchObject({
      filename: "a.txt",
      mediaType: "text/plain",
    })
  })

  it("[API-4] is told in words what is wrong, and nothing is stored", async () => {
    const chat = chatOf({ id: "bad" })
    await chat.sendMessage({
      text: "",
      files: [{ type: "file", mediaType: "image/png", url: "https://example.com/a.png" }],
    })
    expect(chat.error?.message).toBe("A file is a data: URL or the path of an attachment.")
    const foreign = { id: "x", role: "assistant", parts: [{ type: "tool-x", state: "output-available" }] }
    const refused = await post("/v1/ui/host", { id: "bad", messages: [foreign] })
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain("Tools run on the server")
    for (const body of [
      {},
      { id: "bad", messages: [] },
      { id: "a/b", messages: [foreign] },
      { id: "bad", messages: "x" },
    ])
      expect((await post("/v1/ui/host", body)).status).toBe(422)
    expect((await get("/v1/ui/host/bad/stream")).status).toBe(204)
    expect((await get("/v1/ui/nobody/bad/stream")).status).toBe(404)
    expect((await get("/v1/ui/host/bad/messages")).status).toBe(404)
  })
}

async function approve(chat: AnyChat, approved: boolean): Promise<void> {
  const waiting = chat.tools.find((part) => part.state === "approval-requested")
  if (waiting?.state !== "approval-requested") throw new Error("nothing waits for an approval")
  await chat.addToolApprovalResponse({ id: waiting.approval.id, approved })
}

async function steer(branch: string, text: string): Promise<void> {
  const sent = await post(`/v1/conversations/host/${branch}/messages`, { text, mode: "steer" })
  expect(sent.status).toBe(202)
}

const headers = () => ({ authorization: `Bearer ${server.token}`, "content-type": "application/json" })
const url = (path: string) => `http://127.0.0.1:${server.port}${path}`
const get = (path: string) => fetch(url(path), { headers: headers() })
const post = (path: string, body?: unknown) =>
  fetch(url(path), {
    method: "POST",
    headers: headers(),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const state = (branch: string) => server.runtime.snapshot({ agent: "host", person: "me", branch }, { messages: 20 })

async function listed(branch: string): Promise<UIMessage[]> {
  const { messages } = (await (await get(`/v1/ui/host/${branch}/messages`)).json()) as { messages: UIMessage[] }
  return messages
}
