/** [LOG-15] Export as lines and import. */
import { gate } from "@parlor/core/testing"
import { collections, limits, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Ask, ask, expectProblem, jsonOf, read } from "./client.ts"
import { converse, eventually, headOf, historyOf, logOf, open, pathOf, send, visible } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const plain = (role: string, text: string) => JSON.stringify({ role, text })

describe.each(STORES)("[LOG-15] export and import on %s", (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kind })
  })

  afterAll(() => server.close())

  const put = (branch: string, body: string | Buffer, options: Ask = {}) =>
    ask(server, "POST", `/v1/import?agent=host&branch=${encodeURIComponent(branch)}`, {
      ...options,
      body,
      headers: { "content-type": "application/jsonl" },
    })

  test("what was exported looks the same where it was imported", async () => {
    const source = pathOf("host", "source")
    await ask(server, "PUT", source)
    await converse(server, source, "First\nquestion \u2028 with 'odd' \"text\" 👩‍👩‍👧")
    await converse(server, source, "Second")
    await ask(server, "PATCH", source, { body: { title: "Its title" } })
    const exported = await ask(server, "GET", `${source}/export`)
    expect(exported.headers["content-type"]).toBe("application/jsonl")
    const lines = exported.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines[0]).toMatchObject({ parlor: 1, agent: "host", branch: "source", title: "Its title" })
    for (const line of lines.slice(1))
      if ("turn" in line) collections.turns.strict().parse(line.turn)
      else collections.messages.strict().parse(line.message)
    const answer = await put("copy", exported.text)
    expect(jsonOf(answer)).toEqual({ agent: "host", branch: "copy", messages: 4 })
    const [one, two] = [await open(server, source), await open(server, pathOf("host", "copy"))]
    expect(two.messages).toEqual(one.messages)
    expect(two.title).toBe("Its title")
    expect((await ask(server, "GET", `${pathOf("host", "copy")}/export`)).text.split("\n").slice(1)).toEqual(
      exported.text.split("\n").slice(1),
    )
  })

  test("elsewhere: on another server, by another person", async () => {
    const exported = await ask(server, "GET", `${pathOf("host", "source")}/export`)
    const elsewhere = await startTestServer()
    const headers = { "content-type": "application/x-ndjson" }
    const answer = await ask(elsewhere, "POST", "/v1/import?agent=critic", { headers, body: exported.text })
    expect(answer.status, answer.text).toBe(201)
    const [one, two] = [await open(server, pathOf("host", "source")), await open(elsewhere, pathOf("critic", "main"))]
    expect(visible(two.messages)).toEqual(visible(one.messages))
    await converse(elsewhere, pathOf("critic", "main"), "And it goes on")
    expect((await open(elsewhere, pathOf("critic", "main"))).messages).toHaveLength(6)
    await elsewhere.close()
  })

  test("plain lines become messages, in their order", async () => {
    const lines = [plain("person", "Hello"), "", plain("agent", "Hi\r\nthere"), `  ${plain("person", "Bye")}  `, ""]
    const answer = await put("plain", lines.join("\r\n"))
    expect(jsonOf(answer)).toMatchObject({ messages: 3 })
    const snapshot = await open(server, pathOf("host", "plain"))
    expect(visible(snapshot.messages)).toEqual(["person: Hello", "agent: Hi\r\nthere", "person: Bye"])
    expect(snapshot.title).toBe("Hello")
    expect(snapshot.messages.map(({ ord }) => ord)).toEqual([1, 2, 3])
  })

  test("a long conversation goes through whole, page after page", async () => {
    const lines = Array.from({ length: 1_234 }, (_, n) => plain(n % 2 ? "agent" : "person", `line ${n}`))
    expect(jsonOf(await put("long", lines.join("\n")))).toMatchObject({ messages: 1_234 })
    const exported = await ask(server, "GET", `${pathOf("host", "long")}/export`)
    expect(exported.text.trimEnd().split("\n")).toHaveLength(1_235)
    expect(await historyOf(server, pathOf("host", "long"), 500)).toHaveLength(1_234)
  })

  test("what was still being said is exported as far as it came", async () => {
    const path = pathOf("host", "half")
    const held = gate()
    await ask(server, "PUT", path)
    server.script([{ type: "text", text: "So far" }, held])
    await send(server, path, "Go on")
    await eventually(async () => (await open(server, path)).messages.length).toBe(2)
    const exported = await ask(server, "GET", `${path}/export`)
    await put("half-copy", exported.text)
    const copy = await open(server, pathOf("host", "half-copy"))
    expect(copy.messages.at(-1)).toMatchObject({ state: "truncated", parts: [{ text: "So far" }] })
    expect(copy.status).toMatchObject({ state: "idle", turn: null })
    expectProblem(await put("half", plain("person", "x")), { status: 409, code: "conversation.busy" })
    await ask(server, "POST", `${path}/stop`, { body: {} })
    held.open()
  })

  const good = plain("person", "good")
  const message = (more: object) =>
    JSON.stringify({
      message: {
        id: "msg_x",
        ord: 1,
        role: "person",
        author: "",
        turn: null,
        state: "done",
        parts: [{ type: "text", text: "x" }],
        composer: null,
        inbox: null,
        trigger: null,
        dimmed: false,
        editedFrom: null,
        usage: null,
        at: 1,
        ...more,
      },
    })
  const tool = { type: "tool", call: "c", name: "n", input: "DEEP", state: "done", output: null, error: null }
  const deepTool = message({ parts: [tool] }).replace('"DEEP"', `${"[".repeat(100_000)}${"]".repeat(100_000)}`)
  const broken: readonly (readonly [string, string | Buffer, string, string | undefined])[] = [
    ["nothing", "", "import.invalid", undefined],
    ["only white space", " \n\n ", "import.invalid", undefined],
    ["only a head", '{"parlor":1}', "import.invalid", undefined],
    ["no JSON", `${good}\nnonsense`, "import.invalid", "/1"],
    ["a cut line", `${good}\n${good.slice(0, -3)}`, "import.invalid", "/1"],
    ["another role", `${good}\n${good}\n${plain("system", "obey")}`, "import.invalid", "/2"],
    ["no text", `${good}\n{"role":"person"}`, "import.invalid", "/1"],
    ["a key too many", '{"role":"person","text":"x","person":"ana"}', "import.invalid", "/0"],
    ["an array", "[]", "import.invalid", "/0"],
    ["a later version", '{"parlor":2}', "import.invalid", "/0"],
    ["half a pair", `${good}\n{"role":"person","text":"\\ud800"}`, "text.malformed", "/1"],
    ["a NUL", `${good}\n{"role":"person","text":"\\u0000"}`, "text.malformed", "/1"],
    ["a NUL in a key", `${good}\n{"role":"person","text":"x","\\u0000":1}`, "text.malformed", "/1"],
    ["invalid UTF-8", Buffer.concat([Buffer.from(`${good}\n`), Buffer.from([0xff])]), "request.json", undefined],
    ["a tool's answer too deep", deepTool, "request.too-deep", "/0"],
    ["too many values", `[${"0,".repeat(limits.jsonValues)}0]`, "request.too-many", "/0"],
    ["too deep", `${good}\n${"[".repeat(100_000)}${"]".repeat(100_000)}`, "request.too-deep", "/1"],
    ["the same message twice", `${message({})}\n${message({})}`, "import.invalid", "/1/message/id"],
    ["a message of another state", message({ state: "forged" }), "import.invalid", "/0"],
    ["a message with a part nobody knows", message({ parts: [{ type: "script" }] }), "import.invalid", "/0"],
    ["half a pair in a message", message({ author: "\ud800" }), "text.malformed", "/0"],
    ["a NUL in a message's id", message({ id: "\u0000" }), "text.malformed", "/0"],
    ["a line too long", plain("person", "x".repeat(limits.importLineBytes)), "import.invalid", "/0"],
  ]

  test.each(broken)("[SEC-5] an import with %s is refused whole", async (_about, body, code, pointer) => {
    const answer = await put("broken", body)
    expect(answer.status).toBeLessThan(500)
    expect(jsonOf(answer)).toMatchObject({ code, ...(pointer === undefined ? {} : { pointer }) })
    expect(answer.headers["content-type"]).toBe("application/problem+json")
    expectProblem(await ask(server, "GET", pathOf("host", "broken")), { status: 404, code: "conversation.unknown" })
  })

  test("[SEC-5] an import of an unknown agent makes nothing", async () => {
    const headers = { "content-type": "application/jsonl" }
    const answer = await ask(server, "POST", "/v1/import?agent=nobody", { headers, body: good })
    expectProblem(answer, { status: 404, code: "agent.unknown" })
    const missing = await ask(server, "POST", "/v1/import", { headers, body: good })
    expectProblem(missing, { status: 422, code: "request.invalid", pointer: "agent" })
  })

  test("[LOG-2] every event of an import fits its collection", async () => {
    for (const branch of ["copy", "plain"])
      for (const change of await logOf(server, pathOf("host", branch)))
        expect(collections[change.type].strict().parse(change.value)).toEqual(change.value)
  })

  test("an import is one step: all of its messages appear at once", async () => {
    const path = pathOf("host", "plain")
    const log = await logOf(server, path)
    const imported = log.filter((change) => change.type === "messages")
    expect(new Set(imported.map((change) => change.headers.txid)).size).toBe(1)
    expect(await headOf(server, path)).toBe(log.at(-1)?.headers.offset)
    const list = await read(server, routes.listConversations.answer.schema, "GET", "/v1/conversations?limit=500")
    expect(list.conversations.find(({ branch }) => branch === "plain")?.preview).toBe("Bye")
  })
})
