/** The MCP SDK's own clients against `POST /mcp` of a real server (API-40 to API-46). */
import type { Client } from "@modelcontextprotocol/client"
import { calls, finish, gate, says } from "@parlor/core/testing"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { startTestServer, type TestServer } from "../http/server.ts"
import { modernClient, oldClient } from "./mcp-clients.ts"
import { choose, pay, words } from "./tools.ts"

vi.setConfig({ testTimeout: 60_000 })

let server: TestServer
const closing: (() => Promise<void>)[] = []

beforeEach(async () => {
  server = await startTestServer({ agent: { tools: [pay, choose] } })
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await server.close()
})

type Closable = { close(): Promise<void> }
async function opened<C extends Closable>(client: Promise<C>): Promise<C> {
  const made = await client
  closing.push(() => made.close())
  return made
}

type Called = {
  readonly isError?: boolean | undefined
  readonly structuredContent?: unknown
  readonly content: unknown
}
const outputOf = (result: Called) => result.structuredContent as Record<string, unknown>
const textIn = ({ content }: Called) => (content as readonly { text: string }[])[0]?.text ?? ""
const state = (branch: string) => server.runtime.snapshot({ agent: "host", person: "me", branch }, { messages: 20 })
const send = (client: Client, input: object, options = {}) =>
  client.callTool({ name: "send", arguments: { agent: "host", ...input } }, options)

describe.each([
  ["2026-07-28", () => modernClient(server)],
  ["2025-11-25", () => oldClient(server)],
])("an MCP client of %s", (version, connect) => {
  it("[API-40] lists the same tools, and sends with progress and structured output", async () => {
    const client = await opened<Client>(connect() as Promise<Client>)
    const { tools } = await client.listTools()
    const names = ["agents", "answer", "conversations", "read", "search", "send", "stop", "wait"]
    expect(tools.map(({ name }) => name).sort()).toEqual(names)
    for (const { inputSchema, outputSchema } of tools) {
      expect(inputSchema.type).toBe("object")
      expect(outputSchema?.type).toBe("object")
    }
    server.script([...words("Hello ", "there."), finish()])
    const progress: { progress: number; message?: string | undefined }[] = []
    const params = { name: "send", arguments: { agent: "host", text: "Hi" } }
    const onprogress = (one: { progress: number; message?: string | undefined }) => void progress.push(one)
    // The old client takes the schema of the result second.
    const result =
      version === "2025-11-25"
        ? await (client as unknown as { callTool(...args: unknown[]): Promise<Called> }).callTool(params, undefined, {
            onprogress,
          })
        : await client.callTool(params, { onprogress })
    expect(outputOf(result)).toMatchObject({
      agent: "host",
      branch: "main",
      outcome: "started",
      state: "done",
      text: "Hello there.",
      asks: [],
      error: null,
    })
    expect(JSON.parse(textIn(result))).toEqual(outputOf(result))
    expect(progress.map(({ message }) => message)).toEqual(["host is replying", "Hello"])
    const values = progress.map((one) => one.progress)
    expect([...values].sort((a, b) => a - b)).toEqual(values)
    expect(new Set(values).size).toBe(values.length)
  })

  it("[API-41] starts a conversation, which the others list, read and search", async () => {
    const client = await opened<Client>(connect() as Promise<Client>)
    const params = { agent: "host", text: "Lighthouses, please", newConversation: true, idempotencyKey: "once" }
    const first = outputOf(await client.callTool({ name: "send", arguments: params }))
    const again = outputOf(await client.callTool({ name: "send", arguments: params }))
    expect(again).toEqual(first)
    const other = outputOf(
      await client.callTool({ name: "send", arguments: { ...params, idempotencyKey: "another time" } }),
    )
    expect(other.branch).not.toBe(first.branch)
    const listed = outputOf(await client.callTool({ name: "conversations", arguments: { agent: "host" } }))
    const branches = (listed.conversations as readonly { branch: string }[]).map(({ branch }) => branch)
    expect([...branches].sort()).toEqual([first.branch, other.branch].sort())
    const place = { agent: "host", branch: first.branch }
    const read = outputOf(await client.callTool({ name: "read", arguments: place }))
    expect(read.messages).toMatchObject([{ from: "person", text: "Lighthouses, please" }, { from: "agent" }])
    const { hits } = outputOf(await client.callTool({ name: "search", arguments: { query: "lighthouses" } }))
    expect(hits).toHaveLength(2)
    const named = outputOf(await client.callTool({ name: "send", arguments: { ...params, branch: "plans" } }))
    expect(named.branch).toBe("plans")
  })

  it("[API-46] is told in words what is wrong, and nothing is stored", async () => {
    const client = await opened<Client>(connect() as Promise<Client>)
    const call = (name: string, input: object) => client.callTool({ name, arguments: { ...input } })
    const before = await server.dump()
    expect(textIn(await call("send", { agent: "nobody", text: "Hi" }))).toContain("agent.unknown")
    expect(textIn(await call("send", { agent: "host", branch: "none", text: "Hi" }))).toContain("conversation.unknown")
    expect(textIn(await call("stop", { agent: "host", branch: "none" }))).toContain("conversation.unknown")
    const wrong: Called = await call("send", { agent: "host", text: "" })
    expect(wrong.isError).toBe(true)
    expect(textIn(wrong)).toContain("text")
    const unknown = await call("shout", {}).then(textIn, String)
    expect(unknown).toMatch(/shout/)
    expect(await server.dump()).toEqual(before)
  })
})

