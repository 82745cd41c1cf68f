/** [SEC-23] [SEC-24] [SEC-42] [SEC-43] Storage quotas: counted, shown, and enforced before anything is written. */
import { defaultUsageSettings } from "@parlor/core"
import { gate, says } from "@parlor/core/testing"
import { type Problem, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, expectProblem, follow, jsonOf, read } from "./client.ts"
import { converse, eventually, open, pathOf, send, visible } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const MIB = 1024 * 1024
const QUOTA = { storedBytes: 8 * MIB, conversations: 5, files: 12, schedules: 3, hooks: 2, notices: 1 }

describe.each(STORES)("[SEC-23] quotas on %s", (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kind, settings: { quota: QUOTA, usage: defaultUsageSettings } })
  })

  afterAll(() => server.close())

  const usage = (token: string) => read(server, routes.readUsage.answer.schema, "GET", "/v1/usage", { token })
  const put = (token: string, content: string, path = "notes.txt") =>
    ask(server, "PUT", `${pathOf("host", "main")}/files/${path}`, {
      token,
      body: content,
      headers: { "content-type": "application/octet-stream" },
    })
  const attach = (token: string, content: string) =>
    ask(server, "POST", "/v1/attachments?name=a.txt", {
      token,
      body: content,
      headers: { "content-type": "text/plain" },
    })

  test("old versions of a file count: overwriting it meets the limit, and nothing is half done", async () => {
    const token = await server.addKey({ person: "overwriter" })
    for (let n = 0; n < 7; n++) expect((await put(token, version(n))).status).toBe(200)
    const { stored } = await usage(token)
    expect(stored).toMatchObject({ limit: QUOTA.storedBytes, files: 7 * MIB, memories: 0, triggers: 0 })
    expect(stored.used).toBe(stored.files + stored.conversations)
    const refused = await put(token, version(8))
    expectProblem(refused, { status: 413, code: "quota.bytes" })
    expect(jsonOf(refused) as Problem).toMatchObject({ used: stored.used, allowed: QUOTA.storedBytes })
    expect(await usage(token)).toMatchObject({ stored })
    const file = await ask(server, "GET", `${pathOf("host", "main")}/files/notes.txt`, { token })
    expect(file.text.slice(0, 20)).toBe(version(6).slice(0, 20))
  })

  test("without room, new things are refused before they begin; deleting gives room back", async () => {
    const token = await server.addKey({ person: "hoarder", scopes: ["read", "write", "manage"] })
    const path = pathOf("host", "main")
    const headers = { "idempotency-key": "sent-before" }
    const first = await converse(server, path, "hello", { token, headers })
    for (let n = 0; n < 7; n++) expect((await attach(token, version(n))).status).toBe(201)
    await put(token, version(9).slice(0, MIB - 50_000))
    await put(token, "x".repeat(60_000))
    const { stored } = await usage(token)
    expect(stored.used).toBeGreaterThan(QUOTA.storedBytes - 50_000)
    const full = { status: 413, code: "quota.bytes" } as const
    expectProblem(await attach(token, version(20)), full)
    expectProblem(
      await ask(server, "POST", "/v1/import?agent=host&branch=imported", {
        token,
        body: `${JSON.stringify({ role: "person", text: "x".repeat(100_000) })}\n`,
        headers: { "content-type": "application/x-ndjson" },
      }),
      full,
    )
    // The rest of the quota is used up.
    await server.store.blobs.attach(
      "hoarder",
      { hash: "rest", name: "r", mediaType: "text/plain", bytes: 100_000, at: 1 },
      new Uint8Array(100_000),
    )
    expectProblem(await ask(server, "POST", `${path}/messages`, { token, body: { text: "more" } }), full)
    expectProblem(await ask(server, "PUT", pathOf("host", "other"), { token }), full)
    expectProblem(
      await ask(server, "PUT", "/v1/memory/user/a", { token, body: { body: "remember", description: "d", type: "t" } }),
      full,
    )
    expectProblem(
      await ask(server, "POST", "/v1/schedules", {
        token,
        body: { agent: "host", when: { everyMs: 60_000 }, text: "x" },
      }),
      full,
    )
    // A repeat of an earlier send gets the same response as before.
    expect(await send(server, path, "hello", { token, headers })).toMatchObject({ message: first.message })
    expect(visible((await open(server, path, { token })).messages)).toHaveLength(2)
    await server.store.blobs.detach("hoarder", "rest")
    const { attachments } = await read(server, routes.listAttachments.answer.schema, "GET", "/v1/attachments", {
      token,
    })
    for (const { hash } of attachments) await ask(server, "DELETE", `/v1/attachments/${hash}`, { token })
    await converse(server, path, "there is room again", { token })
    await ask(server, "DELETE", path, { token })
    expect(await usage(token)).toMatchObject({ stored: { used: 0 }, conversations: { used: 0, limit: 5 } })
  })

  test("[SEC-24] only so many conversations, branches included; a deleted one makes room", async () => {
    const token = await server.addKey({ person: "starter" })
    for (let n = 0; n < 5; n++)
      expect((await ask(server, "PUT", pathOf("host", `c${n}`), { token })).status).toBeLessThan(300)
    const refused = await ask(server, "PUT", pathOf("host", "c5"), { token })
    expectProblem(refused, { status: 409, code: "quota.conversations" })
    expect(jsonOf(refused) as Problem).toMatchObject({ used: 5, allowed: 5 })
    expectProblem(await ask(server, "POST", `${pathOf("host", "c0")}/branches`, { token, body: {} }), {
      status: 409,
      code: "quota.conversations",
    })
    expectProblem(await ask(server, "POST", `${pathOf("host", "main")}/messages`, { token, body: { text: "hi" } }), {
      status: 409,
      code: "quota.conversations",
    })
    // Creating one that exists does not add anything.
    expect((await ask(server, "PUT", pathOf("host", "c1"), { token })).status).toBeLessThan(300)
    expect((await usage(token)).conversations).toEqual({ used: 5, limit: 5 })
    await ask(server, "DELETE", pathOf("host", "c0"), { token })
    expect((await ask(server, "PUT", pathOf("host", "c5"), { token })).status).toBeLessThan(300)
  })

  test("[SEC-42] files of all conversations and attachments are limited in number; deleting makes room", async () => {
    const token = await server.addKey({ person: "filer", scopes: ["read", "write", "manage"] })
    const path = pathOf("host", "main")
    for (let n = 0; n < 5; n++) expect((await put(token, `text ${n}`, `${n}.txt`)).status).toBe(200)
    const { message } = await converse(server, path, "hello", { token })
    const branch = { token, body: { name: "other", from: message } }
    expect((await ask(server, "POST", `${path}/branches`, branch)).status).toBe(201)
    expect((await attach(token, "attached")).status).toBe(201)
    expect((await usage(token)).files).toEqual({ used: 11, limit: QUOTA.files })
    const full = { status: 409, code: "quota.files" } as const
    const second = await ask(server, "POST", `${path}/branches`, { token, body: { name: "third", from: message } })
    expectProblem(second, full)
    expect((await put(token, "the last one", "last.txt")).status).toBe(200)
    const refused = await put(token, "one more", "one-more.txt")
    expectProblem(refused, full)
    expect(jsonOf(refused) as Problem).toMatchObject({ used: 12, allowed: 12 })
    expectProblem(await attach(token, "one more"), full)
    // What adds no file goes on.
    expect((await put(token, "changed", "last.txt")).status).toBe(200)
    expect((await attach(token, "attached")).status).toBeLessThan(300)
    await converse(server, path, "and now?", { token })
    expect((await usage(token)).files.used).toBe(12)
    expect((await ask(server, "DELETE", `${path}/files/4.txt`, { token })).status).toBeLessThan(300)
    expect((await put(token, "one more", "one-more.txt")).status).toBe(200)
    await ask(server, "DELETE", pathOf("host", "other"), { token })
    expect((await usage(token)).files.used).toBe(7)
  })

  test("[SEC-42] an import with more files than there is room for is refused, and leaves nothing", async () => {
    const token = await server.addKey({ person: "importer", scopes: ["read", "write", "manage"] })
    for (let n = 0; n < 7; n++) expect((await put(token, `text ${n}`, `${n}.txt`)).status).toBe(200)
    await converse(server, pathOf("host", "main"), "hello", { token })
    const exported = (await ask(server, "GET", `${pathOf("host", "main")}/export`, { token })).text
    const taken = () =>
      ask(server, "POST", "/v1/import?agent=host&branch=imported", {
        token,
        body: exported,
        headers: { "content-type": "application/x-ndjson" },
      })
    expectProblem(await taken(), { status: 409, code: "quota.files" })
    expect((await usage(token)).files.used).toBe(7)
    await ask(server, "DELETE", `${pathOf("host", "main")}/files/0.txt`, { token })
    expectProblem(await taken(), { status: 409, code: "quota.files" })
    await ask(server, "DELETE", pathOf("host", "main"), { token })
    expect((await taken()).status).toBeLessThan(300)
    expect((await usage(token)).files.used).toBe(7)
  })

  test.each([
    ["schedules", { agent: "host", when: { everyMs: 60_000 }, text: "x" }, "schedule.full"],
    ["hooks", { agent: "host", template: "x" }, "hook.full"],
    ["notices", { url: "https://example.com/told", events: ["turn.finished"] }, "notice.full"],
  ] as const)(
    "[SEC-43] a person has at most the allowed number of %s; deleting one makes room",
    async (what, body, code) => {
      const token = await server.addKey({ person: `trigger-maker-${what}`, scopes: ["read", "write", "manage"] })
      const add = () => ask(server, "POST", `/v1/${what}`, { token, body })
      const ids: string[] = []
      for (let n = 0; n < QUOTA[what]; n++) {
        const made = await add()
        expect(made.status).toBe(201)
        ids.push((jsonOf(made) as { readonly id: string }).id)
      }
      const refused = await add()
      expectProblem(refused, { status: 409, code })
      expect((jsonOf(refused) as Problem).detail).toContain(`the maximum of ${QUOTA[what]} `)
      expect((await ask(server, "DELETE", `/v1/${what}/${ids[0]}`, { token })).status).toBeLessThan(300)
      expect((await add()).status).toBe(201)
    },
  )

  test("a turn that runs when the room is used up says all it has to say", async () => {
    const token = await server.addKey({ person: "talker" })
    const path = pathOf("host", "main")
    const held = gate()
    server.script([{ type: "text", text: "the beginning " }, held, ...says("and the end")])
    await send(server, path, "speak", { token })
    const following = await follow(server, `${path}/events?offset=-1&live=sse`, { token })
    await following.until((text) => text.includes("the beginning"))
    await server.store.blobs.attach(
      "talker",
      { hash: `all-${kind}`, name: "r", mediaType: "text/plain", bytes: 9 * MIB, at: 1 },
      new Uint8Array(9 * MIB),
    )
    held.open()
    await eventually(async () => visible((await open(server, path, { token })).messages).at(-1)).toBe(
      "agent: the beginning and the end",
    )
    following.leave()
    await eventually(
      async () => (await ask(server, "POST", `${path}/messages`, { token, body: { text: "x" } })).status,
    ).toBe(413)
  })
})

function version(n: number): string {
  return `version ${n} `.padEnd(MIB, "x")
}
