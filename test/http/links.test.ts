/** Additional names of a person: link, use, unlink; and conflicts. */
import type { Store } from "@parlor/core"
import { routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type StoreCall, wrapStore } from "../support/store-calls.ts"
import { type Ask, ask, expectProblem, follow, jsonOf, read } from "./client.ts"
import { converse, open, pathOf, send, visible } from "./conversations.ts"
import { ANSWER, STORES, startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")

describe.each(STORES)("linked names on %s", (kind) => {
  const before: { call?: StoreCall; act?: () => Promise<unknown> } = {}
  let server: TestServer
  let bridge: string

  beforeAll(async () => {
    server = await startTestServer({ kind, wrap: (store) => interrupted(store, before) })
    bridge = await server.addKey({ person: "bot", actFor: "telegram:*" })
  })

  afterAll(() => server.close())

  const as = (person: string, token = bridge): Ask => ({
    token,
    headers: { "parlor-person": encodeURIComponent(person) },
  })
  const link = (body: unknown, options: Ask = {}) => ask(server, "POST", "/v1/links", { ...options, body })
  const unlink = (name: string, options: Ask = {}) =>
    ask(server, "DELETE", `/v1/links?name=${encodeURIComponent(name)}`, options)
  const list = (query = "", options: Ask = {}) =>
    read(server, routes.listLinks.answer.schema, "GET", `/v1/links${query}`, options)
  const said = async (options: Ask) => visible((await open(server, main, options)).messages)

  test("[ADR-4, CMP-17] a linked name finds its person's conversations; unlinked it has nothing, and the person keeps all", async () => {
    const ana = { token: await server.addKey({ person: "cli:ana", scopes: ["read", "write", "manage"] }) }
    const phone = as("telegram:42")
    await converse(server, main, "from the desk", ana)
    await ask(server, "GET", main, phone)
    expect(jsonOf(await link({ name: "telegram:42", person: "cli:ana" }))).toMatchObject({ person: "cli:ana" })
    await converse(server, main, "from the phone", phone)
    expect(await open(server, main, phone)).toMatchObject({ person: "cli:ana" })
    const both = ["person: from the desk", `agent: ${ANSWER}`, "person: from the phone", `agent: ${ANSWER}`]
    expect(await said(phone)).toEqual(both)
    const paused = (from: string) =>
      ask(server, "POST", `${main}/messages`, { ...phone, body: { text: "hi", mode: "paused", from } })
    for (const from of ["telegram:42", "cli:ana"]) expect((await paused(from)).status, from).toBe(202)
    expectProblem(await paused("telegram:43"), { status: 403, code: "person.not-allowed", pointer: "/from" })
    await ask(server, "PUT", "/v1/memory/user/tea", {
      ...phone,
      body: { description: "Likes tea", type: "user", body: "Green." },
    })
    expect((await ask(server, "GET", "/v1/memory/user/tea", ana)).status).toBe(200)
    expectProblem(await ask(server, "GET", main, as("cli:ana")), { status: 403, code: "person.not-allowed" })
    expect(await list("?person=cli%3Aana")).toMatchObject({ links: [{ name: "telegram:42", person: "cli:ana" }] })

    expect((await unlink("telegram:42", ana)).status).toBe(204)
    expect(await said(phone)).toEqual([])
    expect(await said(ana)).toEqual(both)
    expectProblem(await unlink("telegram:42"), { status: 404, code: "link.unknown" })
    const { audit = [] } = await server.dump()
    const subject = '"telegram:42" of "cli:ana"'
    expect(audit.map((line) => JSON.parse(line)).filter((entry) => entry.subject === subject)).toMatchObject([
      { person: "me", act: "name.linked" },
      { person: "cli:ana", act: "name.unlinked" },
    ])
  })

  test("[ADR-4, SEC-4] linking and unlinking cut what is open under the name, and nothing else", async () => {
    const stream = `${main}/events?offset=-1&live=sse`
    const kept = await follow(server, stream)
    const early = await follow(server, "/v1/feed?offset=-1&live=sse", as("telegram:streams"))
    await link({ name: "telegram:streams" })
    await early.ended
    const late = await follow(server, stream, as("telegram:streams"))
    await unlink("telegram:streams")
    await late.ended
    await ask(server, "PATCH", main, { body: { title: "still heard" } })
    await kept.until((text) => text.includes("still heard"))
    kept.leave()
  })

  test("[ADR-4] nothing is merged: a name with things of its own is refused, with what they are, until they are gone", async () => {
    const name = "telegram:busy"
    const busy = as(name)
    await converse(server, main, "a first word", busy)
    await ask(server, "POST", "/v1/attachments?name=n.txt", {
      ...busy,
      body: "a note",
      headers: { ...busy.headers, "content-type": "text/plain" },
    })
    const { detail } = expectProblem(await link({ name }), { status: 409, code: "link.not-empty" })
    expect(detail).toMatch(/1 conversation, 1 attachment of its own.*Delete.*export.*dropAttachments/)
    expect((await list()).links.map((one) => one.name)).not.toContain(name)
    expect(await said(busy)).toHaveLength(2)
    expect((await ask(server, "DELETE", main, busy)).status).toBe(204)
    expectProblem(await link({ name }), { status: 409, code: "link.not-empty" })
    expect((await link({ name, dropAttachments: true })).status).toBe(200)
    expect((await open(server, main, busy)).person).toBe("me")
  })

  test.each(["log.ensure", "log.commit"] as const)(
    "[ADR-4] a name's first message that comes while it is linked goes to its person (before %s)",
    async (call) => {
      const name = `telegram:late-${call}`
      const late = as(name)
      if (call === "log.commit") for (const path of ["/v1/feed", main]) await ask(server, "GET", path, late)
      Object.assign(before, { call, act: () => link({ name }) })
      await send(server, main, `late for ${call}`, late)
      expect(before.act).toBeUndefined()
      expect((await said({})).some((line) => line === `person: late for ${call}`)).toBe(true)
      expect(await streamOf(name)).toBeUndefined()
      await unlink(name)
      expect(await said(late)).toEqual([])
    },
  )

  test("[ADR-2, ADR-4] one links names one speaks for: oneself, whom one may act for; the local token any", async () => {
    const scopes = ["read", "write", "manage"] as const
    const bot = { token: await server.addKey({ person: "bridge", actFor: "sms:*", scopes }) }
    const eve = { token: await server.addKey({ person: "eve", scopes }) }
    const not = (pointer: string) => ({ status: 403, code: "person.not-allowed", pointer })
    expectProblem(await link({ name: "sms:1", person: "me" }, bot), not("/person"))
    expectProblem(await link({ name: "slack:1" }, bot), not("/name"))
    expectProblem(await link({ name: "sms:1" }, eve), not("/name"))
    expectProblem(await link({ name: "eve", person: "me" }, eve), not("/person"))
    expect((await link({ name: "sms:1", person: "sms:2" }, bot)).status).toBe(200)
    expect((await link({ name: "sms:3" }, bot)).status).toBe(200)
    expect((await link({ name: "x", person: "y" })).status).toBe(200)
    expect((await list("", bot)).links).toMatchObject([
      { name: "sms:1", person: "sms:2" },
      { name: "sms:3", person: "bridge" },
    ])
    expect((await list("", eve)).links).toEqual([])
    expectProblem(await ask(server, "GET", "/v1/links?person=sms:2", eve), not("person"))
    expectProblem(await unlink("sms:1", eve), { status: 404, code: "link.unknown" })
    expect(await list("?limit=1", bot)).toMatchObject({ links: [{ name: "sms:1" }], cursor: "sms:1" })
    expect(await list("?limit=1&cursor=sms%3A1", bot)).toMatchObject({ links: [{ name: "sms:3" }], cursor: null })
  })

  test("[ADR-4, SEC-5] what cannot be linked is refused", async () => {
    await link({ name: "one", person: "two" })
    const tries = [
      [{ name: "me" }, 422, "request.invalid"],
      [{ name: "me", person: "five" }, 422, "request.invalid"],
      [{ name: "" }, 422, "request.invalid"],
      [{ name: "a", who: "b" }, 422, "request.invalid"],
      [{ name: "one", person: "three" }, 409, "link.taken"],
      [{ name: "three", person: "one" }, 409, "link.chained"],
      [{ name: "two", person: "three" }, 409, "link.chained"],
    ] as const
    for (const [body, status, code] of tries) expectProblem(await link(body), { status, code }, JSON.stringify(body))
    for (const name of ["..", "a/b", "100% ü😀", " "]) {
      expect((await link({ name, person: "odd" })).status, name).toBe(200)
      expect((await unlink(name)).status, name).toBe(204)
    }
  })

  function streamOf(person: string) {
    return server.store.log.find({ kind: "conversation", agent: "host", person, branch: "main" })
  }
})

/** Runs something once before the next such call. */
function interrupted(store: Store, before: { call?: StoreCall; act?: () => Promise<unknown> }): Store {
  return wrapStore(store, (name, call) => {
    if (name !== before.call || before.act === undefined) return call
    return async (...args) => {
      const { act } = before
      delete before.act
      await act?.()
      return call(...args)
    }
  })
}