describe("what an agent asks", () => {
  it("[API-42] is an elicitation for a client of 2026-07-28, the second time too", async () => {
    server.script(calls("pay", { amount: 5 }), calls("pay", { amount: 7 }, "call_2"), says("Paid."))
    const asked: string[] = []
    const client = await opened(
      modernClient(server, (message, schema) => {
        asked.push(message)
        expect(schema).toMatchObject({ properties: { allow: { type: "boolean" } } })
        return asked.length === 1 ? { action: "accept", content: { allow: true } } : { action: "decline" }
      }),
    )
    const result = await send(client, { text: "Pay" })
    expect(outputOf(result)).toMatchObject({ state: "done", text: "Paid." })
    expect(asked).toHaveLength(2)
    const { messages } = await state("main")
    const tools = messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))
    expect(tools.map((part) => (part.type === "tool" ? part.state : ""))).toEqual(["done", "failed"])
    expect(messages.filter(({ role }) => role === "person")).toHaveLength(1)
  })

  it("[API-42] a question offers its options, and closing the dialog leaves it open", async () => {
    server.script(calls("choose", {}), says("Tea it is."))
    const client = await opened(modernClient(server, () => ({ action: "cancel" })))
    const left = outputOf(await send(client, { text: "What to drink?" }))
    expect(left).toMatchObject({ state: "asks", asks: [{ kind: "question", options: ["Tea", "Coffee"] }] })
    const other = await opened(
      modernClient(server, (_, schema) => {
        expect(schema).toMatchObject({ properties: { answer: { enum: ["Tea", "Coffee"] } } })
        return { action: "accept", content: { answer: "Tea" } }
      }),
    )
    const params = { name: "wait", arguments: { agent: "host" } }
    expect(outputOf(await other.callTool(params))).toMatchObject({ state: "done", text: "Tea it is." })
    expect(outputOf(await other.callTool(params))).toMatchObject({ state: "idle" })
  })

  it("[API-43] a client without elicitation is told how to answer, and answers with a tool", async () => {
    server.script(calls("pay", { amount: 5 }), says("Paid."))
    const client = await opened(oldClient(server))
    const sent = await client.callTool({ name: "send", arguments: { agent: "host", text: "Pay" } })
    const left = outputOf(sent as Called)
    expect(left).toMatchObject({ state: "asks", next: expect.stringContaining("call answer") })
    const [ask] = left.asks as readonly { id: string }[]
    const params = { agent: "host", ask: ask?.id, answer: true }
    const result = outputOf((await client.callTool({ name: "answer", arguments: params })) as Called)
    expect(result).toMatchObject({ state: "done", text: "Paid." })
    const again = (await client.callTool({ name: "answer", arguments: params })) as Called
    expect(textIn(again)).toContain("ask.closed")
  })

  it("[API-42] an answer given on another device in the meantime counts", async () => {
    server.script(calls("pay", { amount: 5 }), says("Paid."))
    const client = await opened(
      modernClient(server, () => {
        void server.runtime
          .snapshot({ agent: "host", person: "me", branch: "main" }, { messages: 1 })
          .then(({ asks: [ask] }) =>
            server.runtime.answer({ agent: "host", person: "me", branch: "main" }, ask?.id ?? "", true, {
              by: "me",
              txid: server.runtime.txid(),
            }),
          )
          .then(answered)
        return { action: "cancel" }
      }),
    )
    let answered = () => {}
    const elsewhere = new Promise<void>((resolve) => {
      answered = resolve
    })
    const left = outputOf(await send(client, { text: "Pay" }))
    await elsewhere
    expect(["asks", "running", "done"]).toContain(left.state)
    const result = outputOf(await client.callTool({ name: "wait", arguments: { agent: "host" } }))
    expect(["done", "idle"]).toContain(result.state)
    await expect.poll(async () => JSON.stringify((await state("main")).messages)).toContain("Paid.")
  })
})

