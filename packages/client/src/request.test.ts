import { endpointOf, endpoints, type RouteName } from "@parlor/protocol"
import { expect, expectTypeOf, test } from "vitest"
import type { Do } from "./do.ts"
import { type Http, makeHttp } from "./http.ts"
import { pathTo } from "./path.ts"

/** What was asked for, in place of asking it. */
function recorded() {
  const asked: { url: string; method: string; body: unknown }[] = []
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    asked.push({ url: String(url), method: init?.method ?? "", body: init?.body })
    return new Response("{}", { headers: { "content-type": "application/json" } })
  }
  return { asked, http: makeHttp({ baseUrl: "http://server", token: "t", fetch }) }
}

const here = { agent: "host", branch: "main" }

test("method and address of a call come from the route table", async () => {
  const { asked, http } = recorded()
  await http.ask("editQueued", { params: { ...here, message: "m/1" }, body: { version: 1 } })
  await http.ask("listConversations", { query: { archived: true, limit: 3, agent: undefined } })
  await http.open("readFile", { params: { ...here, path: "a b/c?.md" } })
  expect(asked).toEqual([
    { method: "PATCH", url: "http://server/v1/conversations/host/main/queue/m%2F1", body: '{"version":1}' },
    { method: "GET", url: "http://server/v1/conversations?archived=true&limit=3", body: undefined },
    { method: "GET", url: "http://server/v1/conversations/host/main/files/a%20b/c%3F.md", body: undefined },
  ])
})

test.each(Object.keys(endpoints) as RouteName[])("the address of %s has a value for each of its names", (name) => {
  const { path } = endpointOf(name)
  const names = [...path.matchAll(/:(\w+)/g)].map(([, found]) => found ?? "")
  const filled = pathTo(path, Object.fromEntries(names.map((found) => [found, `<${found}>`])))
  expect(filled).not.toContain(":")
  for (const found of names) expect(filled.split("/")).toContain(`%3C${found}%3E`)
})

test.each(["", ".", ".."])(
  "a name %j, which would lead to another route, is refused before it is sent",
  async (name) => {
    const { asked, http } = recorded()
    const refused = { code: "request.invalid", status: 422 }
    await expect(http.ask("openHook", { params: { id: name } })).rejects.toMatchObject(refused)
    await expect(http.open("openConversation", { params: { agent: "host", branch: name } })).rejects.toMatchObject(
      refused,
    )
    await expect(http.open("readFile", { params: { ...here, path: `a/${name}/b` } })).rejects.toMatchObject(refused)
    expect(asked).toEqual([])
  },
)

test("what a call takes and gives is typed by the route table", () => {
  // Never run: the compiler is what is tested. Each `@ts-expect-error` fails the check when its line compiles.
  const _typed = (http: Http, act: Do) => {
    expectTypeOf(http.ask("clearQueue", { params: here })).resolves.toEqualTypeOf<{ removed: number }>()
    expectTypeOf(http.ask("revokeKey", { params: { key: "k" } })).resolves.toEqualTypeOf<undefined>()
    expectTypeOf(act("holdQueue")).resolves.toHaveProperty("held")
    // @ts-expect-error: there is no such route
    http.ask("listEverything")
    // @ts-expect-error: a path parameter is missing
    http.ask("clearQueue", { params: { agent: "host" } })
    // @ts-expect-error: the request is missing
    http.ask("clearQueue")
    // @ts-expect-error: that path has no such parameter
    http.ask("revokeKey", { params: { key: "k", id: "k" } })
    // @ts-expect-error: a scope is one of two
    http.ask("readMemory", { params: { scope: "everyone", name: "a" } })
    // @ts-expect-error: the query has no such name
    http.ask("listConversations", { query: { archive: true } })
    // @ts-expect-error: a flag is not a text
    http.ask("listConversations", { query: { archived: "yes" } })
    // @ts-expect-error: a limit is a number
    http.ask("listConversations", { query: { limit: "3" } })
    // @ts-expect-error: the query has to say what to look for
    http.ask("search", { query: {} })
    // @ts-expect-error: the body is missing
    http.ask("editQueued", { params: { ...here, message: "m" } })
    // @ts-expect-error: an edit says which version it was made to
    http.ask("editQueued", { params: { ...here, message: "m" }, body: { text: "a" } })
    // @ts-expect-error: this route reads no body
    http.ask("holdQueue", { params: here, body: {} })
    // @ts-expect-error: this route takes bytes
    http.open("attach", { body: {} })
    // @ts-expect-error: of a conversation's own routes only
    act("listKeys")
    // @ts-expect-error: the message is not known
    act("removeQueued")
    // @ts-expect-error: and is called by its name
    act("removeQueued", { params: { id: "m" } })
  }
  expect(_typed).toBeInstanceOf(Function)
})
