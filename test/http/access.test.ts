/** [SEC-1] Every route and transport, as every kind of caller: the cells of `cells.ts`, on both stores. */
import { gate, says } from "@parlor/core/testing"
import { errorTable, parseShareLink, type Route, type RouteName, routes, type Scope } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { BROWSER_KEYS, type Cell, cells, SECRET, SECRET_BRANCH, TRANSPORTS } from "./cells.ts"
import { type Answer, type Ask, ask, expectProblem, follow, read } from "./client.ts"
import { converse, eventually, headOf, pathOf, send } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const ALL: readonly Scope[] = ["read", "write", "manage", "metrics"]
const NAMES = Object.keys(routes) as RouteName[]
const HASH = /[0-9a-f]{64}/
const secret = pathOf("host", SECRET_BRANCH)

test("[SEC-1] every route says what it needs and has a cell in the matrix", () => {
  expect(Object.keys(cells("key")).sort()).toEqual([...NAMES].sort())
  for (const name of NAMES) expect(["nothing", "signature", ...ALL], name).toContain(routes[name].needs)
  const open = NAMES.filter((name) => routes[name].needs === "nothing")
  expect(open.toSorted()).toEqual(["describe", "health", "live", "readSignIn", "ready", "version"])
  expect(NAMES.filter((name) => routes[name].needs === "signature")).toEqual(["deliverHook"])
})