describe("a reply that takes its time", () => {
  it("[API-44] canceling the call or losing the connection stops nothing; the reply is there the second time", async () => {
    const held = gate()
    server.script([...words("One ", "two "), held, ...words("three."), finish()])
    const client = await opened(modernClient(server))
    const leave = new AbortController()
    const seen: string[] = []
    const sending = send(
      client,
      { text: "Count", idempotencyKey: "count" },
      { signal: leave.signal, onprogress: ({ message = "" }: { message?: string }) => void seen.push(message) },
    )
    await expect.poll(() => seen.at(-1)).toMatch(/^One/)
    leave.abort(new Error("cut"))
    await expect(sending).rejects.toThrow()
    expect((await state("main")).status.state).toBe("busy")
    const device = await opened(modernClient(server))
    const again: string[] = []
    const repeated = send(
      device,
      { text: "Count", idempotencyKey: "count" },
      { onprogress: ({ message = "" }: { message?: string }) => void again.push(message) },
    )
    const waiting = device.callTool({ name: "wait", arguments: { agent: "host" } })
    await expect.poll(() => again).toEqual(seen)
    held.open()
    const [first, second] = [outputOf(await repeated), outputOf(await waiting)]
    expect(first).toMatchObject({ state: "done", text: "One two three." })
    expect(second.text).toBe(first.text)
    expect((await state("main")).messages.filter(({ role }) => role === "person")).toHaveLength(1)
  })

  it("[API-44] a message queued behind another gets its own reply; stop keeps what was said", async () => {
    const held = gate()
    server.script([...words("First"), held, finish()], says("Second."))
    const [one, two] = [await opened(modernClient(server)), await opened(modernClient(server))]
    const first = send(one, { text: "1" })
    await expect.poll(async () => (await state("main").catch(() => undefined))?.status.state).toBe("busy")
    const seen: string[] = []
    const second = send(
      two,
      { text: "2" },
      { onprogress: ({ message = "" }: { message?: string }) => void seen.push(message) },
    )
    await expect.poll(() => seen).toEqual(["Queued behind another message"])
    await expect.poll(async () => JSON.stringify((await state("main")).messages)).toContain("First")
    const stopped = outputOf(await two.callTool({ name: "stop", arguments: { agent: "host" } }))
    expect(stopped.state).toBe("stopped")
    expect(outputOf(await first)).toMatchObject({ state: "stopped", text: "First" })
    await server.runtime.resume({ agent: "host", person: "me", branch: "main" }, server.runtime.txid())
    expect(outputOf(await second)).toMatchObject({ outcome: "queued", state: "done", text: "Second." })
  })

  it("[API-44] a call that waited long enough says so, and a removed message is reported", async () => {
    const held = gate()
    server.script([...words("Slow"), held, finish()])
    const client = await opened(modernClient(server))
    const left = outputOf(await send(client, { text: "Go", waitSeconds: 0 }))
    expect(left).toMatchObject({ state: "running", next: expect.stringContaining("Call wait") })
    const queued = send(client, { text: "Then this" })
    await expect.poll(async () => (await state("main")).queue.length).toBe(1)
    await server.runtime.clear({ agent: "host", person: "me", branch: "main" }, server.runtime.txid())
    expect(outputOf(await queued)).toMatchObject({ state: "removed" })
    held.open()
  })
})

