/** [LOG-29] An export contains everything a conversation shows: chapters, files, attachments, outputs, rollbacks. */
import { defineTool } from "@parlor/core"
import { calls, says } from "@parlor/core/testing"
import { routes, type Snapshot } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { z } from "zod"
import { ask, digest, expectProblem, jsonOf, read } from "./client.ts"
import { converse, open, pathOf, untilTurnEnds } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const LONG = "A long output. ".repeat(5_000)
const big = Buffer.alloc(300_000, 7)
const picture = Buffer.from([0x89, ...Buffer.from("PNG\r\n\x1a\n"), 0, 1, 2, 0xff, 0xfe])

const talk = defineTool({
  name: "talk",
  description: "Says a lot.",
  input: z.object({}),
  repeatable: true,
  run: async () => LONG,
})

type Lines = readonly string[]

describe.each(STORES)("[LOG-29] a whole conversation on %s", (kind) => {
  let server: TestServer
  const source = pathOf("host", "source")
  const file = (path: string, name: string) => `${path}/files/${name}`
  const put = (name: string, body: string | Buffer) =>
    ask(server, "PUT", file(source, name), { body, headers: { "content-type": "application/octet-stream" } })
  const exportOf = async (path: string, token?: string): Promise<Lines> => {
    const options = token === undefined ? {} : { token }
    return (await ask(server, "GET", `${path}/export`, options)).text.trimEnd().split("\n")
  }
  const importTo = (branch: string, lines: Lines, token?: string) =>
    ask(server, "POST", `/v1/import?agent=host&branch=${branch}`, {
      body: lines.join("\n"),
      headers: { "content-type": "application/jsonl" },
      ...(token === undefined ? {} : { token }),
    })
  const get = async (path: string, token?: string) =>
    jsonOf(await ask(server, "GET", path, token === undefined ? {} : { token }))

  beforeAll(async () => {
    server = await startTestServer({ kind, agent: { workspace: true, tools: [talk] } })
    await ask(server, "PUT", source)
    await converse(server, source, "First question")
    await put("notes.md", "one")
    await put("big.bin", big)
    server.script(calls("talk", {}, "c1"), says("That was long."))
    await converse(server, source, "Talk")
    const { hash } = await read(server, routes.attach.answer.schema, "POST", "/v1/attachments?name=p.png", {
      body: picture,
      headers: { "content-type": "image/png" },
    })
    const nodes = [{ kind: "attachment", start: 4, end: 4, raw: "", hash }]
    const body = { type: "composer_input", payload: { source: "look", nodes } }
    const sent = await read(server, routes.send.answer.schema, "POST", `${source}/messages`, { body })
    await untilTurnEnds(server, source, sent)
    server.script(says("Summary of the first part."))
    expect((await ask(server, "POST", `${source}/compact`, { body: { keepTurns: 1 } })).status).toBe(202)
    await vi.waitFor(async () => {
      const { archives, status } = await open(server, source)
      expect([archives.length, status.state]).toEqual([1, "idle"])
    }, 30_000)
    await converse(server, source, "Later question")
    await put("notes.md", "two")
    await converse(server, source, "Last question")
    await put("other.md", "other")
    const later = (await open(server, source)).messages.find((one) => JSON.stringify(one).includes("Later question"))
    for (let n = 0; n < 2; n++) {
      const rolled = await read(server, routes.rollBack.answer.schema, "POST", `${source}/rollback`, {
        body: { to: later?.id, scope: "both" },
      })
      if (n === 0) await ask(server, "POST", `${source}/rollback/${rolled.rollback.id}/cancel`)
    }
    await ask(server, "PATCH", source, { body: { title: "All of it" } })
  }, 60_000)
  afterAll(() => server.close())

  test("imported it shows the same, and exported again it has the same lines", async () => {
    const lines = await exportOf(source)
    const kinds = new Set(lines.map((line) => Object.keys(JSON.parse(line) as object)[0]))
    const wanted = ["parlor", "content", "attachment", "turn", "message", "archive", "file", "change", "rollback"]
    expect([...kinds].sort()).toEqual(wanted.sort())
    const answer = await importTo("copy", lines)
    expect(answer.status, answer.text).toBe(201)
    const copy = pathOf("host", "copy")
    expect(shown(await open(server, copy))).toEqual(shown(await open(server, source)))
    for (const part of ["archives", "files"])
      expect(withoutNumbers(await get(`${copy}/${part}`))).toEqual(withoutNumbers(await get(`${source}/${part}`)))
    const [changes, copied] = [await get(`${source}/changes`), await get(`${copy}/changes`)] as Changes[]
    expect(copied?.changes.length).toBeGreaterThan(3)
    expect(copied?.changes.map(({ id: _, ...rest }) => rest)).toEqual(
      changes?.changes.map(({ id: _, ...rest }) => rest),
    )
    for (const name of ["notes.md", "big.bin"]) {
      const [one, two] = [await ask(server, "GET", file(source, name)), await ask(server, "GET", file(copy, name))]
      expect(digest(Buffer.from(two.text))).toBe(digest(Buffer.from(one.text)))
    }
    const again = await exportOf(copy)
    expect(again.map(normalized).map(digest)).toEqual(lines.map(normalized).map(digest))
  })

  test("what it carries works there: the rollback is canceled with its files, the chapter opens, the output is read on", async () => {
    const copy = pathOf("host", "copy")
    const { rollbacks, archives, messages } = await open(server, copy)
    const rolled = rollbacks.find(({ ended }) => ended === null)
    expect((await ask(server, "GET", file(copy, "other.md"))).status).toBe(404)
    expect((await ask(server, "POST", `${copy}/rollback/${rolled?.id}/cancel`)).status).toBe(200)
    expect((await ask(server, "GET", file(copy, "other.md"))).text).toBe("other")
    expect((await ask(server, "GET", file(copy, "notes.md"))).text).toBe("two")
    expect((await ask(server, "GET", `${copy}/archives/${archives[0]?.id}`)).status).toBe(200)
    const message = messages.find(({ parts }) => parts.some((part) => part.type === "tool"))
    const output = await ask(server, "GET", `${copy}/messages/${message?.id}/outputs/c1`)
    expect([output.status, output.text.includes("A long output.")]).toEqual([200, true])
    await converse(server, copy, "And it continues")
    await ask(server, "PUT", file(copy, "new.md"), { body: "new", headers: { "content-type": "text/plain" } })
    const [newest] = ((await get(`${copy}/changes`)) as Changes).changes
    expect(newest?.path).toBe("new.md")
  })

  test("another person gets the contents and the attachments with it, and keeps them when the first one is deleted", async () => {
    const lines = await exportOf(source)
    const ana = await server.addKey({ person: "ana" })
    expect((await importTo("main", lines, ana)).status).toBe(201)
    const main = pathOf("host", "main")
    const { attachments } = (await get("/v1/attachments", ana)) as { attachments: readonly { hash: string }[] }
    expect(attachments).toMatchObject([{ hash: digest(picture), name: "p.png", mediaType: "image/png" }])
    expect(shown(await open(server, main, { token: ana })).messages).toEqual(shown(await open(server, source)).messages)
    const options = { token: ana }
    expect((await ask(server, "GET", file(main, "notes.md"), options)).text).toBe("one")
    expect((await ask(server, "DELETE", `/v1/attachments/${digest(picture)}`, options)).status).toBe(204)
    expect((await ask(server, "GET", `/v1/attachments/${digest(picture)}`)).status).toBe(200)
  })

  test("memories come along when asked for, and replace none that the person has", async () => {
    const tulips = { description: "Where they are", type: "fact", body: "In the cellar." }
    const remember = (name: string, body: object, token?: string) =>
      ask(server, "PUT", `/v1/memory/user/${name}`, { body, ...(token === undefined ? {} : { token }) })
    for (const name of ["tulips", "roses"]) expect((await remember(name, tulips)).status).toBeLessThan(300)
    await ask(server, "PUT", "/v1/memory/project/rules", { body: tulips })
    expect((await exportOf(source)).filter((line) => line.startsWith('{"memory"'))).toEqual([])
    const lines = (await ask(server, "GET", `${source}/export?memory=true`)).text.trimEnd().split("\n")
    const memories = lines.filter((line) => line.startsWith('{"memory"'))
    expect(memories.map((line) => JSON.parse(line).memory)).toEqual([
      { scope: "user", name: "roses", pinned: false, ...tulips },
      { scope: "user", name: "tulips", pinned: false, ...tulips },
    ])
    const eva = await server.addKey({ person: "eva" })
    await remember("roses", { ...tulips, body: "In the attic." }, eva)
    // The second time into another conversation, where all of them are known.
    for (const branch of ["first", "second"]) {
      const answer = await importTo(branch, lines, eva)
      expect(answer.status, answer.text).toBe(201)
      expect(JSON.stringify(await get("/v1/memory/user/tulips", eva))).toContain("In the cellar.")
      expect(JSON.stringify(await get("/v1/memory/user/roses", eva))).toContain("In the attic.")
    }
    const foreign = memories.map((line) => line.replace('"user"', '"project"'))
    expectProblem(await importTo("third", [...lines, ...foreign], eva), { status: 422, code: "import.invalid" })
    expectProblem(await importTo("third", [...lines, ...memories], eva), { status: 422, code: "import.invalid" })
    expectProblem(await ask(server, "GET", `${source}/export?memory=maybe`), { status: 422, code: "request.invalid" })
  })

  test("[SEC-1] a content that the import does not bring is named by nobody", async () => {
    const lines = await exportOf(source)
    const ben = await server.addKey({ person: "ben" })
    const without = (kind: string) => lines.filter((line) => !line.startsWith(`{"${kind}"`))
    for (const kind of ["file", "change", "rollback", "attachment"]) {
      const named = lines.filter(
        (line) => !line.startsWith('{"content"') && (isOther(line) || line.startsWith(`{"${kind}"`)),
      )
      expectProblem(await importTo(kind, named, ben), { status: 422, code: "import.invalid" })
    }
    const said = without("content").filter(isOther)
    expect((await importTo("said", said, ben)).status).toBe(201)
    const { messages } = await open(server, pathOf("host", "said"), { token: ben })
    const message = messages.find(({ parts }) => parts.some((part) => part.type === "tool"))
    const output = await ask(server, "GET", `${pathOf("host", "said")}/messages/${message?.id}/outputs/c1`, {
      token: ben,
    })
    expect(output.status).toBe(404)
    const forged = lines.map((line) =>
      line.startsWith('{"content"') ? line.replace(/"data":"..../, '"data":"AAAA') : line,
    )
    expectProblem(await importTo("forged", forged, ben), { status: 422, code: "import.invalid" })
  })
})

type Changes = { readonly changes: readonly { readonly id: string; readonly path: string }[] }

function isOther(line: string): boolean {
  return /^\{"(?:parlor|message|turn|archive)"/.test(line)
}

/** The visible state, without sequence numbers and counters of the conversation. */
function shown(snapshot: Snapshot) {
  const { branch: _, offset: __, usage: ___, status, rollbacks, archives, ...rest } = snapshot
  const { activityAt: _a, since: _s, usage: _u, unread: _r, ...state } = status
  return withoutNumbers({ ...rest, status: state, rollbacks, archives }) as Snapshot
}

/** Sorts keys and removes the one value that depends on the location. */
function normalized(line: string): string {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, inner]) => [key, sorted(inner)]),
    )
  }
  return JSON.stringify(sorted(JSON.parse(line))).replace('"branch":"copy"', '"branch":"source"')
}

function withoutNumbers(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => {
      if (key === "began" || key === "earlier" || key === "change") return undefined
      return key === "ended" ? inner !== null : inner
    }),
  )
}
