/** The agent-first verbs, compaction and search over HTTP. */
import { gate, says } from "@parlor/core/testing"
import { limits, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, expected, expectProblem, read } from "./client.ts"
import { converse, eventually, open, pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

describe.each(STORES)("the verbs on %s", (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ kind })
  })
  afterAll(() => server.close())

  const isIdle = (path: string) => eventually(async () => (await open(server, path)).status.turn).toBeNull()
  const compacted = async (path: string, body: unknown) => {
    const { turn } = await read(server, routes.compact.answer.schema, "POST", `${path}/compact`, { body })
    await isIdle(path)
    return turn
  }
  const archivesOf = async (path: string) =>
    (await read(server, routes.listArchives.answer.schema, "GET", `${path}/archives`)).archives

  test("[ADR-8] send, stop, answer, compact, list and subscribe take agent and branch, and the person of the credential", async () => {
    const verbs = ["send", "stop", "compact", "followConversation", "openConversation"] as const
    for (const verb of verbs) expect(routes[verb].path).toMatch(/^\/v1\/conversations\/:agent\/:branch(\/\w+)?$/)
    const path = pathOf("host", "main")
    const wait = gate()
    server.script([wait], says("Summed up."), says("Hello again."))
    await ask(server, "POST", `${path}/messages`, { body: { text: "hi" } })
    await eventually(async () => (await open(server, path)).status.turn).not.toBeNull()
    await ask(server, "POST", `${path}/stop`, { body: {} })
    wait.open()
    await compacted(path, { keepTurns: 0 })
    await converse(server, path, "back")
    const { conversations } = await read(server, routes.listConversations.answer.schema, "GET", "/v1/conversations")
    expect(conversations.map(({ agent, branch }) => `${agent}/${branch}`)).toContain("host/main")
  })

  test("[CPT-1, CPT-5, CPT-6] compacts, shows the chapter, takes it back", async () => {
    const path = pathOf("host", "chapters")
    await ask(server, "PUT", path)
    server.script(says("one"), says("two"), says("Two numbers. That is all."), says("three"), says("four"))
    await converse(server, path, "1")
    await converse(server, path, "2")
    await compacted(path, { keepTurns: 0 })
    const [archive] = await archivesOf(path)
    expect(archive).toMatchObject({ title: "Two numbers.", ended: null })
    const chapter = `${path}/archives/${archive?.id}`
    const { messages } = await read(server, routes.openArchive.answer.schema, "GET", chapter)
    expect(messages).toHaveLength(4)
    expect((await open(server, path)).archives).toHaveLength(1)
    await converse(server, path, "3")
    expect(JSON.stringify(server.requests.at(-1)?.messages)).toContain("Two numbers.")
    await read(server, routes.undoCompaction.answer.schema, "POST", `${chapter}/undo`)
    await converse(server, path, "4")
    expect(JSON.stringify(server.requests.at(-1)?.messages)).toContain('"one"')
    expectProblem(await ask(server, "POST", `${chapter}/undo`), expected("archive.dissolved"))
  })

  test("[CPT-4] with nothing said, while busy, or asked for nonsense: each its own answer", async () => {
    const path = pathOf("host", "refused")
    await ask(server, "PUT", path)
    const compact = (body: unknown) => ask(server, "POST", `${path}/compact`, { body: body })
    expectProblem(await compact({}), expected("compaction.nothing"))
    expectProblem(await compact({ keepTurns: -1 }), expected("request.invalid"))
    expectProblem(await ask(server, "GET", `${path}/archives/arc_none`), expected("archive.unknown"))
    const wait = gate()
    server.script([wait, ...says("done")])
    await ask(server, "POST", `${path}/messages`, { body: { text: "hi" } })
    expectProblem(await compact({}), expected("conversation.busy"))
    wait.open()
    await isIdle(path)
  })

  test("[CPT-8] a person searches all their conversations; what is looked for is words, whatever it looks like", async () => {
    const path = pathOf("host", "found")
    await ask(server, "PUT", path)
    server.script(says("The lighthouse keeper counts gulls."))
    await converse(server, path, "Tell me of the lighthouse")
    const search = async (q: string) =>
      (await read(server, routes.search.answer.schema, "GET", `/v1/search?q=${encodeURIComponent(q)}`)).hits
    const hits = await search("lighthouse gulls")
    expect(hits[0]).toMatchObject({ kind: "message", agent: "host", branch: "found", role: "agent", dimmed: false })
    for (const odd of ['"', "NEAR(", "a OR b*", "lighthouse'; drop", "-", "灯", "%_\\"]) await search(odd)
    const long = `/v1/search?q=${"x".repeat(limits.searchLength + 1)}`
    for (const bad of ["/v1/search?q=", long])
      expectProblem(await ask(server, "GET", bad), expected("request.invalid", "q"))
  })
})
