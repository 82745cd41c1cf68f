/** [CMP-15] Attachments over HTTP, on both stores. */
import { createHash } from "node:crypto"
import { Parlor } from "@parlor/client"
import { limits, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Ask, ask, expected, expectProblem, read } from "./client.ts"
import { headOf, open, pathOf, untilTurnEnds } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const png = Buffer.from([0x89, ...Buffer.from("PNG\r\n\x1a\n"), 0, 1, 2, 0xff, 0xfe])
const hashOf = (content: Buffer | string) => createHash("sha256").update(content).digest("hex")
const view = routes.attach.answer.schema

describe.each(STORES)("[CMP-15] attachments on %s", (kind) => {
  let server: TestServer
  let other: Ask
  const path = pathOf("host", "attached")

  beforeAll(async () => {
    server = await startTestServer({ kind })
    other = { token: await server.addKey({ person: "ana" }) }
    await ask(server, "PUT", path)
  })
  afterAll(() => server.close())

  const upload = (body: Buffer | string, type: string, query = "", options: Ask = {}) =>
    ask(server, "POST", `/v1/attachments${query}`, { ...options, body, headers: { "content-type": type } })
  const attached = async (body: Buffer | string, type: string, query = "", options: Ask = {}) =>
    read(server, view, "POST", `/v1/attachments${query}`, { ...options, body, headers: { "content-type": type } })
  const sending = (hash: string, more: object = {}) => ({
    type: "composer_input",
    payload: { source: "look", nodes: [{ kind: "attachment", start: 4, end: 4, raw: "", hash }] },
    ...more,
  })
  const bytesOf = async (hash: string) => {
    const headers = { authorization: `Bearer ${server.token}` }
    const response = await fetch(`http://127.0.0.1:${server.port}/v1/attachments/${hash}`, { headers })
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  test("an upload is answered with what it is now known by, and comes back as it was", async () => {
    const answer = await attached(png, "image/png", "?name=photo.png")
    expect(answer).toEqual({ hash: hashOf(png), name: "photo.png", mediaType: "image/png", bytes: png.length })
    const { response, bytes } = await bytesOf(answer.hash)
    expect(bytes.equals(png)).toBe(true)
    expect(response.headers.get("content-type")).toBe("image/png")
    expect(response.headers.get("x-content-type-options")).toBe("nosniff")
    expect(response.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''photo.png")
    expect(response.headers.get("content-security-policy")).toContain("sandbox")
  })

  test("the same content again is the same attachment, under its first name", async () => {
    await attached("same", "text/plain", "?name=first.txt")
    const again = await attached("same", "text/markdown; charset=utf-8", "?name=second.md")
    expect(again).toMatchObject({ name: "first.txt", mediaType: "text/plain" })
    expect(await server.store.blobs.attachedBytes("me")).toBe(png.length + 4)
  })

  test("[SEC-1] what another attached is not there; attaching the same oneself makes it one's own", async () => {
    const text = "between the two of us"
    const { hash } = await attached(text, "text/plain")
    expectProblem(await ask(server, "GET", `/v1/attachments/${hash}`, other), expected("attachment.unknown"))
    await ask(server, "PUT", path, other)
    const sent = await ask(server, "POST", `${path}/messages`, { ...other, body: sending(hash) })
    expectProblem(sent, expected("attachment.unknown", "/payload/nodes/0"))
    const own = await attached(text, "text/plain", "?name=mine.txt", other)
    expect(own).toMatchObject({ hash, name: "mine.txt" })
    expect((await ask(server, "GET", `/v1/attachments/${hash}`, other)).text).toBe(text)
  })

  test("what has no name is called attachment; one that is no file's name is refused", async () => {
    expect(await attached("unnamed", "text/plain")).toMatchObject({ name: "attachment" })
    const odd = "a'b(c)\" é;👍.txt"
    const { hash } = await attached("odd", "text/plain", `?name=${encodeURIComponent(odd)}`)
    const { response } = await bytesOf(hash)
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename\*=UTF-8''[\x21-\x7e]+$/)
    for (const name of ["../etc/passwd", "a\\b", "a\r\nset-cookie: x", "x".repeat(300), ""])
      expectProblem(
        await upload("x", "text/plain", `?name=${encodeURIComponent(name)}`),
        expected("request.invalid", "name"),
      )
  })

  test("types that are not taken are refused with the list of those that are", async () => {
    for (const type of ["application/zip", "image/svg+xml", "video/mp4", "text/plain; charset=utf-16"]) {
      const { detail } = expectProblem(await upload("x", type), expected("attachment.media-type"))
      expect(detail).toContain("image/png, image/jpeg")
    }
  })

  test("a file that is not what its type says is refused", async () => {
    expectProblem(await upload("GIF89a…", "image/png"), expected("attachment.mismatch"))
    expectProblem(await upload("<script>alert(1)</script>", "application/pdf"), expected("attachment.mismatch"))
    expectProblem(await upload(Buffer.from([0x61, 0]), "text/plain"), expected("attachment.mismatch"))
    expectProblem(await upload(Buffer.from([0xff]), "application/json"), expected("attachment.mismatch"))
    expectProblem(await upload(Buffer.alloc(0), "image/png"), expected("attachment.mismatch"))
  })

  test("sizes are bounded: text earlier than the rest", async () => {
    const text = Buffer.alloc(limits.attachmentTextBytes + 1, "x")
    expectProblem(await upload(text, "text/plain"), expected("request.too-large"))
    const image = Buffer.concat([png, Buffer.alloc(limits.attachmentBytes - png.length)])
    const { hash } = await attached(image, "image/png")
    expect((await bytesOf(hash)).bytes.equals(image)).toBe(true)
    expectProblem(await upload(Buffer.concat([image, png]), "image/png"), expected("request.too-large"))
  })

  test("what a message attaches is in its parts, waiting and started; what was not attached is refused", async () => {
    const { hash, ...known } = await attached(png, "image/png")
    const before = await headOf(server, path)
    const unknown = await ask(server, "POST", `${path}/messages`, { body: sending("0".repeat(64)) })
    expectProblem(unknown, expected("attachment.unknown", "/payload/nodes/0"))
    expect(await headOf(server, path)).toBe(before)
    const part = { type: "attachment", hash, ...known }
    const sent = await read(server, routes.send.answer.schema, "POST", `${path}/messages`, { body: sending(hash) })
    await untilTurnEnds(server, path, sent)
    const now = await open(server, path)
    expect(now.messages[0]).toMatchObject({ id: sent.message, parts: [{ type: "text", text: "look" }, part] })
    await ask(server, "POST", `${path}/messages`, { body: sending(hash, { mode: "paused" }) })
    const [row] = (await open(server, path)).queue
    expect(row?.attachments).toEqual([part])
    // Replacing it with plain text keeps the attachments.
    await ask(server, "PATCH", `${path}/queue/${row?.id}`, { body: { text: "see 👍", version: 1 } })
    const [edited] = (await open(server, path)).queue
    expect(edited).toMatchObject({
      attachments: [part],
      payload: { source: "see 👍", nodes: [{ kind: "attachment", start: 6, end: 6, raw: "", hash }] },
    })
    const without = { payload: { source: "see" }, version: 2 }
    await ask(server, "PATCH", `${path}/queue/${row?.id}`, { body: without })
    expect((await open(server, path)).queue[0]?.attachments).toEqual([])
  })

  describe("[CMP-15] the list", () => {
    const list = (query = "", options: Ask = {}) =>
      read(server, routes.listAttachments.answer.schema, "GET", `/v1/attachments${query}`, options)
    const person = async (name: string): Promise<Ask> => ({ token: await server.addKey({ person: name }) })

    test("has one's own alone, by page, with what they take in all", async () => {
      const eve = await person("eve")
      expect(await list("", eve)).toEqual({ attachments: [], cursor: null, bytes: 0, most: limits.attachedBytes })
      for (const text of ["a", "bb", "ccc"]) await attached(text, "text/plain", `?name=${text}.txt`, eve)
      const all = await list("", eve)
      expect(all).toMatchObject({ cursor: null, bytes: 6 })
      expect(all.attachments.map(({ name }) => name).sort()).toEqual(["a.txt", "bb.txt", "ccc.txt"])
      const first = await list("?limit=2", eve)
      const rest = await list(`?limit=2&cursor=${first.cursor}`, eve)
      expect(rest.cursor).toBeNull()
      expect([...first.attachments, ...rest.attachments]).toEqual(all.attachments)
    })

    test("refuses what is no cursor and no number", async () => {
      for (const [query, pointer] of [
        ["cursor=x", "cursor"],
        [`cursor=-1-${"0".repeat(64)}`, "cursor"],
        [`cursor=${"9".repeat(400)}-${"0".repeat(64)}`, "cursor"],
        ["limit=0", "limit"],
        ["limit=9999", "limit"],
      ])
        expectProblem(await ask(server, "GET", `/v1/attachments?${query}`), expected("request.invalid", pointer))
    })

    test("[SEC-1] what is deleted is gone for who deleted it, and for nobody else; there is room again", async () => {
      const [joe, kim] = [await person("joe"), await person("kim")]
      const { hash } = await attached("of both", "text/plain", "?name=both.txt", joe)
      await attached("of both", "text/plain", "?name=both.txt", kim)
      const at = `/v1/attachments/${hash}`
      expectProblem(await ask(server, "DELETE", at, other), expected("attachment.unknown"))
      expect((await ask(server, "DELETE", at, joe)).status).toBe(204)
      expectProblem(await ask(server, "DELETE", at, joe), expected("attachment.unknown"))
      expectProblem(await ask(server, "GET", at, joe), expected("attachment.unknown"))
      expect(await list("", joe)).toMatchObject({ attachments: [], bytes: 0 })
      expect((await ask(server, "GET", at, kim)).text).toBe("of both")
      expect(await attached("of both", "text/plain", "?name=again.txt", joe)).toMatchObject({ name: "again.txt" })
      expectProblem(await ask(server, "DELETE", "/v1/attachments/xyz", joe), expected("request.invalid", "hash"))
    })

    test("a message keeps the name of what was deleted, and the conversation goes on", async () => {
      const { hash } = await attached("short-lived", "text/plain", "?name=gone.txt")
      const sent = await read(server, routes.send.answer.schema, "POST", `${path}/messages`, { body: sending(hash) })
      await untilTurnEnds(server, path, sent)
      await ask(server, "POST", `${path}/messages`, { body: sending(hash, { mode: "paused" }) })
      await ask(server, "DELETE", `/v1/attachments/${hash}`)
      const waiting = (await open(server, path)).queue.at(-1)
      const resumed = await ask(server, "POST", `${path}/queue/${waiting?.id}/send-now`, { body: {} })
      expect(resumed.status).toBeLessThan(300)
      await expect
        .poll(async () => (await open(server, path)).messages.at(-1))
        .toMatchObject({ role: "agent", state: "done" })
      const { messages } = await open(server, path)
      expect(
        messages.filter(({ parts }) => parts.some((part) => part.type === "attachment" && part.hash === hash)),
      ).toHaveLength(2)
      expectProblem(
        await ask(server, "POST", `${path}/messages`, { body: sending(hash) }),
        expected("attachment.unknown", "/payload/nodes/0"),
      )
    })
  })

  test("the SDK uploads bytes and blobs, and reads them again", async () => {
    const parlor = new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token: server.token })
    const bytes = await parlor.attachments.add(new Uint8Array(png), { name: "a.png", mediaType: "image/png" })
    const blob = await parlor.attachments.add(new Blob([new Uint8Array(png)], { type: "image/png" }))
    expect(blob).toEqual(bytes)
    const back = await parlor.attachments.read(bytes.hash)
    expect(back.type).toBe("image/png")
    expect(Buffer.from(await back.arrayBuffer()).equals(png)).toBe(true)
    const untyped = parlor.attachments.add(new Uint8Array(png))
    await expect(untyped).rejects.toMatchObject({ code: "attachment.media-type" })
  })

  test("more attachments than a message takes are refused", async () => {
    const hashes = []
    for (let n = 0; n <= limits.attachmentsPerMessage; n++)
      hashes.push((await attached(`note ${n}`, "text/plain")).hash)
    const nodes = hashes.map((hash) => ({ kind: "attachment", start: 0, end: 0, raw: "", hash }))
    const body = { type: "composer_input", payload: { source: "", nodes } }
    const pointer = `/payload/nodes/${limits.attachmentsPerMessage}`
    expectProblem(await ask(server, "POST", `${path}/messages`, { body }), expected("request.invalid", pointer))
  })
})
