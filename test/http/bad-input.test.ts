/** [SEC-5] Invalid requests get a code and a pointer, and nothing is stored. */
import { type ErrorCode, limits, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Ask, ask, expected, expectProblem, read } from "./client.ts"
import { headOf, open, pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")
const messages = `${main}/messages`
const LONE = "\ud800"
const nested = (depth: number, open = "[", close = "]") => open.repeat(depth) + close.repeat(depth)
const composer = (payload: unknown) => ({ type: "composer_input", payload })
const node = (more: object = {}) => ({ kind: "text", start: 0, end: 1, raw: "x", ...more })

type Case = readonly [about: string, body: unknown, code: ErrorCode, pointer?: string]

const sends: readonly Case[] = [
  ["nothing", "", "request.json"],
  ["half an object", '{"text":"hi"', "request.json"],
  ["a trailing comma", '{"text":"hi",}', "request.json"],
  ["two values", '{"text":"hi"}{"text":"hi"}', "request.json"],
  ["a byte order mark", '\ufeff{"text":"hi"}', "request.json"],
  ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), "request.json"],
  ["a cut UTF-8 sequence", Buffer.from('{"text":"\u20ac"}', "utf8").subarray(0, 11), "request.json"],
  ["a surrogate as UTF-8", Buffer.from([...Buffer.from('{"text":"'), 0xed, 0xa0, 0x80, 0x22, 0x7d]), "request.json"],
  ["UTF-16", Buffer.from('{"text":"hi"}', "utf16le"), "request.json"],
  ["a raw NUL in a text", '{"text":"a\u0000b"}', "request.json"],
  ["NaN", '{"text":NaN}', "request.json"],
  ["null", "null", "request.invalid", ""],
  ["an array", "[]", "request.invalid", ""],
  ["a string", '"hi"', "request.invalid", ""],
  ["an empty object", "{}", "request.invalid"],
  ["an empty text", { text: "" }, "request.invalid", "/text"],
  ["a number for a text", { text: 1 }, "request.invalid", "/text"],
  ["null for a text", { text: null }, "request.invalid", "/text"],
  ["an unknown mode", { text: "hi", mode: "now" }, "request.invalid", "/mode"],
  ["an unknown key", { text: "hi", colour: "red" }, "request.invalid", ""],
  ["__proto__ as a key", '{"text":"hi","__proto__":{"mode":"paused"}}', "request.invalid"],
  ["constructor as a key", { text: "hi", constructor: {} }, "request.invalid", ""],
  ["an unknown type", { type: "voice", payload: {} }, "message.type-unknown", "/type"],
  ["a type that is none", { type: "Voice!", payload: {} }, "request.invalid", "/type"],
  ["no payload", { type: "composer_input" }, "request.invalid", "/payload"],
  ["a payload of the wrong type", composer([]), "request.invalid", "/payload"],
  ["no source", composer({}), "request.invalid", "/payload/source"],
  ["nodes of the wrong type", composer({ source: "x", nodes: {} }), "request.invalid", "/payload/nodes"],
  ["a node that is none", composer({ source: "x", nodes: [node(), 7] }), "request.invalid", "/payload/nodes/1"],
  [
    "a negative start",
    composer({ source: "x", nodes: [node({ start: -1 })] }),
    "request.invalid",
    "/payload/nodes/0/start",
  ],
  [
    "a start between numbers",
    composer({ source: "x", nodes: [node({ start: 0.5 })] }),
    "request.invalid",
    "/payload/nodes/0/start",
  ],
  [
    "an end past all numbers",
    '{"type":"composer_input","payload":{"source":"x","nodes":[{"kind":"t","start":0,"end":1e400,"raw":""}]}}',
    "request.invalid",
    "/payload/nodes/0/end",
  ],
  [
    "a number nobody can store",
    '{"type":"composer_input","payload":{"source":"x","nodes":[{"kind":"t","start":0,"end":1,"raw":"","n":1e400}]}}',
    "request.invalid",
    "/payload/nodes/0/n",
  ],
  [
    "too many nodes",
    composer({ source: "x", nodes: Array.from({ length: limits.composerNodes + 1 }, () => node()) }),
    "request.invalid",
    "/payload/nodes",
  ],
  ["half a surrogate pair", '{"text":"a\\ud800b"}', "text.malformed", "/text"],
  ["the other half", '{"text":"\\uDE00"}', "text.malformed", "/text"],
  ["a pair the wrong way round", '{"text":"\\ude00\\ud83d"}', "text.malformed", "/text"],
  ["a NUL as an escape", '{"text":"a\\u0000b"}', "text.malformed", "/text"],
  ["half a pair in a source", composer({ source: LONE }), "text.malformed", "/payload/source"],
  [
    "half a pair in a node",
    composer({ source: "x", nodes: [node({ raw: LONE })] }),
    "text.malformed",
    "/payload/nodes/0/raw",
  ],
  [
    "a NUL deep in a node",
    composer({ source: "x", nodes: [node({ data: { "a/b": ["\u0000"] } })] }),
    "text.malformed",
    "/payload/nodes/0/data/a~1b/0",
  ],
  [
    "half a pair in a key",
    composer({ source: "x", nodes: [node({ [LONE]: 1 })] }),
    "text.malformed",
    "/payload/nodes/0",
  ],
  ["65 levels", `{"text":${nested(64)}}`, "request.too-deep"],
  ["100,000 levels", nested(100_000), "request.too-deep"],
  ["100,000 objects in each other", nested(100_000, '{"a":', "}"), "request.too-deep"],
  ["100,000 levels that never end", "[".repeat(100_000), "request.too-deep"],
  ["60,000 values", JSON.stringify({ text: Array.from({ length: 60_000 }, () => 0) }), "request.too-many"],
  [
    "60,000 keys",
    JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [n, 0]))),
    "request.too-many",
  ],
  ["more than 1 MiB", { text: "x".repeat(limits.messageBytes + 1) }, "message.too-large"],
  ["more than 1 MiB in bytes only", { text: "\u20ac".repeat(limits.messageBytes / 3 + 1) }, "message.too-large"],
  ["more than the body may hold", { text: "x".repeat(limits.bodyBytes) }, "request.too-large"],
]