describe.each(STORES)("[SEC-1] access on %s", (kind) => {
  let server: TestServer
  let table: Readonly<Record<RouteName, Cell>>
  const tokens: Record<string, string> = {}
  let viewersShare = ""

  beforeAll(async () => {
    server = await startTestServer({ kind, edge: { trustedProxies: ["127.0.0.1"] } })
    server.script(says(SECRET))
    await ask(server, "PUT", secret)
    await converse(server, secret, SECRET)
    await ask(server, "PATCH", secret, { body: { title: SECRET } })
    await ask(server, "PUT", `${secret}/files/canary.txt`, { body: SECRET })
    const kept = { description: SECRET, type: "user", body: SECRET }
    await ask(server, "PUT", "/v1/memory/user/secret", { body: kept })
    await ask(server, "POST", "/v1/attachments", { body: SECRET, headers: { "content-type": "text/plain" } })
    const made = routes.makeKey.answer.schema
    const { id } = await read(server, made, "POST", "/v1/keys", { body: { name: SECRET } })
    tokens.viewer = await server.addKey({ scopes: ALL, person: "vera" })
    await ask(server, "PUT", pathOf("host", "veras"), { token: tokens.viewer })
    const share = (viewer: string | null) =>
      read(server, routes.makeShare.answer.schema, "POST", `${secret}/shares`, {
        body: { viewer, mode: "live", shows: { files: true } },
      })
    const link = await share(null)
    tokens.link = parseShareLink(link.path?.replace("/shared", "") ?? "")?.secret ?? ""
    viewersShare = (await share("vera")).id
    const browser = { endpoint: "https://push.example.com/owners", keys: BROWSER_KEYS, device: SECRET }
    const push = await read(server, routes.subscribePush.answer.schema, "POST", "/v1/push", { body: browser })
    table = cells(id, { ...(await triggersOf(server)), share: link.id, push: push.id })
    await ask(server, "POST", "/v1/links", { body: { name: "lnk_secret" } })
    tokens.garbage = "parlor_nobody-ever-made-this-key-00000000000000"
    tokens.almost = `${server.token.slice(0, -1)}${server.token.endsWith("A") ? "B" : "A"}`
    tokens.expired = await server.addKey({ scopes: ALL, expiresAt: Date.now() - 1 })
    tokens.revoked = await server.addKey({ scopes: ALL, revokedAt: 1 })
    tokens.other = await server.addKey({ scopes: ALL, person: "ana" })
    await ask(server, "PUT", pathOf("host", "anas"), { token: tokens.other })
    for (const scope of ALL)
      tokens[`without ${scope}`] = await server.addKey({ scopes: ALL.filter((held) => held !== scope) })
  })

  afterAll(() => server.close())

  const refused = [
    ["nobody", null, "auth.missing"],
    ["a garbage token", "garbage", "auth.invalid"],
    ["almost the local token", "almost", "auth.invalid"],
    ["an expired key", "expired", "auth.expired"],
    ["a revoked key", "revoked", "auth.revoked"],
  ] as const

  describe.each(NAMES)("%s", (name) => {
    const route: Route = routes[name]

    test.each(refused)("as %s", async (_who, token, code) => {
      for (const [transport, answer] of await everyWay(name, { token: token && (tokens[token] ?? "") }))
        if (isOpen(route)) expect(answer.status).toBe(table[name].owner)
        else if (answer.headers["www-authenticate"] !== "Bearer") expect.fail(`${transport}: no www-authenticate`)
        else if (transport === "HEAD") expect(answer.status).toBe(errorTable[code].status)
        else expectProblem(answer, { status: 401, code }, transport)
    })

    test("with a key that lacks the right", async () => {
      const token = tokens[`without ${route.needs}`]
      if (token === undefined) return expect(isOpen(route)).toBe(true)
      for (const [transport, answer] of await everyWay(name, { token }))
        if (transport === "HEAD") expect(answer.status).toBe(403)
        else expectProblem(answer, { status: 403, code: "auth.forbidden" }, transport)
    })

    test("as somebody else: their own things, or nothing there", async () => {
      const before = await headOf(server, secret)
      const { other } = table[name]
      for (const [transport, answer] of await everyWay(name, { token: tokens.other ?? "" })) {
        expect(answer.text).not.toContain(SECRET)
        if (typeof other === "number") expect(answer.status, answer.text).toBe(other)
        else if (transport === "HEAD") expect(answer.status).toBe(404)
        else expectProblem(answer, { status: 404, code: other }, transport)
      }
      expect(await headOf(server, secret)).toBe(before)
    })

    test("[SHR-2] as the holder of a link: what it shares, or no valid token", async () => {
      const before = await headOf(server, secret)
      // Another address, because wrong tokens are limited per address.
      const options = { token: tokens.link ?? "", headers: { "x-forwarded-for": "192.0.2.7" } }
      for (const [transport, answer] of await everyWay(name, options))
        if (isOpen(route) || route.shared) expect(answer.status, `${transport} ${answer.text}`).toBe(table[name].owner)
        else if (transport === "HEAD") expect(answer.status).toBe(401)
        else expectProblem(answer, { status: 401, code: "auth.invalid" }, transport)
      expect(await headOf(server, secret)).toBe(before)
    })

    test("[SHR-1] as a viewer: what is shared with them; otherwise as somebody else", async () => {
      const before = await headOf(server, secret)
      const { other, owner, path } = table[name]
      const mine = path.replace(/shr_[^/]*/, viewersShare)
      const wanted = route.shared ? owner : other
      for (const [transport, answer] of await everyWay(name, { token: tokens.viewer ?? "" }, mine)) {
        if (!route.shared && name !== "listShared") expect(answer.text).not.toContain(SECRET)
        if (typeof wanted === "number") expect(answer.status, `${transport} ${answer.text}`).toBe(wanted)
        else if (transport === "HEAD") expect(answer.status).toBe(404)
        else expectProblem(answer, { status: 404, code: wanted }, transport)
      }
      expect(await headOf(server, secret)).toBe(before)
    })

    test("what is another's answers as what is not there", async () => {
      if (typeof table[name].other === "number") return
      const absent = table[name].path
        .replace(SECRET_BRANCH, "absent")
        .replace(/(key|sch|hook|ntc|lnk|shr|push)_[^/]*/, "$1_absent")
        .replace(HASH, "0".repeat(64))
      expect(absent).not.toBe(table[name].path)
      const theirs = await asked(name, table[name].path, { token: tokens.other ?? "" })
      const nobodys = await asked(name, absent, { token: tokens.other ?? "" })
      const blank = (answer: Answer) =>
        answer.text.replaceAll(/absent|secret|(?:key|sch|hook|ntc|lnk|shr|push)_[\w-]+|[0-9a-f]{64}/g, "…")
      expect(blank(theirs)).toBe(blank(nobodys))
      expect(theirs.headers["content-type"]).toBe(nobodys.headers["content-type"])
    })
  })

  // After all others, because these delete and revoke.
  test.each([...NAMES].sort((a, b) => Number(a.startsWith("delete")) - Number(b.startsWith("delete"))))(
    "%s as its owner",
    async (name) => {
      const held = gate()
      if (name === "stop") {
        server.script([held])
        await send(server, secret, "a turn to stop")
      }
      for (const [transport, answer] of await everyWay(name, {})) {
        expect(answer.status, `${transport} ${answer.text}`).toBe(table[name].owner)
        const { schema } = (routes[name] as Route).answer ?? {}
        if (schema !== undefined && answer.status < 300) schema.parse(JSON.parse(answer.text))
      }
      held.open()
      if (name === "send") await eventually(async () => (await ask(server, "GET", secret)).text).toContain('"idle"')
    },
  )

  /** The route's request; for a stream, one per transport. */
  async function everyWay(
    name: RouteName,
    options: Ask,
    path = table[name].path,
  ): Promise<readonly (readonly [string, Answer])[]> {
    if (!(routes[name] as Route).stream) return [["plain", await asked(name, path, options)]]
    return Promise.all(
      Object.entries(TRANSPORTS).map(async ([transport, { query, method }]) => {
        if (transport !== "sse") return [transport, await ask(server, method ?? "GET", path + query, options)] as const
        const following = await follow(server, path + query, options)
        if (following.status === 200) await following.until((text) => text.includes("event: control"))
        else await following.ended
        following.leave()
        return [transport, { ...following, text: following.text() }] as const
      }),
    )
  }

  function asked(name: RouteName, path: string, options: Ask): Promise<Answer> {
    const { ask: given } = table[name]
    return ask(server, routes[name].method, path, {
      ...given,
      ...options,
      headers: { ...given?.headers, ...options.headers },
    })
  }
})

/** Routes that need no token. */
function isOpen({ needs }: Route): boolean {
  return needs === "nothing" || needs === "signature"
}

/** Uses another conversation than the secret one, which is deleted in between. */
async function triggersOf(server: TestServer) {
  const on = { agent: "host", name: SECRET }
  const schedule = { ...on, text: SECRET, when: { everyMs: 3_600_000 } }
  const made = (name: "makeSchedule" | "makeHook" | "makeNotice", body: unknown) =>
    read(server, routes[name].answer.schema, "POST", routes[name].path, { body })
  return {
    schedule: (await made("makeSchedule", schedule)).id,
    hook: (await made("makeHook", { ...on, template: SECRET })).id,
    notice: (await made("makeNotice", { url: "https://example.com/secret", name: SECRET })).id,
  }
}
