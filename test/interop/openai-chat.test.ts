/** Chat completions with OpenAI's own client, against a real server (API-5 to API-14). */
import { ModelFault } from "@parlor/core"
import { calls, finish, gate, says } from "@parlor/core/testing"
import { emptyUsage } from "@parlor/protocol"
import type OpenAI from "openai"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { ANSWER, startTestServer, type TestServer } from "../http/server.ts"
import { type Client, openaiClient } from "./openai.ts"
import { choose, clock, pay, words } from "./tools.ts"

let server: TestServer
let client: Client

beforeEach(async () => {
  server = await startTestServer({ agent: { tools: [pay, choose, clock] } })
  client = openaiClient(server)
})
afterEach(() => server.close())

type Message = OpenAI.ChatCompletionMessageParam
const user = (content: string): Message => ({ role: "user", content })
const assistant = (content: string): Message => ({ role: "assistant", content })
const state = (branch: string) => server.runtime.snapshot({ agent: "host", person: "me", branch }, { messages: 50 })
const conversations = async () =>
  (
    await server.runtime.list("me", {
      agent: undefined,
      archived: false,
      ephemeral: false,
      cursor: undefined,
      limit: 50,
    })
  ).conversations.map(({ branch }) => branch)

/** As an Open WebUI chat of this id. */
async function chat(id: string, ...messages: readonly Message[]): Promise<string> {
  const headers = { "X-OpenWebUI-Chat-Id": id }
  const reply = await client.chat.completions.create({ model: "host", messages: [...messages] }, { headers })
  return reply.choices[0]?.message.content ?? ""
}

/** The visible texts of a conversation. */
async function visible(branch: string): Promise<readonly string[]> {
  const { messages } = await state(branch)
  return messages
    .filter(({ dimmed }) => !dimmed)
    .map(({ role, parts }) => `${role}: ${parts.map((part) => (part.type === "text" ? part.text : "")).join("")}`)
}

