/** The files of a workspace over HTTP, on a real disk. */
import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { finish } from "@parlor/core/testing"
import { limits, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { hostilePaths } from "../support/hostile-paths.ts"
import { type Ask, ask, digest, expected, expectProblem, jsonOf, read } from "./client.ts"
import { converse, open, pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const encoded = (path: string) => path.split("/").map(encodeURIComponent).join("/")

describe.each(STORES)("files on %s", (kind) => {
  let server: TestServer
  const place = pathOf("host", "files")
  const at = (path: string) => `${place}/files/${encoded(path)}`
  const put = (path: string, body: string | Buffer, headers: Ask["headers"] = {}) =>
    ask(server, "PUT", at(path), { body, headers: { "content-type": "text/plain", ...headers } })
  const list = async (query = "") =>
    (await read(server, routes.listFiles.answer.schema, "GET", `${place}/files${query}`)).files

  beforeAll(async () => {
    server = await startTestServer({ kind, agent: { workspace: true } })
    await ask(server, "PUT", place)
  })
  afterAll(() => server.close())

  test("[WSP-4] go in and come out as the bytes they are, with their hash", async () => {
    const bytes = Buffer.from([0, 1, 2, 255])
    const answer = await put("deep/er/data.bin", bytes)
    expect(jsonOf(answer)).toEqual({
      file: {
        path: "deep/er/data.bin",
        hash: digest(bytes),
        bytes: 4,
        by: "person",
        turn: null,
        at: expect.any(Number),
      },
    })
    const back = await ask(server, "GET", at("deep/er/data.bin"))
    expect(back.headers).toMatchObject({
      "content-type": "application/octet-stream",
      etag: `"${digest(bytes)}"`,
      "content-disposition": "attachment; filename*=UTF-8''data.bin",
      "x-content-type-options": "nosniff",
    })
    expect(back.headers["content-length"]).toBe("4")
    await put("größe & 50% [1].html", "<script>alert(1)</script>")
    const page = await ask(server, "GET", at("größe & 50% [1].html"))
    expect(page).toMatchObject({ status: 200, text: "<script>alert(1)</script>" })
    expect(page.headers["content-type"]).toBe("text/plain; charset=utf-8")
    expect(page.headers["content-security-policy"]).toContain("sandbox")
    expect((await list()).map(({ path }) => path)).toEqual(["deep/er/data.bin", "größe & 50% [1].html"])
    expect((await ask(server, "DELETE", at("größe & 50% [1].html"))).status).toBe(204)
    expectProblem(await ask(server, "GET", at("größe & 50% [1].html")), expected("file.unknown"))
    expectProblem(await ask(server, "DELETE", at("größe & 50% [1].html")), expected("file.unknown"))
    expect((await open(server, place)).files).toEqual({ count: 1, latest: "deep/er/data.bin" })
  })

  test("[WSP-4] are not overwritten when someone else changed them meanwhile", async () => {
    await put("a.txt", "one")
    const seen = { "if-match": `"${digest("one")}"` }
    expect((await put("a.txt", "two", seen)).status).toBe(200)
    expectProblem(await put("a.txt", "three", seen), expected("file.changed"))
    expectProblem(await ask(server, "DELETE", at("a.txt"), { headers: seen }), expected("file.changed"))
    expectProblem(await put("a.txt", "x", { "if-none-match": "*" }), expected("file.exists"))
    expect((await put("new.txt", "x", { "if-none-match": "*" })).status).toBe(200)
    expect((await put("new.txt", "y", { "if-match": "*" })).status).toBe(200)
    expectProblem(await put("none.txt", "y", { "if-match": "*" }), expected("file.changed"))
    for (const headers of [{ "if-match": "abc" }, { "if-match": '"a", "b"' }, { "if-none-match": '"a"' }])
      expectProblem(await put("a.txt", "x", headers), { status: 422, code: "request.invalid" })
    expect((await ask(server, "GET", at("a.txt"))).text).toBe("two")
  })

  test("[WSP-4] can be read as they were when a message was sent, and show what a turn changed", async () => {
    await put("story.md", "Once\n")
    server.script([
      {
        type: "tool",
        call: "c1",
        name: "edit_file",
        input: JSON.stringify({ path: "story.md", edits: [{ old: "Once", new: "Twice" }] }),
      },
      finish("tools"),
    ])
    const { message, turn } = (await converse(server, place, "Go on")) as { message: string; turn: string }
    expect((await ask(server, "GET", at("story.md"))).text).toBe("Twice\n")
    expect((await ask(server, "GET", `${at("story.md")}?at=${message}`)).text).toBe("Once\n")
    expect((await list(`?at=${message}`)).find(({ path }) => path === "story.md")).toEqual({
      path: "story.md",
      bytes: 5,
      hash: digest("Once\n"),
    })
    const { changes } = await read(server, routes.listChanges.answer.schema, "GET", `${place}/changes?turn=${turn}`)
    expect(changes).toMatchObject([{ path: "story.md", by: "agent:host", turn, diff: "@@ -1 +1 @@\n-Once\n+Twice" }])
    expectProblem(await ask(server, "GET", `${place}/changes?turn=trn_none`), expected("turn.unknown"))
    expectProblem(await ask(server, "GET", `${place}/files?at=msg_none`), expected("message.unknown"))
    expectProblem(await ask(server, "GET", `${place}/changes?cursor=x`), expected("cursor.invalid"))
  })

  test("[WSP-4] each has its own history, and every state in it can be read", async () => {
    for (const text of ["one", "two", "three"]) {
      await put("history.txt", text)
      await put("beside.txt", `beside ${text}`)
    }
    await ask(server, "DELETE", at("history.txt"))
    const page = (query: string) => read(server, routes.listChanges.answer.schema, "GET", `${place}/changes?${query}`)
    const { changes, cursor } = await page("path=history.txt")
    expect([changes.map(({ path }) => path), cursor]).toEqual([Array(4).fill("history.txt"), null])
    const [last, third, , first] = changes
    const at0 = (query: string) => ask(server, "GET", `${at("history.txt")}?${query}`)
    expect((await at0(`before=${last?.id}`)).text).toBe("three")
    expect((await at0(`after=${third?.id}`)).text).toBe("three")
    expect((await at0(`before=${third?.id}`)).text).toBe("two")
    expectProblem(await at0(`after=${last?.id}`), expected("file.unknown"))
    expectProblem(await at0(`before=${first?.id}`), expected("file.unknown"))
    const firstPage = await page("path=history.txt&limit=3")
    const secondPage = await page(`path=history.txt&limit=3&cursor=${firstPage.cursor}`)
    expect([...firstPage.changes, ...secondPage.changes]).toEqual(changes)
    expect(secondPage.cursor).toBeNull()
    expect((await page("path=none.txt")).changes).toEqual([])
    expectProblem(await at0("before=chg_none"), expected("change.unknown"))
    expectProblem(await ask(server, "GET", `${at("beside.txt")}?after=${third?.id}`), expected("change.unknown"))
    expectProblem(await at0(`before=${last?.id}&after=${last?.id}`), { status: 422, code: "request.invalid" })
  })

  test("[WSP-6] are refused when they are too large, by that name", async () => {
    expect((await put("large.bin", Buffer.alloc(limits.fileBytes))).status).toBe(200)
    expectProblem(await put("larger.bin", Buffer.alloc(limits.fileBytes + 1)), expected("file.too-large"))
    expect((await list()).map(({ path }) => path)).not.toContain("larger.bin")
    await ask(server, "DELETE", at("large.bin"))
  })

  test("[SEC-11] go with their conversation: rows, contents and disk", async () => {
    const gone = pathOf("host", "gone")
    await ask(server, "PUT", gone)
    await ask(server, "PUT", `${gone}/files/canary.txt`, { body: "canary-that-must-not-stay" })
    expect(contents(join(server.folder, "files"))).toContain("canary-that-must-not-stay")
    expect((await ask(server, "DELETE", gone)).status).toBe(204)
    expect(contents(join(server.folder, "files"))).not.toContain("canary-that-must-not-stay")
    expect(await server.store.blobs.get(digest("canary-that-must-not-stay"))).toBeUndefined()
  })
})

describe("ways out of a workspace", () => {
  let server: TestServer
  let home: string
  const place = pathOf("host", "main")
  const secret = "what lies outside"

  beforeAll(async () => {
    server = await startTestServer({ agent: { workspace: true } })
    await ask(server, "PUT", `${place}/files/inside.txt`, { body: "inside" })
    const agent = join(server.folder, "files", "me", "host")
    home = join(agent, readdirSync(agent)[0] ?? "")
    mkdirSync(join(server.folder, "outside"))
    writeFileSync(join(server.folder, "outside", "secret.txt"), secret)
  })
  afterAll(() => server.close())

  /** Everything in the server's folder but its database: paths and contents. */
  const everything = () => contents(server.folder, (name) => !name.startsWith("parlor.db"))

  /** Every byte escaped; all but the slashes; and unescaped, if a URL can contain it. */
  const ways = (path: string): readonly string[] => {
    const escaped = [...path].map((char) => (char.isWellFormed() ? escapedBytes(char) : "%ed%a0%80")).join("")
    const plain = /^[!-~]*$/.test(path) && !/[?#%]/.test(path) ? [path] : []
    return [...new Set([escaped, escaped.replaceAll("%2f", "/"), ...plain])]
  }
  const escapedBytes = (char: string) => Buffer.from(char).toString("hex").replace(/../g, "%$&")

  test.each(hostilePaths.map((path) => [JSON.stringify(path.slice(0, 30)), path]))(
    "[WSP-1] %s leads nowhere, however it is written",
    async (_shown, path) => {
      const before = everything()
      for (const way of ways(path))
        for (const method of ["GET", "PUT", "DELETE"]) {
          const answer = await ask(server, method, `${place}/files/${way}`, {
            body: method === "PUT" ? "out" : undefined,
          })
          expect(answer.status, `${method} ${way} ${answer.text}`).toBeGreaterThanOrEqual(400)
          expect(answer.status, `${method} ${way} ${answer.text}`).toBeLessThan(500)
          const { code, detail } = jsonOf(answer) as { code: string; detail: string }
          // Invalid URLs are refused before the path is checked.
          expect([
            "file.path",
            "request.invalid",
            "route.unknown",
            "method.not-allowed",
            "request.http",
            "text.malformed",
          ]).toContain(code)
          expect(detail).not.toBe("")
          expect(answer.text).not.toContain(server.folder)
        }
      expect(everything()).toEqual(before)
    },
  )

  test("[WSP-1] nor do they for an agent", async () => {
    const before = everything()
    const paths = hostilePaths.filter((path) => path !== "" && path.isWellFormed() && !path.includes("\u0000"))
    for (const name of ["write_file", "read_file", "delete_file"]) {
      server.script([
        ...paths.map((path, index) => {
          const input = JSON.stringify({ path, ...(name === "write_file" ? { content: "out" } : {}) })
          return { type: "tool", call: `${name}_${index}`, name, input } as const
        }),
        finish("tools"),
      ])
      await converse(server, place, name)
    }
    const { messages } = await open(server, place)
    const tools = messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))
    expect(tools).toHaveLength(3 * paths.length)
    for (const part of tools) {
      expect(part.state, JSON.stringify(part.input)).toBe("failed")
      expect(part.error?.detail).toMatch(/cannot be the path of a file|path: /)
    }
    expect(everything()).toEqual(before)
  })

  const links: readonly (readonly [string, string, () => void])[] = [
    [
      "a link to a file",
      "link.txt",
      () => symlinkSync(join(server.folder, "outside", "secret.txt"), join(home, "link.txt")),
    ],
    ["a link to a folder", "way/secret.txt", () => symlinkSync(join(server.folder, "outside"), join(home, "way"))],
    ["a new file behind a link", "way/new.txt", () => {}],
    [
      "a link to nothing",
      "later.txt",
      () => symlinkSync(join(server.folder, "outside", "new"), join(home, "later.txt")),
    ],
    ["a hard link", "hard.txt", () => linkSync(join(server.folder, "outside", "secret.txt"), join(home, "hard.txt"))],
  ]

  test.each(links)("[WSP-1] %s is not followed", async (_what, path, make) => {
    make()
    const read = await ask(server, "GET", `${place}/files/${path}`)
    expectProblem(read, expected("file.not-plain"))
    const isHard = path === "hard.txt"
    const write = await ask(server, "PUT", `${place}/files/${path}`, { body: "mine" })
    if (isHard) expect(write.status).toBe(200)
    else expectProblem(write, expected("file.not-plain"))
    expect(readdirSync(join(server.folder, "outside"))).toEqual(["secret.txt"])
    expect(readFileSync(join(server.folder, "outside", "secret.txt"), "utf8")).toBe(secret)
    expect((await ask(server, "GET", `${place}/files`)).text).not.toContain("secret")
    expect(
      Object.values(await server.dump())
        .flat()
        .join("\n"),
    ).not.toContain(secret)
  })
})

/** All files below a folder, by path and content. */
function contents(folder: string, isWanted: (name: string) => boolean = () => true): string {
  const found: string[] = []
  const walk = (path: string): void => {
    for (const name of readdirSync(path).sort()) {
      if (!isWanted(name)) continue
      const inner = join(path, name)
      if (statSync(inner).isDirectory()) walk(inner)
      else found.push(`${inner}: ${readFileSync(inner, "utf8")}`)
    }
  }
  walk(folder)
  return found.join("\n")
}
