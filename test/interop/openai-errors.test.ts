/** Bad input of OpenAI clients: an error in OpenAI's form, and nothing is stored (API-14). */
import OpenAI from "openai"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startTestServer, type TestServer } from "../http/server.ts"
import { openaiClient } from "./openai.ts"

let server: TestServer
let before: string

beforeAll(async () => {
  server = await startTestServer({ sendsPerMinute: 2 })
  before = await stored()
})
afterAll(() => server.close())

/** Everything that is about conversations and files. */
async function stored(): Promise<string> {
  const { once: _, ...tables } = await server.dump()
  return JSON.stringify(tables)
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })
  const { error } = (await response.json()) as { error: { message: string; type: string; param: string; code: string } }
  return { status: response.status, headers: response.headers, ...error }
}

const message = { role: "user", content: "Hi" }
const part = (content: object) => ({ model: "host", messages: [{ role: "user", content: [content] }] })
const said = (...messages: object[]) => ({ model: "host", messages })
const asked = (...input: object[]) => ({ model: "host", input })
const tool = { role: "tool", tool_call_id: "call_1", content: "42" }

describe("bad input", () => {
  it.each<[string, unknown, string | null]>([
    ["not JSON", "{", null],
    ["no model", { messages: [message] }, "model"],
    ["no messages", { model: "host" }, "messages"],
    ["an empty list", said(), "messages"],
    ["an unknown role", said({ role: "robot", content: "Hi" }), "messages[0].role"],
    ["an unknown part", part({ type: "input_audio" }), "messages[0].content[0].type"],
    ["a file to download", part({ type: "image_url", image_url: { url: "https://example.com/a.png" } }), null],
    ["an empty message", said({ role: "user", content: " " }), "messages"],
    ["a reply at the end", said(message, { role: "assistant", content: "Hi" }), "messages"],
    ["a tool result nobody asked for", said(message, tool), "messages[1]"],
    ["a tool result in the middle", said(tool, message), "messages[0]"],
    ["several replies", { ...said(message), n: 2 }, "n"],
    ["a tool that must be called", { ...said(message), tool_choice: "required" }, "tool_choice"],
    ["another format", { ...said(message), response_format: { type: "json_object" } }, "response_format"],
    ["a wrong branch", { model: "host/a/b", messages: [message] }, "model"],
  ])("[API-14] chat: %s", async (_name, body, param) => {
    const error = await post("/v1/chat/completions", body)
    expect(error).toMatchObject({ status: 400, type: "invalid_request_error" })
    expect(error.message).not.toBe("")
    if (param !== null) expect(error.param).toBe(param)
    expect(await stored()).toBe(before)
  })

  it.each<[string, unknown, number, string | null]>([
    ["no input", { model: "host" }, 400, "input"],
    ["no model", { input: "Hi" }, 400, "model"],
    ["an unknown item", asked({ type: "item_reference", id: "x" }), 400, "input[0].type"],
    ["a tool result", asked({ type: "function_call_output", call_id: "c", output: "42" }), 400, "input[0]"],
    ["an approval as an item", asked({ type: "mcp_approval_response", approve: true }), 400, "input[0]"],
    ["an unknown previous response", { input: "Hi", previous_response_id: "resp_x" }, 404, "previous_response_id"],
    ["both", { model: "host", input: "Hi", conversation: "a", previous_response_id: "x" }, 400, "previous_response_id"],
    ["a wrong conversation", { model: "host", input: "Hi", conversation: "a/b" }, 400, "conversation"],
    ["another format", { model: "host", input: "Hi", text: { format: { type: "json_schema" } } }, 400, "text.format"],
  ])("[API-14] responses: %s", async (_name, body, status, param) => {
    const error = await post("/v1/responses", body)
    expect(error).toMatchObject({ status })
    if (param !== null) expect(error.param).toBe(param)
    expect(await stored()).toBe(before)
  })

  it("[API-14] ids that are not ours, or of another person, do not exist", async () => {
    const client = openaiClient(server)
    const forged = Buffer.from(JSON.stringify(["host", "main", "msg_1", 0, 0, true, true])).toString("base64url")
    for (const id of ["x", "resp_", "resp_%", `resp_${forged}`]) {
      await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
      await expect(client.responses.retrieve(id, { stream: true })).rejects.toMatchObject({ status: 404 })
      await expect(client.responses.cancel(id)).rejects.toMatchObject({ status: 404 })
      await expect(client.responses.delete(id)).rejects.toMatchObject({ status: 404 })
    }
    const { id } = await client.responses.create({ model: "host", input: "Mine" })
    const token = await server.addKey({ person: "ana" })
    const other = openaiClient({ ...server, token })
    await expect(other.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
    await expect(other.responses.create({ input: "x", previous_response_id: id })).rejects.toMatchObject({
      status: 404,
    })
  })

  it("[API-14] credentials, unknown models and rates have the errors that clients know", async () => {
    const wrong = openaiClient({ ...server, token: "parlor_wrong" })
    await expect(wrong.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
    await expect(wrong.models.list()).rejects.toMatchObject({ code: "invalid_api_key", type: "authentication_error" })
    const readOnly = openaiClient({ ...server, token: await server.addKey({ scopes: ["read"] }) })
    const messages = [{ role: "user", content: "Hi" } as const]
    await expect(readOnly.chat.completions.create({ model: "host", messages })).rejects.toMatchObject({ status: 403 })
    const client = openaiClient(server)
    const unknown = client.chat.completions.create({ model: "gpt-5", messages })
    await expect(unknown).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    await expect(unknown).rejects.toMatchObject({ code: "model_not_found", param: "model" })
    const limited = openaiClient({ ...server, token: await server.addKey({ person: "bo" }) })
    const send = () => limited.responses.create({ model: "host", input: "Hi" })
    await send()
    await send()
    const refused = await send().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(OpenAI.RateLimitError)
    expect(refused).toMatchObject({ code: "rate_limit_exceeded", type: "rate_limit_error" })
    expect((refused as InstanceType<typeof OpenAI.RateLimitError>).headers.get("retry-after")).not.toBeNull()
  })

  it("[API-14] a refusal is not repeated by the client", async () => {
    let requests = 0
    const client = openaiClient(server, {
      maxRetries: 2,
      fetch: (input, init) => {
        requests += 1
        return fetch(input, init)
      },
    })
    const first = await client.responses.create({ model: "host", input: "A" })
    await client.responses.create({ input: "B", previous_response_id: first.id })
    requests = 0
    await expect(client.responses.delete(first.id)).rejects.toMatchObject({ status: 409 })
    expect(requests).toBe(1)
  })

  it("[API-14] a body over the limit is refused in the same form", async () => {
    const error = await post("/v1/chat/completions", said({ role: "user", content: "x".repeat(9 * 1024 * 1024) }))
    expect(error).toMatchObject({ status: 413, type: "invalid_request_error", code: "request.too-large" })
  })
})
