/** Sharing over HTTP (SHR), on both stores. */
import { Parlor } from "@parlor/client"
import { gate, says } from "@parlor/core/testing"
import { limits, parseShareLink, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { z } from "zod"
import { ask, expected, expectProblem, follow, jsonOf, read } from "./client.ts"
import { converse, eventually, open, pathOf, send } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const made = routes.makeShare.answer.schema
const shared = routes.openShared.answer.schema
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==",
  "base64",
)

describe.each(STORES)("sharing on %s", (kind) => {
  let server: TestServer
  let vera: string
  let branch = 0

  beforeAll(async () => {
    server = await startTestServer({ kind })
    vera = await server.addKey({ person: "vera", scopes: ["read", "write"] })
    await ask(server, "PUT", pathOf("host", "hers"), { token: vera })
  })
  afterAll(() => server.close())

  async function talk(...texts: readonly string[]): Promise<string> {
    branch += 1
    const path = pathOf("host", `talk-${branch}`)
    await ask(server, "PUT", path)
    for (const text of texts) {
      server.script(says(`You said ${text}.`))
      await converse(server, path, text)
    }
    return path
  }

  async function share(path: string, body: Record<string, unknown> = {}) {
    const view = await read(server, made, "POST", `${path}/shares`, { body })
    const link = parseShareLink(view.path?.replace("/shared", "") ?? "")
    return { ...view, at: `/v1/shared/${view.id}`, token: link?.secret ?? "" }
  }

  function textsOf({ messages }: Pick<z.output<typeof shared>, "messages">): readonly string[] {
    return messages.map(({ parts }) =>
      parts.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join(""),
    )
  }

  const openShared = (at: string, token: string) => read(server, shared, "GET", at, { token })

  test("[SHR-1, SHR-2] a link shows the messages without a token, its secret is stored as a hash and is in no log", async () => {
    const path = await talk("tulips")
    const link = await share(path)
    expect(link.path).toMatch(/^\/shared#shr_/)
    expect(link).toMatchObject({ mode: "snapshot", viewer: null, shows: { name: false, details: false, files: false } })
    const view = await openShared(link.at, link.token)
    expect(textsOf(view)).toEqual(["tulips", "You said tulips."])
    expect(view).toMatchObject({ sharedBy: null, agent: "host", state: "idle", older: null })
    const secret = link.token.slice(-40)
    const dumped = JSON.stringify(await server.dump())
    expect(dumped).toContain(link.id)
    expect(dumped).not.toContain(secret)
    expect(server.logged.join("\n")).not.toContain(secret)
  })

  test("[SHR-14] a viewer's feed says when what is shared with them changed, and nothing about it", async () => {
    const feed = new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token: vera }).feed().live()
    try {
      const state = async () => feed.getState()
      await eventually(async () => (await state()).phase).toBe("ready")
      const before = feed.getState().sharedAt
      const path = await talk("secret tulips")
      await share(path)
      const { id } = await share(path, { viewer: "vera" })
      await eventually(async () => (await state()).sharedAt !== before).toBe(true)
      const between = feed.getState().sharedAt
      expect((await ask(server, "DELETE", `/v1/shares/${id}`)).status).toBe(204)
      await eventually(async () => (await state()).sharedAt !== between).toBe(true)
      expect(JSON.stringify(feed.getState())).not.toContain("tulips")
    } finally {
      feed.close()
    }
  })

  test("[SHR-2] a wrong secret, another link's secret and an absent share get the same response", async () => {
    const path = await talk("one")
    const [link, other] = [await share(path), await share(path)]
    const wrong = await ask(server, "GET", link.at, { token: `${link.token.slice(0, -1)}_` })
    expectProblem(wrong, expected("share.unknown"))
    const absent = await ask(server, "GET", "/v1/shared/shr_absent", { token: link.token })
    const crossed = await ask(server, "GET", other.at, { token: link.token })
    expect([absent.text, crossed.text]).toEqual([wrong.text, wrong.text])
    expectProblem(await ask(server, "GET", pathOf("host", "talk-1"), { token: link.token }), expected("auth.invalid"))
  })

  test("[SHR-2] wrong secrets are limited per address", async () => {
    const path = await talk("one")
    const link = await share(path)
    const crowd = await startTestServer({ kind: "SQLite" })
    try {
      const guess = () => ask(crowd, "GET", link.at, { token: `parlor_share_${"x".repeat(43)}` })
      let last = await guess()
      for (let n = 0; n < limits.wrongCredentialsAtOnce + 5; n++) last = await guess()
      expectProblem(last, expected("rate.exceeded"))
      expect(last.headers["retry-after"]).toBeDefined()
    } finally {
      await crowd.close()
    }
  })

  test("[SHR-3] memory, context, reasoning and tool details are left out unless chosen; the owner's name too", async () => {
    const path = await talk("one")
    server.script([
      { type: "reasoning", text: "secret thought" },
      { type: "text", text: "Spoken." },
      { type: "finish", reason: "stop" },
    ] as never)
    await converse(server, path, "two")
    const plain = await share(path)
    const rich = await share(path, { shows: { details: true, name: true } })
    const answer = await ask(server, "GET", plain.at, { token: plain.token })
    expect(answer.text).not.toContain("secret thought")
    expect(answer.text).not.toContain('"me"')
    const detailed = await openShared(rich.at, rich.token)
    expect(JSON.stringify(detailed)).toContain("secret thought")
    expect(detailed.sharedBy).toBe("me")
    for (const { usage, model, turn, composer, editedFrom } of detailed.messages)
      expect({ usage, model, turn, composer, editedFrom }).toEqual({
        usage: null,
        model: null,
        turn: null,
        composer: null,
        editedFrom: null,
      })
  })

  test("[SHR-4] a snapshot stays as it was, whatever is said, rolled back or restored later", async () => {
    const path = await talk("one", "two", "three")
    const { messages } = await open(server, path)
    const two = messages.find(({ parts }) => parts.some((part) => part.type === "text" && part.text === "two"))
    const rolled = jsonOf(await ask(server, "POST", `${path}/rollback`, { body: { to: two?.id } })) as {
      rollback: { id: string }
    }
    const link = await share(path)
    const before = textsOf(await openShared(link.at, link.token))
    expect(before).toEqual(["one", "You said one.", "two"])
    await ask(server, "POST", `${path}/rollback/${rolled.rollback.id}/cancel`)
    server.script(says("Later."))
    await converse(server, path, "later")
    expect(textsOf(await openShared(link.at, link.token))).toEqual(before)
    const live = await share(path, { mode: "live" })
    expect(textsOf(await openShared(live.at, live.token))).toEqual([
      "one",
      "You said one.",
      "two",
      "You said two.",
      "three",
      "You said three.",
      "later",
      "Later.",
    ])
  })

  test("[SHR-4] a snapshot leaves out a reply that is still being written", async () => {
    const path = await talk("one")
    const held = gate()
    server.script([{ type: "text", text: "Half" } as never, held])
    await send(server, path, "two")
    await eventually(async () => JSON.stringify(await open(server, path))).toContain("Half")
    const link = await share(path)
    expect(textsOf(await openShared(link.at, link.token))).toEqual(["one", "You said one.", "two"])
    const live = await share(path, { mode: "live" })
    expect(textsOf(await openShared(live.at, live.token)).at(-1)).toBe("Half")
    held.open()
    await eventually(async () => (await open(server, path)).status.state).toBe("idle")
    expect(textsOf(await openShared(link.at, link.token))).toEqual(["one", "You said one.", "two"])
  })

  test("[SHR-4] there is nothing to share in an empty conversation, except live", async () => {
    const path = await talk()
    expectProblem(await ask(server, "POST", `${path}/shares`, { body: {} }), expected("share.empty"))
    const live = await share(path, { mode: "live" })
    expect(textsOf(await openShared(live.at, live.token))).toEqual([])
  })

  test("[SHR-5] a live link streams a reply as it is written, and only what is shared", async () => {
    const path = await talk("one")
    const { at, token } = await share(path, { mode: "live" })
    const following = await follow(server, `${at}/events?offset=-1&live=sse`, { token })
    await following.until((text) => text.includes("You said one.") && text.includes("upToDate"))
    const held = gate()
    server.script([{ type: "text", text: "Streamed " } as never, held, { type: "text", text: "words." } as never])
    await send(server, path, "two")
    await following.until((text) => text.includes("Streamed "))
    expect(following.text()).not.toContain("words.")
    await ask(server, "POST", `${path}/messages`, { body: { text: "queued in private" } })
    held.open()
    const all = await following.until((text) => text.includes("words."))
    following.leave()
    const types = [...all.matchAll(/\{"type":"(\w+)","key"/g)].map((match) => match[1])
    expect(new Set(types)).toEqual(new Set(["status", "messages", "deltas"]))
    expect(all).not.toContain('"me"')
  })

  test("[SHR-5] after a rollback the stream ends, and its next state is without the messages", async () => {
    const path = await talk("one", "two")
    const { at, token } = await share(path, { mode: "live" })
    const following = await follow(server, `${at}/events?offset=-1&live=sse`, { token })
    await following.until((text) => text.includes("You said two.") && text.includes("upToDate"))
    const { messages } = await open(server, path)
    await ask(server, "POST", `${path}/rollback`, { body: { to: messages[2]?.id } })
    await following.ended
    const again = await follow(server, `${at}/events?offset=-1&live=sse`, { token })
    const text = await again.until((all) => all.includes("upToDate"))
    again.leave()
    expect(text).toContain("You said one.")
    expect(text).not.toContain("You said two.")
    const offset = /"streamNextOffset":"([^"]+)"/.exec(following.text())?.[1] ?? ""
    expectProblem(
      await ask(server, "GET", `${at}/events?offset=${offset}`, { token }),
      expected("offset.gone", "offset"),
    )
    for (const early of ["0000000000000000_0000000000000001", "now"])
      expectProblem(
        await ask(server, "GET", `${at}/events?offset=${early}`, { token }),
        expected("offset.gone", "offset"),
      )
  })

  test("[SHR-5] the stream of a snapshot ends by itself", async () => {
    const path = await talk("one")
    const { at, token } = await share(path)
    server.script(says("Private."))
    await converse(server, path, "two")
    const following = await follow(server, `${at}/events?offset=-1&live=sse`, { token })
    await following.ended
    expect(following.text()).toContain('"streamClosed":true')
    expect(following.text()).toContain("You said one.")
    expect(following.text()).not.toContain("Private")
  })

  test("[SHR-6] revoking ends the link and its open streams, and only those", async () => {
    const path = await talk("one")
    const [link, other] = [await share(path, { mode: "live" }), await share(path, { mode: "live" })]
    const following = await follow(server, `${link.at}/events?offset=-1&live=sse`, { token: link.token })
    const kept = await follow(server, `${other.at}/events?offset=-1&live=sse`, { token: other.token })
    await following.until((text) => text.includes("upToDate"))
    await kept.until((text) => text.includes("upToDate"))
    expect((await ask(server, "DELETE", `/v1/shares/${link.id}`)).status).toBe(204)
    await following.ended
    expectProblem(await ask(server, "GET", link.at, { token: link.token }), expected("share.revoked"))
    expectProblem(await ask(server, "DELETE", `/v1/shares/${link.id}`), expected("share.unknown"))
    server.script(says("Still here."))
    await send(server, path, "two")
    await kept.until((text) => text.includes("Still here."))
    kept.leave()
  })

  test("[SHR-6] an expired link says so, and its stream is closed", async () => {
    const path = await talk("one")
    expectProblem(
      await ask(server, "POST", `${path}/shares`, { body: { expiresAt: Date.now() - 1 } }),
      expected("request.invalid", "/expiresAt"),
    )
    const link = await share(path, { mode: "live", expiresAt: Date.now() + 1_500 })
    const following = await follow(server, `${link.at}/events?offset=-1&live=sse`, { token: link.token })
    await following.until((text) => text.includes("upToDate"))
    await following.ended
    const problem = expectProblem(await ask(server, "GET", link.at, { token: link.token }), expected("share.expired"))
    expect(problem.detail).toContain("expired")
  })

  test("[SHR-7] deleting the conversation ends its links, at once even when it can be undone", async () => {
    const path = await talk("one")
    const link = await share(path, { mode: "live" })
    const following = await follow(server, `${link.at}/events?offset=-1&live=sse`, { token: link.token })
    await following.until((text) => text.includes("upToDate"))
    await ask(server, "DELETE", `${path}?undoable=true`)
    await following.ended
    expectProblem(await ask(server, "GET", link.at, { token: link.token }), expected("share.unknown"))
    await ask(server, "PATCH", path, { body: { deleted: false } })
    expect((await openShared(link.at, link.token)).messages).toHaveLength(2)
    await ask(server, "DELETE", path)
    expectProblem(await ask(server, "GET", link.at, { token: link.token }), expected("share.unknown"))
  })

  test("[SHR-1] a viewer sees it in their list and reads it, and nothing else of its owner", async () => {
    const path = await talk("one")
    await ask(server, "PATCH", path, { body: { title: "Garden plans" } })
    const { id, at } = await share(path, { viewer: "vera", mode: "live" })
    const list = jsonOf(await ask(server, "GET", "/v1/shared", { token: vera })) as { shared: { id: string }[] }
    expect(list.shared).toContainEqual(
      expect.objectContaining({ id, title: "Garden plans", sharedBy: "me", mode: "live", expiresAt: null }),
    )
    expect(textsOf(await openShared(at, vera))).toEqual(["one", "You said one."])
    expectProblem(await ask(server, "GET", path, { token: vera }), expected("conversation.unknown"))
    const following = await follow(server, `${at}/events?offset=-1&live=sse`, { token: vera })
    await following.until((text) => text.includes("upToDate"))
    expectProblem(
      await ask(server, "POST", `${path}/shares`, { body: { viewer: "vera" } }),
      expected("share.taken", "/viewer"),
    )
    await ask(server, "DELETE", `/v1/shares/${id}`)
    await following.ended
    expectProblem(await ask(server, "GET", at, { token: vera }), expected("share.revoked"))
    expect((await ask(server, "GET", "/v1/shared", { token: vera })).text).not.toContain(id)
  })

  test.each([
    ["nobody-here", "share.viewer"],
    ["me", "share.viewer"],
  ] as const)("[SHR-1] a conversation cannot be shared with %s", async (viewer, code) => {
    const path = await talk("one")
    expectProblem(await ask(server, "POST", `${path}/shares`, { body: { viewer } }), expected(code, "/viewer"))
  })

  test("[SHR-3] pictures of shared messages can be read, others cannot", async () => {
    const path = await talk()
    const headers = { "content-type": "image/png" }
    const upload = async (bytes: Buffer) =>
      (jsonOf(await ask(server, "POST", "/v1/attachments?name=a.png", { body: bytes, headers })) as { hash: string })
        .hash
    const hash = await upload(PICTURE)
    const other = await upload(Buffer.concat([PICTURE, Buffer.from("more")]))
    const sendWith = async (picture: string) => {
      const nodes = [{ kind: "attachment", start: 4, end: 4, raw: "", hash: picture }]
      const body = { type: "composer_input", payload: { source: "look", nodes } }
      const sent = await ask(server, "POST", `${path}/messages`, { body })
      expect(sent.status, sent.text).toBe(202)
      await eventually(async () => (await open(server, path)).status.state).toBe("idle")
    }
    await sendWith(hash)
    const { at, token } = await share(path)
    await sendWith(other)
    const { messages } = await openShared(at, token)
    const message = messages[0]?.id
    const picture = await ask(server, "GET", `${at}/messages/${message}/attachments/${hash}`, { token })
    expect(picture.status, picture.text).toBe(200)
    expect(picture.headers["content-type"]).toBe("image/png")
    const later = (await open(server, path)).messages.findLast(({ role }) => role === "person")?.id
    for (const [id, content] of [
      [message, other],
      [later, other],
      [later, hash],
    ])
      expectProblem(
        await ask(server, "GET", `${at}/messages/${id}/attachments/${content}`, { token }),
        expected("attachment.unknown"),
      )
  })

  test("[SHR-3] files are shared only if that was chosen, and a snapshot has them as they were", async () => {
    const path = await talk("one")
    await ask(server, "PUT", `${path}/files/notes.md`, { body: "first" })
    const [plain, withFiles, live] = [
      await share(path),
      await share(path, { shows: { files: true } }),
      await share(path, { shows: { files: true }, mode: "live" }),
    ]
    server.script(says("More."))
    await converse(server, path, "two")
    await ask(server, "PUT", `${path}/files/notes.md`, { body: "second" })
    const listed = async ({ at, token }: typeof plain) => jsonOf(await ask(server, "GET", `${at}/files`, { token }))
    expect(await listed(plain)).toEqual({ files: [] })
    expect(await listed(withFiles)).toEqual({ files: [{ path: "notes.md", bytes: 5 }] })
    const content = ({ at, token }: typeof plain) => ask(server, "GET", `${at}/files/notes.md`, { token })
    expectProblem(await content(plain), expected("file.unknown"))
    expect((await content(withFiles)).text).toBe("first")
    expect((await content(live)).text).toBe("second")
  })

  test("[SHR-3] older messages are read by page", async () => {
    const path = await talk("one", "two")
    const { at, token } = await share(path)
    const newest = await read(server, shared, "GET", `${at}?messages=1`, { token })
    expect(textsOf(newest)).toEqual(["You said two."])
    const page = await read(
      server,
      routes.listSharedMessages.answer.schema,
      "GET",
      `${at}/messages?before=${newest.older}&limit=2`,
      { token },
    )
    expect(textsOf(page)).toEqual(["two", "You said one."])
    expect(page.older).not.toBeNull()
  })

  test("[SHR-8] no response with something shared is indexed or cached", async () => {
    const path = await talk("one")
    const { at, token } = await share(path)
    const { headers } = await ask(server, "GET", at, { token })
    expect(headers["x-robots-tag"]).toBe("noindex, nofollow")
    expect(headers["cache-control"]).toBe("no-store")
    expect(headers["referrer-policy"]).toBe("no-referrer")
  })

  test("[SHR-9] one link is read at a limited rate, and others are not affected", async () => {
    const path = await talk("one")
    const [link, other] = [await share(path), await share(path)]
    // Far more than come free while a slow machine answers them.
    const reads = Array.from({ length: 3 * limits.linkReadsAtOnce }, () =>
      ask(server, "GET", `${link.at}/files`, { token: link.token }),
    )
    const refused = (await Promise.all(reads)).filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.headers["retry-after"]).toBeDefined()
    expect((await ask(server, "GET", other.at, { token: other.token })).status).toBe(200)
  })

  test("[SHR-1] shares are listed per conversation, newest first, and counted in the status", async () => {
    const path = await talk("one")
    const first = await share(path)
    const second = await share(path, { mode: "live" })
    const name = path.split("/").at(-1)
    const list = async () =>
      (await read(server, routes.listShares.answer.schema, "GET", `/v1/shares?agent=host&branch=${name}`)).shares
    expect((await list()).map(({ id }) => id)).toEqual([second.id, first.id])
    expect(JSON.stringify(await list())).not.toContain(first.token.slice(-40))
    expect((await open(server, path)).status.shares).toBe(2)
    await ask(server, "DELETE", `/v1/shares/${first.id}`)
    expect((await open(server, path)).status.shares).toBe(1)
    expect((await list()).find(({ id }) => id === first.id)?.revokedAt).toEqual(expect.any(Number))
  })
})

test("[SHR-6] revoking on one server cuts streams on another at once", async () => {
  const one = await startTestServer({ kind: "PostgreSQL" })
  const two = await startTestServer({ kind: "PostgreSQL", beside: one })
  try {
    const path = pathOf("host", "main")
    await converse(one, path, "hello")
    const view = await read(one, made, "POST", `${path}/shares`, { body: { mode: "live" } })
    const token = parseShareLink(view.path?.replace("/shared", "") ?? "")?.secret ?? ""
    const following = await follow(two, `/v1/shared/${view.id}/events?offset=-1&live=sse`, { token })
    await following.until((text) => text.includes("upToDate"))
    const began = Date.now()
    await ask(one, "DELETE", `/v1/shares/${view.id}`)
    await following.ended
    // The periodic check alone would take up to four seconds.
    expect(Date.now() - began).toBeLessThan(3_000)
  } finally {
    await two.close()
    await one.close()
  }
})