describe("chat completions", () => {
  it("[API-5] agents are models", async () => {
    const models = await client.models.list()
    expect(models.data.map(({ id, object, owned_by }) => [id, object, owned_by])).toEqual([
      ["host", "model", "parlor"],
      ["critic", "model", "parlor"],
    ])
    expect((await client.models.retrieve("critic")).id).toBe("critic")
    expect((await client.models.retrieve("host/main")).id).toBe("host/main")
    await expect(client.models.retrieve("nobody")).rejects.toMatchObject({ status: 404, code: "model_not_found" })
  })

  it("[API-6] a message gets its reply, whole or streamed, with its usage", async () => {
    const usage = { ...emptyUsage, inputTokens: 7, outputTokens: 3 }
    server.script(says("Hello there."), [
      { type: "reasoning", text: "Hm." },
      ...words("Still ", "here."),
      finish("stop", usage),
    ])
    const whole = await client.chat.completions.create({ model: "host/talk", messages: [user("Hi")] })
    expect(whole).toMatchObject({ object: "chat.completion", model: "host/talk" })
    const message = { role: "assistant", content: "Hello there." }
    expect(whole.choices[0]).toMatchObject({ finish_reason: "stop", message })
    const stream = client.chat.completions.stream({
      model: "host/talk",
      messages: [user("And now?")],
      stream_options: { include_usage: true },
    })
    const final = await stream.finalChatCompletion()
    expect(final.choices[0]?.message.content).toBe("Still here.")
    expect(final.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })
    expect(client.bodies.at(-1)).toContain('"reasoning_content":"Hm."')
    expect(client.bodies.at(-1)?.endsWith("data: [DONE]\n\n")).toBe(true)
    expect(await visible("talk")).toEqual([
      "person: Hi",
      "agent: Hello there.",
      "person: And now?",
      "agent: Still here.",
    ])
  })

  it("[API-6] text of a failed attempt is not shown twice, and the steps of a turn are paragraphs", async () => {
    const fault = new ModelFault("Too many requests.", { transient: true, retryAfterMs: 5 })
    const time = { type: "tool", call: "call_1", name: "clock", input: "{}" } as const
    server.script(
      [...words("Half "), fault],
      [...words("Half ", "and half."), time, finish("tools")],
      says("It is noon."),
    )
    expect(await chat("retry", user("Hi"))).toBe("Half and half.\n\nIt is noon.")
  })

  it("[API-6] a turn that fails is an error, in both forms", async () => {
    server.script([new ModelFault("No such model.", { transient: false })])
    await expect(chat("fails", user("Hi"))).rejects.toMatchObject({ status: 424, code: "turn.failed" })
    server.script([...words("Some "), new ModelFault("It broke.", { transient: false })])
    const stream = await client.chat.completions.create({ model: "host/f", messages: [user("Hi")], stream: true })
    const texts: string[] = []
    const reading = (async () => {
      for await (const chunk of stream) texts.push(chunk.choices[0]?.delta.content ?? "")
    })()
    await expect(reading).rejects.toMatchObject({ code: "turn.failed" })
    expect(texts.join("")).toBe("Some ")
  })

  it("[API-6] closing the connection does not stop the turn, and a second device sees it", async () => {
    const held = gate()
    server.script([...words("One "), held, ...words("two."), finish()], says("Next."))
    const leaving = openaiClient(server, { fetch })
    const stream = await leaving.chat.completions.create({ model: "host/cut", messages: [user("Go")], stream: true })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break
    held.open()
    await expect.poll(() => visible("cut")).toEqual(["person: Go", "agent: One two."])
    const other = openaiClient(server)
    await other.chat.completions.create({ model: "host/cut", messages: [user("More")] })
    expect(await visible("cut")).toEqual(["person: Go", "agent: One two.", "person: More", "agent: Next."])
  })

  it("[API-6] a message queued behind another gets its own reply", async () => {
    const held = gate()
    server.script([...words("First."), held, finish()], says("Second."))
    const first = client.chat.completions.create({ model: "host/busy", messages: [user("1")] })
    await expect.poll(async () => (await state("busy").catch(() => undefined))?.status.state).toBe("busy")
    const second = openaiClient(server).chat.completions.create({ model: "host/busy", messages: [user("2")] })
    await expect.poll(async () => (await state("busy")).queued).toBe(1)
    held.open()
    expect((await first).choices[0]?.message.content).toBe("First.")
    expect((await second).choices[0]?.message.content).toBe("Second.")
  })

  it("[API-8] the client's header names the conversation; without a name, the history it resends does", async () => {
    const headers = { "X-Parlor-Conversation": "from-header" }
    await client.chat.completions.create({ model: "host", messages: [user("Hi")] }, { headers })
    expect(await visible("from-header")).toHaveLength(2)
    server.script(says("One."), says("Two."), says("Other."))
    const ask = async (...messages: Message[]) =>
      (await client.chat.completions.create({ model: "host", messages })).choices[0]?.message.content ?? ""
    expect(await ask(user("A"))).toBe("One.")
    expect(await ask(user("A"), assistant("One."), user("B"))).toBe("Two.")
    expect(await ask(user("A"))).toBe("Other.")
    const made = (await conversations()).filter((name) => name.startsWith("chat-"))
    expect(made).toHaveLength(2)
    const all = await Promise.all(made.map(visible))
    expect(all.sort((a, b) => a.length - b.length)).toEqual([
      ["person: A", "agent: Other."],
      ["person: A", "agent: One.", "person: B", "agent: Two."],
    ])
  })

  it("[API-8] a header can be configured", async () => {
    const configured = await startTestServer({ edge: { conversationHeader: "X-Room" } })
    try {
      const headers = { "x-room": "kitchen" }
      const there = openaiClient(configured)
      await there.chat.completions.create({ model: "host", messages: [user("Hi")] }, { headers })
      const address = { agent: "host", person: "me", branch: "kitchen" }
      expect((await configured.runtime.snapshot(address, { messages: 9 })).messages).toHaveLength(2)
    } finally {
      await configured.close()
    }
  })

  it("[API-9] resent history is not stored twice, and the model sees each message once", async () => {
    server.script(says("One."), says("Two."), says("Three."))
    await chat("c", user("A"))
    await chat("c", user("A"), assistant("One."), user("B"))
    // Clients change replies, trim texts and leave out the beginning.
    await chat("c", user(" B\r\n"), assistant("<details>…</details>Two."), user("C"))
    const expected = ["person: A", "agent: One.", "person: B", "agent: Two.", "person: C", "agent: Three."]
    expect(await visible("c")).toEqual(expected)
    expect(JSON.stringify(server.requests.at(-1)).split('"B"').length).toBe(2)
  })

  it("[API-9] an edited message and a regenerated reply roll back, and can be undone", async () => {
    server.script(says("One."), says("Two."), says("Two again."), says("Edited."), says("From the start."))
    await chat("c", user("A"))
    await chat("c", user("A"), assistant("One."), user("B"))
    expect(await chat("c", user("A"), assistant("One."), user("B"))).toBe("Two again.")
    expect(await visible("c")).toEqual(["person: A", "agent: One.", "person: B", "agent: Two again."])
    expect(await chat("c", user("A"), assistant("One."), user("B!"))).toBe("Edited.")
    expect(await visible("c")).toEqual(["person: A", "agent: One.", "person: B!", "agent: Edited."])
    expect(await chat("c", user("A!"))).toBe("From the start.")
    expect(await visible("c")).toEqual(["person: A!", "agent: From the start."])
    expect((await state("c")).rollbacks).toHaveLength(3)
  })

  it("[API-9] messages of other devices are never rolled back", async () => {
    server.script(says("One."), says("From the page."), says("Two."))
    await chat("c", user("A"))
    const address = { agent: "host", person: "me", branch: "c" }
    const send = { type: "composer_input", payload: { source: "On the page" }, mode: "immediate", source: "person" }
    await server.runtime.send(address, { ...send, mode: "immediate", txid: server.runtime.txid() })
    await expect.poll(async () => (await state("c")).status.state).toBe("idle")
    await chat("c", user("A"), assistant("One."), user("B"))
    expect(await visible("c")).toEqual([
      "person: A",
      "agent: One.",
      "person: On the page",
      "agent: From the page.",
      "person: B",
      "agent: Two.",
    ])
  })

  it("[API-9] history from elsewhere is taken over when the conversation is new", async () => {
    server.script(says("Continued."))
    await chat("moved", user("Old question"), assistant("Old answer"), user("New question"))
    expect(await visible("moved")).toEqual([
      "person: Old question",
      "agent: Old answer",
      "person: New question",
      "agent: Continued.",
    ])
    expect(JSON.stringify(server.requests.at(-1))).toContain("Old answer")
  })

  it("[API-11] a request repeated by the client, or with its Idempotency-Key, is sent once", async () => {
    let lose = true
    const losing = openaiClient(server, {
      maxRetries: 2,
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        if (!lose) return response
        lose = false
        await response.body?.cancel()
        throw new TypeError("fetch failed")
      },
    })
    const reply = await losing.chat.completions.create({ model: "host", messages: [user("Once")] })
    expect(reply.choices[0]?.message.content).toBe(ANSWER)
    const [branch = ""] = await conversations()
    expect(await conversations()).toHaveLength(1)
    expect(await visible(branch)).toEqual(["person: Once", `agent: ${ANSWER}`])

    const keyed = { headers: { "Idempotency-Key": "k-1" } }
    const body = { model: "host/keyed", messages: [user("Hi")] }
    const both = await Promise.all([1, 2].map(() => client.chat.completions.create(body, keyed)))
    both.push(await client.chat.completions.create(body, keyed))
    expect(new Set(both.map(({ id }) => id)).size).toBe(1)
    expect(await visible("keyed")).toHaveLength(2)
    const another = client.chat.completions.create({ ...body, messages: [user("Other")] }, keyed)
    await expect(another).rejects.toMatchObject({ status: 400, code: "idempotency.reused" })
    await client.chat.completions.create(body)
    expect(await visible("keyed")).toHaveLength(4)
  })

  it("[API-12] the next message answers an approval or a question", async () => {
    server.script(calls("pay", { amount: 5 }), calls("choose", {}, "call_2"), says("Coffee, paid."))
    const asked = await chat("asks", user("Pay and drink"))
    expect(asked).toContain("Reply yes or no.")
    const next = await chat("asks", user("Pay and drink"), assistant(asked), user("Yes."))
    expect(next).toBe("**Which?**\n\n1. Tea\n2. Coffee")
    const last = await chat(
      "asks",
      ...[user("Pay and drink"), assistant(asked), user("Yes."), assistant(next), user("2")],
    )
    expect(last).toBe("Coffee, paid.")
    const { messages } = await state("asks")
    expect(JSON.stringify(messages)).toContain("chosen: Coffee")
    expect(messages.filter(({ role }) => role === "person")).toHaveLength(1)
  })

  it("[API-12] anything else than yes allows nothing, and the agent reads it", async () => {
    server.script(calls("pay", { amount: 5 }), says("Only 3, then."))
    await client.chat.completions.create({ model: "host/no", messages: [user("Pay")] })
    const reply = await client.chat.completions.create({ model: "host/no", messages: [user("Only 3 please")] })
    expect(reply.choices[0]?.message.content).toBe("Only 3, then.")
    expect(JSON.stringify(server.requests.at(-1))).toContain("Only 3 please")
    expect(JSON.stringify((await state("no")).messages)).not.toContain('"paid"')
  })

  it("[API-13] titles, temporary chats and store: false leave nothing behind", async () => {
    server.script(says("Hello."), says("A Title"), says("A Title Too"), says("Gone."), says("Gone too."))
    await chat("c", user("Hi"))
    const task = "### Task:\nGenerate a concise title.\n### Chat History:\n<chat_history>\nUSER: Hi\n</chat_history>"
    expect(await chat("c", user(task))).toBe("A Title")
    const title = "Provide a concise, 5-word-or-less title for the conversation, using title case conventions."
    expect(await chat("c", user(title))).toBe("A Title Too")
    expect(await chat("local:abc", user("Secret"), assistant("Sure."), user("Go on"))).toBe("Gone.")
    expect(JSON.stringify(server.requests.at(-1))).toContain("Sure.")
    const body = { model: "host", messages: [user("Just this")], store: false }
    expect((await client.chat.completions.create(body)).choices[0]?.message.content).toBe("Gone too.")
    expect(await visible("c")).toEqual(["person: Hi", "agent: Hello."])
    const options = { agent: undefined, archived: false, cursor: undefined, limit: 50 }
    const sidecars = await server.runtime.list("me", { ...options, ephemeral: true })
    expect(sidecars.conversations).toEqual([])
    expect((await state("c")).branches).toEqual([])
    expect((await conversations()).filter((name) => name !== "main")).toEqual(["c"])
    // A prompt for documents begins the same way, but is what the person asked.
    await chat("c", user("Hi"), assistant("Hello."), user("### Task:\nUse the context.\n<context>x</context>"))
    expect(await visible("c")).toHaveLength(4)
  })

  it("[API-13] a throwaway reply is deleted when its client leaves", async () => {
    const held = gate()
    server.script([...words("Some "), held, finish()])
    const body = { model: "host", messages: [user("Go")], store: false }
    const stream = await openaiClient(server, { fetch }).chat.completions.create({ ...body, stream: true })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break
    const options = { agent: undefined, archived: false, ephemeral: true, cursor: undefined, limit: 50 }
    await expect.poll(async () => (await server.runtime.list("me", options)).conversations).toEqual([])
    held.open()
  })

  it("[API-6] images and files are attachments of the message", async () => {
    const notes = `data:text/plain;base64,${Buffer.from("Notes inside.").toString("base64")}`
    const content = [
      { type: "text", text: "Read this" },
      { type: "file", file: { filename: "a.txt", file_data: notes } },
    ] as const
    await client.chat.completions.create({ model: "host/files", messages: [{ role: "user", content: [...content] }] })
    expect(JSON.stringify(server.requests.at(-1))).toContain("Notes inside.")
    const png = `data:image/png;base64,${PIXEL}`
    const image = [{ type: "image_url", image_url: { url: png } }] as const
    await client.chat.completions.create({ model: "host/files", messages: [{ role: "user", content: [...image] }] })
    const { messages } = await state("files")
    expect(JSON.stringify(messages.at(-2)?.parts)).toContain("image/png")
  })
})

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