describe.each(STORES)("bad input on %s", (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kind })
    await ask(server, "PUT", main)
  })

  afterAll(() => server.close())

  const sent = sends.map(([about, body, code, pointer]) => ({ about, body, expected: expected(code, pointer) }))
  test.each(sent)("[SEC-5] a send with $about", async ({ body, expected }) => {
    const before = await headOf(server, main)
    expectProblem(await ask(server, "POST", messages, { body }), expected)
    expect(await headOf(server, main)).toBe(before)
  })

  const others: readonly (readonly [string, string, string, unknown, ErrorCode, string?])[] = [
    ["a title of a number", "PATCH", main, { title: 1 }, "request.invalid", "/title"],
    ["a title too long", "PATCH", main, { title: "x".repeat(201) }, "request.invalid", "/title"],
    ["a malformed title", "PATCH", main, { title: LONE }, "text.malformed", "/title"],
    ["a mark nobody knows", "PATCH", main, { starred: true }, "request.invalid", ""],
    ["a flag of a string", "PATCH", main, { pinned: "true" }, "request.invalid", "/pinned"],
    ["a stop of a number", "POST", `${main}/stop`, { turn: 1 }, "request.invalid", "/turn"],
    ["a stop with another queue", "POST", `${main}/stop`, { onQueue: "drop" }, "request.invalid", "/onQueue"],
    ["a stop of nothing", "POST", `${main}/stop`, {}, "turn.none"],
    ["a stop of another turn", "POST", `${main}/stop`, { turn: "trn_none" }, "turn.over"],
  ]

  const asked = others.map(([about, method, path, body, code, pointer]) => ({
    about,
    asks: [method, path, { body }] as const,
    expected: expected(code, pointer),
  }))
  test.each(asked)("[SEC-5] $about", async ({ asks, expected }) => {
    const before = await headOf(server, main)
    expectProblem(await ask(server, ...asks), expected)
    expect(await headOf(server, main)).toBe(before)
  })

  test("[SEC-5] a refused request makes no conversation", async () => {
    const someone: Ask = { token: await server.addKey({ person: "nobody-yet", scopes: ["read", "write", "manage"] }) }
    const critic = pathOf("critic", "main")
    for (const body of ["{", { text: 1 }, { text: LONE }, { text: "x".repeat(limits.messageBytes + 1) }])
      await ask(server, "POST", `${critic}/messages`, { ...someone, body })
    await ask(server, "POST", `${critic}/messages`, {
      ...someone,
      body: { text: "x" },
      headers: { "idempotency-key": "" },
    })
    await ask(server, "PATCH", critic, { ...someone, body: { title: 1 } })
    const list = await read(server, routes.listConversations.answer.schema, "GET", "/v1/conversations", someone)
    expect(list.conversations).toEqual([])
  })

  test("[ADR-3, SEC-5] main is made by the first message to it, not by asking for what it does not have", async () => {
    const someone: Ask = { token: await server.addKey({ person: "only-looking" }) }
    await ask(server, "GET", `${main}/events?offset=nowhere`, someone)
    await ask(server, "GET", `${messages}?before=nowhere`, someone)
    await ask(server, "POST", `${main}/stop`, { ...someone, body: {} })
    const list = await read(server, routes.listConversations.answer.schema, "GET", "/v1/conversations", someone)
    expect(list.conversations).toEqual([])
  })

  test("[SEC-5] what is odd but can be carried comes back as it was", async () => {
    const odd =
      "\u2028\u2029\u202e\ufeff\uffff\ue000 👩‍👩‍👧 e\u0301 \u0001\u001f\u007f </script> '\"\\ \r\n\t \u{10ffff}"
    const path = pathOf("host", "odd")
    await ask(server, "PUT", path)
    const nodes = [
      { kind: "mention", name: odd, start: 0, end: odd.length, raw: odd, extra: { deep: [odd, 1.5, null, true] } },
    ]
    const answer = await ask(server, "POST", `${path}/messages`, { body: composer({ source: odd, nodes }) })
    expect(answer.status, answer.text).toBe(202)
    const [first] = (await open(server, path)).messages
    expect(first).toMatchObject({ parts: [{ text: odd }], composer: { source: odd, nodes } })
    expect({}).not.toHaveProperty("mode")
  })
})