describe("bad input", () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${server.port}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${server.token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    })
  const envelope = (version: string, params: object = {}, capabilities = {}) => ({
    ...params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    },
  })
  const request = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params })
  const modern = (method: string, name?: string) => ({
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  })

  it("[API-45] [SEC-1] a token may do what its scopes allow, and without one there is nothing", async () => {
    const secret = await server.addKey({ scopes: ["read"] })
    const reader = await opened(modernClient({ port: server.port, token: secret }))
    expect((await reader.callTool({ name: "agents", arguments: {} })).isError).not.toBe(true)
    for (const [name, input] of [
      ["send", { text: "Hi" }],
      ["answer", { answer: true }],
      ["stop", {}],
    ] as const)
      expect(textIn(await reader.callTool({ name, arguments: { agent: "host", ...input } }))).toContain(
        "auth.forbidden",
      )
    const refused = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request("tools/list", {})),
    })
    expect(refused.status).toBe(401)
    expect(refused.headers.get("www-authenticate")).toBe("Bearer")
    expect(await refused.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { data: { code: "auth.missing" } } })
    await expect(modernClient({ port: server.port, token: "wrong-token-wrong-token-wrong-token" })).rejects.toThrow(
      /401|token/,
    )
  })

  it("[API-46] errors have the form of JSON-RPC, and nothing is stored", async () => {
    const before = await server.dump()
    const wrong = await post(request("tools/list", envelope("1999-01-01")), {
      "mcp-protocol-version": "1999-01-01",
      "mcp-method": "tools/list",
    })
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toMatchObject({
      id: 1,
      error: { code: -32022, data: { supported: ["2026-07-28"], requested: "1999-01-01" } },
    })
    const unheard = await post(request("tools/shout", envelope("2026-07-28")), modern("tools/shout"))
    expect(await unheard.json()).toMatchObject({ id: 1, error: { code: -32601 } })
    const origin = await post(request("tools/list", {}), { origin: "https://elsewhere.example" })
    expect(origin.status).toBe(403)
    expect(await origin.json()).toMatchObject({ jsonrpc: "2.0", error: { data: { code: "origin.not-allowed" } } })
    const cases: readonly (readonly [unknown, number, number])[] = [
      ["{", 400, -32700],
      [{ hello: 1 }, 422, -32600],
      [[], 422, -32600],
      [`"${"x".repeat(3_000_000)}"`, 413, -32000],
    ]
    for (const [body, status, code] of cases) {
      const response = await post(body)
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } })
    }
    const got = await fetch(`http://127.0.0.1:${server.port}/mcp`, { headers: { accept: "text/event-stream" } })
    expect(got.status).toBe(405)
    expect(got.headers.get("allow")).toBe("POST")
    expect(await got.json()).toMatchObject({ jsonrpc: "2.0", error: { data: { code: "method.not-allowed" } } })
    expect(await server.dump()).toEqual(before)
  })

  it("[API-46] a request state that is not ours, and an answer nobody asked for, are refused", async () => {
    const before = await server.dump()
    const call = (more: object) =>
      post(
        request(
          "tools/call",
          envelope("2026-07-28", { name: "send", arguments: { agent: "host", text: "Hi" }, ...more }),
        ),
        modern("tools/call", "send"),
      )
    for (const more of [
      { requestState: "made up" },
      { requestState: JSON.stringify({ branch: "main", message: "m", after: -1 }) },
    ]) {
      const response = await call(more)
      expect(await response.json()).toMatchObject({ id: 1, error: { code: -32602 } })
    }
    const unasked = await call({ inputResponses: { ask_1: { action: "accept", content: { allow: true } } } })
    expect(JSON.stringify(await unasked.json())).toContain("ask.unknown")
    expect(await server.dump()).toEqual(before)
    const client = await opened(modernClient(server))
    await send(client, { text: "Hi" })
    const after = await server.dump()
    const foreign = await call({
      requestState: JSON.stringify({ branch: "main", message: "msg_any", after: 0 }),
      inputResponses: { ask_1: { action: "accept", content: { allow: true } } },
    })
    expect(JSON.stringify(await foreign.json())).toContain("ask.unknown")
    expect(await server.dump()).toEqual(after)
  })
})
