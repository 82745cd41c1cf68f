/** [SEC-25] Deleting a person removes all their data on every server, except the record of who deleted it and when. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { gate, says } from "@parlor/core/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, expectProblem, follow } from "./client.ts"
import { converse, eventually, open, pathOf, send } from "./conversations.ts"
import { type Tables, tablesWith } from "./dump.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const CANARY = "canary-of-a-person-to-be-deleted"
const path = pathOf("host", "main")
const LINGERS = { timeout: 60_000 }
/** A mark that stays for 10 s, as usual, would be most of what these tests wait for. */
const settings = { deletionMarkMs: 1_500, sweepMs: 300 }

describe.each(STORES)("[SEC-25] deleting a person on %s", (kind) => {
  let servers: readonly TestServer[]

  beforeAll(async () => {
    const first = await startTestServer({ kind, settings })
    servers = kind === "SQLite" ? [first] : [first, await startTestServer({ kind, settings, beside: first })]
  })

  afterAll(async () => {
    for (const server of [...servers].reverse()) await server.close()
  })

  const at = (index: number) => servers[index % servers.length] as TestServer
  const remove = (person: string, options: { token?: string; query?: string } = {}) =>
    ask(
      at(0),
      "DELETE",
      `/v1/people/${person}${options.query ?? ""}`,
      options.token === undefined ? {} : { token: options.token },
    )

  test("everything goes, wherever it is; streams are cut, turns are stopped", LINGERS, async () => {
    const token = await at(0).addKey({ person: "canary-person", scopes: ["read", "write", "manage"] })
    await fill(at(0), at(1), token)
    const held = gate()
    at(1).script([{ type: "text", text: `${CANARY} half` }, held, ...says("never said")])
    const running = pathOf("host", "running")
    await ask(at(1), "PUT", running, { token })
    await send(at(1), running, `${CANARY} asked`, { token })
    const following = await Promise.all(
      servers.flatMap((server) => [
        follow(server, `${running}/events?offset=-1&live=sse`, { token }),
        follow(server, "/v1/feed?live=sse", { token }),
      ]),
    )
    await following.at(-2)?.until((text) => text.includes("half"))
    const before = await at(0).dump()
    for (const table of [
      "events",
      "rows",
      "once",
      "memories",
      "search_texts",
      "attachments",
      "triggers",
      "keys",
      "links",
      "spending",
      "stored",
      "contents_held",
    ])
      expect(before[table]?.length, table).toBeGreaterThan(0)
    const began = Date.now()
    expect((await remove("canary-person")).status).toBe(204)
    await Promise.all(following.map(({ ended }) => ended))
    expect(Date.now() - began).toBeLessThan(5_000)
    held.open()
    await eventually(async () => gone(await at(0).dump())).toEqual([])
    const lines = audited(await at(0).dump()).filter((line) => JSON.stringify(line).includes("canary-person"))
    expect(lines).toMatchObject([{ person: "me", act: "person.deleted", subject: "canary-person" }])
    expect(Number(lines[0]?.at)).toBeGreaterThanOrEqual(began - 1_000)
    for (const server of servers) await eventually(() => onDisk(server)).toEqual([])
    // Other people lost nothing, and shared data is complete.
    expect((await ask(at(0), "GET", "/v1/attachments")).text).toContain("shared.txt")
    expectProblem(await ask(at(1), "GET", "/v1/feed", { token }), { status: 401, code: "auth.invalid" })
    expectProblem(await remove("canary-person"), { status: 404, code: "person.unknown" })
    expect(audited(await at(0).dump()).filter(({ act }) => act === "person.deleted")).toHaveLength(1)
  })

  test("afterwards the name is somebody new, with nothing", LINGERS, async () => {
    await eventually(async () => (await at(1).dump()).deletions).toEqual([])
    const token = await at(0).addKey({ person: "canary-person" })
    const fresh = await open(at(1), path, { token })
    expect(fresh).toMatchObject({ messages: [], title: "" })
    for (const server of servers) await converse(server, path, "hello again", { token })
    expect((await open(at(0), path, { token })).messages).toHaveLength(2 * servers.length)
  })

  test("sends in the same moment end up deleted or refused, never half there", LINGERS, async () => {
    const token = await at(0).addKey({ person: "busy-person", scopes: ["read", "write"] })
    await converse(at(0), path, "first", { token })
    const sends = Array.from({ length: 40 }, (_, n) =>
      ask(at(n), "POST", `${pathOf("host", "main")}/messages`, { token, body: { text: `while ${n}` } }),
    )
    const branches = Array.from({ length: 10 }, (_, n) => ask(at(n), "PUT", pathOf("host", `b${n}`), { token }))
    const [deleted, ...others] = await Promise.all([remove("busy-person"), ...sends, ...branches])
    expect(deleted?.status).toBe(204)
    for (const { status, text } of others) expect([200, 201, 202, 401, 404, 409], text).toContain(status)
    await eventually(async () => tablesWith(without(await at(0).dump(), "audit"), "busy-person")).toEqual([])
    await eventually(async () => tablesWith(await at(0).dump(), "while ")).toEqual([])
  })

  test("who may: with manage and for whom one speaks; oneself by saying the name again", LINGERS, async () => {
    const ana = await at(0).addKey({ person: "ana" })
    const bob = await at(0).addKey({ person: "bob", scopes: ["read", "write", "manage"] })
    expectProblem(await remove("bob", { token: ana }), { status: 403, code: "auth.forbidden" })
    expectProblem(await remove("ana", { token: bob }), { status: 403, code: "person.not-allowed" })
    expectProblem(await remove("ana", { token: ana, query: "?confirm=ana" }), { status: 403, code: "auth.forbidden" })
    expectProblem(await remove("bob", { token: bob }), { status: 422, code: "person.confirm" })
    expectProblem(await remove("bob", { token: bob, query: "?confirm=ana" }), { status: 422, code: "person.confirm" })
    expect((await remove("bob", { token: bob, query: "?confirm=bob" })).status).toBe(204)
    const line = audited(await at(0).dump()).find(({ subject }) => subject === "bob")
    expect(line).toMatchObject({ person: "bob", act: "person.deleted" })
    expectProblem(await remove("nobody-ever"), { status: 404, code: "person.unknown" })
    await ask(at(0), "POST", "/v1/links", { body: { name: "other-ana", person: "ana" } })
    expectProblem(await remove("other-ana"), { status: 409, code: "person.linked" })
  })

  test("what a crash left in the middle is carried on by whoever looks next", LINGERS, async () => {
    const token = await at(0).addKey({ person: "left-person" })
    await converse(at(0), path, "left words", { token })
    const audit = { at: Date.now(), person: "me", act: "person.deleted", subject: "left-person" }
    // Only the mark, as if the server had died right after writing it.
    expect(await at(0).store.deletions.begin("left-person", audit)).toBe("begun")
    await eventually(async () => tablesWith(without(await at(0).dump(), "audit"), "left-person")).toEqual([])
    expect(tablesWith(await at(0).dump(), "left words")).toEqual([])
  })
})

