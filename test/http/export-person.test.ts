/** [SEC-41] Everything of a person as one archive, on both stores. */
import { once } from "node:events"
import type { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { promisify } from "node:util"
import { Parlor } from "@parlor/client"
import { routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Entry, fromBuffer, type Options, type ZipFile } from "yauzl"
import { BROWSER_KEYS } from "./cells.ts"
import { ask, expected, expectProblem, read } from "./client.ts"
import { converse, pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

type OpenStream = (entry: Entry, done: (error: Error | null, stream: Readable) => void) => void

describe.each(STORES)("[SEC-41] the export of a person, on %s", (kind) => {
  let server: TestServer
  let anas: string

  beforeAll(async () => {
    server = await startTestServer({ kind })
    anas = await server.addKey({ person: "ana", scopes: ["read", "write"] })
    const as = { token: anas }
    await ask(server, "PUT", pathOf("host", "main"), as)
    await ask(server, "POST", `${pathOf("host", "main")}/messages`, { ...as, body: { text: "Words of Ana" } })
    await ask(server, "PUT", `${pathOf("host", "main")}/files/plans/note.txt`, { ...as, body: "A note of Ana" })
    await ask(server, "PUT", pathOf("critic", "old"), as)
    await ask(server, "POST", `${pathOf("critic", "old")}/messages`, { ...as, body: { text: "Archived words" } })
    await ask(server, "PATCH", pathOf("critic", "old"), { ...as, body: { archived: true } })
    const tea = { description: "Likes tea", type: "user", body: "Green tea." }
    await ask(server, "PUT", "/v1/memory/user/tea", { ...as, body: tea })
    await ask(server, "POST", "/v1/attachments?name=my%3Apixel.png", {
      ...as,
      body: PNG,
      headers: { "content-type": "image/png" },
    })
    const preferences = { instructions: "Short replies for Ana.", agent: "critic", tokensPerDay: 1_000_000 }
    await ask(server, "PUT", "/v1/preferences", { ...as, body: { preferences, version: 0 } })
    await ask(server, "POST", "/v1/hooks", { ...as, body: { agent: "host", template: "{{body}}" } })
    await ask(server, "POST", `${pathOf("host", "main")}/shares`, { ...as, body: { mode: "snapshot" } })
    await ask(server, "POST", "/v1/push", {
      ...as,
      body: { endpoint: "https://push.example.com/secret-address", keys: BROWSER_KEYS, device: "Phone of Ana" },
    })
    await converse(server, pathOf("host", "main"), "Words of the owner")
  })

  afterAll(() => server.close())

  /** As another program reads it. */
  async function unpacked(person: string, token: string): Promise<ReadonlyMap<string, string>> {
    const parlor = new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token })
    const archive = Buffer.from(await new Response(await parlor.exportPerson(person)).arrayBuffer())
    const zip = await promisify<Buffer, Options, ZipFile>(fromBuffer)(archive, { lazyEntries: true })
    const files = new Map<string, string>()
    const ended = once(zip, "end")
    zip.on("entry", async (entry: Entry) => {
      const content = await promisify(zip.openReadStream.bind(zip) as OpenStream)(entry)
      files.set(entry.fileName, (await buffer(content)).toString("latin1"))
      zip.readEntry()
    })
    zip.readEntry()
    await ended
    return files
  }

  test("contains all of theirs, nothing of anybody else, and no secret", async () => {
    const files = await unpacked("ana", anas)
    expect([...files.keys()].sort()).toEqual([
      "README.txt",
      "account.json",
      expect.stringMatching(/^attachments\/[0-9a-f]{12}-my_pixel\.png$/),
      "conversations/critic/old.jsonl",
      "conversations/host/main.jsonl",
      "files/host/main/plans/note.txt",
      "memories.jsonl",
      "triggers.json",
    ])
    expect(files.get("conversations/host/main.jsonl")).toContain("Words of Ana")
    expect(files.get("conversations/critic/old.jsonl")).toContain("Archived words")
    expect(files.get("files/host/main/plans/note.txt")).toBe("A note of Ana")
    expect(files.get("memories.jsonl")).toContain("Green tea.")
    expect([...files].find(([path]) => path.startsWith("attachments/"))?.[1]).toBe(PNG.toString("latin1"))
    expect(JSON.parse(files.get("triggers.json") ?? "")).toMatchObject({ webhooks: [{ template: "{{body}}" }] })
    const account = JSON.parse(files.get("account.json") ?? "")
    expect(account).toMatchObject({
      person: "ana",
      keys: [{ name: "test" }],
      shares: [{ agent: "host", branch: "main" }],
      notifiedBrowsers: [{ device: "Phone of Ana", service: "push.example.com" }],
      preferences: { instructions: "Short replies for Ana.", agent: "critic", tokensPerDay: 1_000_000 },
      usage: { person: "ana" },
    })
    const everything = [...files.values()].join("\n")
    for (const secret of [
      "Words of the owner",
      anas,
      "whsec_",
      "sealed:",
      "hook_",
      "secret-address",
      BROWSER_KEYS.auth,
      server.token,
    ])
      expect(everything).not.toContain(secret)
    expect(files.get("account.json")).not.toContain("hash")
  })

  test("can be imported again, conversation by conversation", async () => {
    const lines = (await unpacked("ana", anas)).get("conversations/host/main.jsonl") ?? ""
    const parlor = new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token: server.token })
    await parlor.importLines("host", "of-ana", Buffer.from(lines, "latin1").toString("utf8"))
    const { messages } = await parlor.conversation("host", "of-ana").open({ messages: 10 })
    expect(JSON.stringify(messages)).toContain("Words of Ana")
  })

  test("is for the person, and for whoever may act for them with `manage`", async () => {
    expect((await unpacked("ana", server.token)).get("memories.jsonl")).toContain("Green tea.")
    const refused = await ask(server, "GET", "/v1/people/me/export", { token: anas })
    expectProblem(refused, expected("auth.forbidden", "person"))
    const bob = await server.addKey({ person: "bob", scopes: ["read", "manage"] })
    expectProblem(
      await ask(server, "GET", "/v1/people/ana/export", { token: bob }),
      expected("person.not-allowed", "person"),
    )
    expectProblem(await ask(server, "GET", "/v1/people/nobody/export"), expected("person.unknown", "person"))
    const { people } = await read(server, routes.listPeople.answer.schema, "GET", "/v1/people")
    expect(people.map(({ person }) => person)).not.toContain("nobody")
  })
})
