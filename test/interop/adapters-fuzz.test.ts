/**
 * Almost valid requests to the routes of other protocols: never a 5xx, errors in the protocol's own form, and nothing of
 * a refused request is stored. A failure prints its seed; fast-check replays it from `{ seed, path }`.
 */
import fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Answer, ask, jsonOf } from "../http/client.ts"
import { startTestServer, type TestServer } from "../http/server.ts"
import { rounds } from "../support/rounds.ts"

const RUNS = rounds({ usual: 60, long: 20_000 })

let server: TestServer
let number = 0
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type Protocol = {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Valid requests to this conversation. */
  readonly bodies: (branch: string) => readonly object[]
  /** Whether it is an error in the form of the protocol, in a body of this status. */
  readonly error: (answer: Answer) => boolean
}

const openaiError = (answer: Answer) =>
  typeof (jsonOf(answer) as { error?: { message?: unknown } }).error?.message === "string"
const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params })
const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  "AI SDK": {
    path: "/v1/ui/host?sdk=7",
    bodies: (branch) => [
      {
        id: branch,
        trigger: "submit-message",
        messages: [{ id: branch, role: "user", metadata: {}, parts: [{ type: "text", text: "Hi" }] }],
      },
      {
        id: branch,
        messages: [
          { id: "1", role: "user", parts: [{ type: "text", text: "Pay" }] },
          {
            id: "2",
            role: "assistant",
            parts: [{ type: "dynamic-tool", state: "approval-responded", approval: { id: "ask_1", approved: true } }],
          },
        ],
      },
    ],
    error: ({ headers, text }) => headers["parlor-code"] !== undefined && text !== "",
  },
  "chat completions": {
    path: "/v1/chat/completions",
    bodies: (branch) => [
      {
        model: `host/${branch}`,
        stream: true,
        stream_options: { include_usage: true },
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: [{ type: "text", text: "Hi" }] },
        ],
      },
      { model: `host/${branch}`, messages: [{ role: "tool", tool_call_id: "x", content: "y" }] },
    ],
    error: openaiError,
  },
  responses: {
    path: "/v1/responses",
    bodies: (branch) => [
      { model: "host", conversation: branch, input: "Hi", stream: true },
      {
        model: "host",
        conversation: { id: branch },
        background: true,
        input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] }],
      },
      { model: "host", conversation: branch, input: [{ type: "function_call_output", call_id: "x", output: "y" }] },
    ],
    error: openaiError,
  },
  "AG-UI": {
    path: "/v1/ag-ui/host",
    bodies: (branch) => [
      {
        threadId: branch,
        runId: "run",
        protocolVersion: "1.0",
        state: {},
        messages: [{ id: branch, role: "user", content: "Hi" }],
        tools: [],
        context: [],
        forwardedProps: {},
      },
      { threadId: branch, runId: "run", messages: [], resume: [{ interruptId: "x", status: "resolved", payload: {} }] },
    ],
    error: ({ text }) => text.includes('"RUN_ERROR"'),
  },
  MCP: {
    path: "/mcp",
    headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
    bodies: (branch) => [
      rpc("tools/call", { name: "send", arguments: { agent: "host", branch, text: "Hi", waitSeconds: 5 } }),
      rpc("tools/call", { name: "answer", arguments: { agent: "host", branch, answer: true } }),
      rpc("tools/list", {}),
    ],
    error: ({ text }) => text.includes('"error"') && text.includes('"jsonrpc"'),
  },
}

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("", null, -1, 1e308, [], {}, "\u0000", "../x", "9.9", "tool", "data:,x", "x".repeat(5_000), [[[[]]]]),
)
/** Replaces or removes values at random places; a third of the requests stays valid. */
const changes = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  {
    weight: 2,
    arbitrary: fc.array(fc.tuple(fc.nat(), fc.option(odd, { nil: undefined, freq: 4 })), {
      minLength: 1,
      maxLength: 3,
    }),
  },
)

it.each(Object.entries(PROTOCOLS))(
  `[API-4] [API-14] [API-39] [API-46] %s: ${RUNS} almost valid requests`,
  async (_, { path, headers = {}, bodies, error }) => {
    let through = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(), changes, async (choice, changed) => {
        const branch = `fuzz-${++number}`
        const valid = bodies(branch)
        const body = JSON.parse(JSON.stringify(valid[choice % valid.length])) as object
        for (const [at, value] of changed) change(body, at, value)
        const answer = await ask(server, "POST", path, { headers, body: JSON.stringify(body) })
        const shown = `${JSON.stringify(body).slice(0, 500)} → ${answer.status} ${answer.text.slice(0, 500)}`
        expect(answer.status, shown).toBeLessThan(500)
        if (answer.status < 400 && !answer.text.includes('"RUN_ERROR"') && !answer.text.includes('"isError":true')) {
          through += 1
          return
        }
        if (answer.status >= 400 || answer.text.includes('"RUN_ERROR"')) expect(error(answer), shown).toBe(true)
        const stored = await ask(server, "GET", `/v1/conversations/host/${branch}`)
        expect(stored.status, shown).toBe(404)
      }),
      { numRuns: RUNS },
    )
    // Guards against a run in which no request was valid.
    expect(through).toBeGreaterThan(0)
    expect(server.logged.filter((line) => line.includes("request failed"))).toEqual([])
  },
  RUNS * 1_000,
)

function change(body: object, at: number, value: unknown): void {
  const places = placesIn(body)
  const place = places[at % places.length]
  if (place === undefined) return
  const [parent, key] = place
  if (value === undefined && !Array.isArray(parent)) delete parent[key]
  else parent[key] = value
}

type Parent = Record<string, unknown>

function placesIn(value: unknown): readonly (readonly [Parent, string])[] {
  if (typeof value !== "object" || value === null) return []
  return Object.keys(value).flatMap((key) => [[value as Parent, key] as const, ...placesIn((value as Parent)[key])])
}

it.each([
  ["GET", "/v1/ui/host/none/stream", 204],
  ["GET", "/v1/ui/host/main/stream?sdk=8", 422],
  ["GET", "/v1/responses/resp_unknown?stream=true&starting_after=3", 404],
  ["GET", "/v1/responses/%00", 404],
  ["POST", "/v1/responses/resp_unknown/cancel", 404],
  ["GET", "/v1/ag-ui/host/main/events?after=nothing", 400],
  ["GET", "/v1/ag-ui/host/main/events?after=trn_1:0000000000000009_abcdefg:0.0", 404],
  ["GET", "/v1/conversations/host/main/events?offset=0000000000009999&live=sse", 410],
] as const)("[API-3] [API-10] [API-37] %s %s: a resume point that does not exist", async (method, path, status) => {
  const answer = await ask(server, method, path)
  expect([answer.status, answer.text]).toEqual([status, expect.anything()])
})

it("[API-18] a page of another origin gets an error in the form of each protocol, and nothing is stored", async () => {
  for (const { path, headers = {}, bodies, error } of Object.values(PROTOCOLS)) {
    const [body] = bodies("stranger")
    const answer = await ask(server, "POST", path, {
      headers: { ...headers, origin: "https://stranger.example" },
      body: JSON.stringify(body),
    })
    expect([path, answer.status, answer.text, error(answer)]).toEqual([path, 403, expect.anything(), true])
  }
  expect((await ask(server, "GET", "/v1/conversations/host/stranger")).status).toBe(404)
})