/** One of everything, with the canary in every text field. */
async function fill(a: TestServer, b: TestServer, token: string): Promise<void> {
  a.script(says(`${CANARY} said`))
  await converse(a, path, `${CANARY} in a message`, { token, headers: { "idempotency-key": CANARY } })
  const text = { "content-type": "text/plain" }
  for (const server of [a, b])
    await ask(server, "PUT", `${path}/files/${CANARY}-${server.port}.txt`, { token, body: CANARY, headers: text })
  for (const server of [a, b]) await ask(server, "GET", `${path}/files/${CANARY}-${a.port}.txt`, { token })
  await ask(a, "POST", `/v1/attachments?name=${CANARY}.txt`, { token, body: CANARY, headers: text })
  await ask(a, "POST", "/v1/attachments?name=shared.txt", { token, body: "shared words", headers: text })
  await ask(a, "POST", "/v1/attachments?name=shared.txt", { body: "shared words", headers: text })
  const memory = { description: CANARY, type: "user", body: CANARY }
  expect((await ask(a, "PUT", `/v1/memory/user/${CANARY}`, { token, body: memory })).status).toBe(200)
  const schedule = { agent: "host", when: { everyMs: 3_600_000 }, text: CANARY, name: CANARY }
  expect((await ask(a, "POST", "/v1/schedules", { token, body: schedule })).status).toBe(201)
  const hook = { agent: "host", template: CANARY, name: CANARY }
  expect((await ask(a, "POST", "/v1/hooks", { token, body: hook })).status).toBe(201)
  const notice = { url: `https://example.com/${CANARY}`, events: ["answered"], name: CANARY }
  await ask(a, "POST", "/v1/notices", { token, body: notice })
  await ask(a, "POST", "/v1/links", { body: { name: `${CANARY}-name`, person: "canary-person" } })
  await ask(a, "PUT", pathOf("host", CANARY), { token })
  await ask(a, "DELETE", pathOf("host", CANARY), { token })
}

/** Tables with data of the person other than the record of the deletion and its mark. */
function gone(tables: Tables): readonly string[] {
  const rest = { ...tables, audit: (tables.audit ?? []).filter((line) => !line.includes("person.deleted")) }
  return [...new Set([...tablesWith(rest, CANARY), ...tablesWith(rest, "canary-person")])]
}

function without(tables: Tables, name: string): Tables {
  return Object.fromEntries(Object.entries(tables).filter(([table]) => table !== name))
}

function audited(tables: Tables): readonly Record<string, unknown>[] {
  return (tables.audit ?? []).map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** Files of a server's folder, except the database, whose name or content contains the canary or the person. */
function onDisk({ folder }: TestServer): readonly string[] {
  const files = join(folder, "files")
  if (!existsSync(files)) return []
  const names = readdirSync(files, { recursive: true, encoding: "utf8" })
  return names.filter((name) => {
    if (name.includes(CANARY) || name.includes("canary-person")) return true
    const place = join(files, name)
    return statSync(place).isFile() && readFileSync(place, "utf8").includes(CANARY)
  })
}
