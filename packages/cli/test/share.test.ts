/** Sharing on the command line, and reading a link with the SDK. */
import { readFileSync } from "node:fs"
import { Parlor } from "@parlor/client"
import { parseShareLink } from "@parlor/protocol"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startParlor, type TestParlor } from "./parlor.ts"

let parlor: TestParlor
beforeAll(async () => {
  parlor = await startParlor()
  await parlor.run(["send", "hello there"])
})
afterAll(() => parlor.close())

function linkOf(url: string) {
  const link = parseShareLink(new URL(url).hash)
  if (link === undefined) throw new Error(`not a link: ${url}`)
  const reader = new Parlor({ baseUrl: parlor.env.PARLOR_URL ?? "", token: link.secret })
  return { ...link, shared: reader.shares.open(link.id) }
}

test("[SHR-10] a link is created, printed once, listed, works and is revoked", async () => {
  const { code, out, err } = await parlor.run(["share", "create", "--expires", "7d"])
  expect(code).toBe(0)
  expect(err).toContain("Anybody with this link can read it.")
  const { id, secret, shared } = linkOf(out.trim())
  expect(JSON.stringify((await shared.open()).messages)).toContain("hello there")
  const listed = await parlor.run(["share"])
  expect(listed.out).toContain(`${id}  host/main  link  snapshot  expires`)
  expect(listed.out).not.toContain(secret.slice(-30))
  expect((await parlor.run(["share", "revoke", id])).code).toBe(0)
  await expect(shared.open()).rejects.toMatchObject({ code: "share.revoked", status: 410 })
  expect((await parlor.run(["share"])).out).not.toContain(id)
  expect((await parlor.run(["share", "list", "--all", "--json"])).out).toContain(`"id":"${id}"`)
})

test("[SHR-10] mistakes are said in words", async () => {
  const expires = await parlor.run(["share", "create", "--expires", "soon"])
  expect(expires).toMatchObject({ code: 2, out: "" })
  expect(expires.err).toContain("--expires soon is not a time.")
  const nobody = await parlor.run(["share", "create", "--with", "nobody-here"])
  expect(nobody.err).toContain('There is nobody called "nobody-here" on this server.')
  expect((await parlor.run(["share", "revoke", "shr_none"])).code).toBe(5)
})

test("[SHR-5] the SDK follows a live link: rows, then changes, and an end when it is revoked", async () => {
  const made = JSON.parse((await parlor.run(["share", "create", "--live", "--json"])).out) as {
    id: string
    url: string
  }
  const { shared } = linkOf(made.url)
  const texts: string[] = []
  const reading = (async () => {
    for await (const { changes } of shared.rows())
      for (const change of changes) {
        if (change.type === "messages") texts.push(JSON.stringify(change.value.parts))
        if (change.type === "messages" && texts.join().includes("second hello") && change.value.role === "agent")
          void parlor.sdk.shares.revoke(made.id).catch(() => undefined)
      }
  })()
  while (!texts.join().includes("hello there")) await new Promise((resolve) => setTimeout(resolve, 5))
  await parlor.sdk.conversation("host").send("second hello")
  await expect(reading).rejects.toMatchObject({ code: "share.revoked" })
})

test("[SHR-11] a conversation is exported as Markdown and as HTML, whose raw HTML is text", async () => {
  await parlor.run(["send", "say <script>alert(1)</script> **bold**"])
  const md = await parlor.run(["export", "--format", "md"])
  expect(md.out).toMatch(/^# /)
  expect(md.out).toContain("## You")
  const file = `${parlor.folder}/talk.html`
  expect((await parlor.run(["export", "-f", "html", "-o", file])).code).toBe(0)
  const html = readFileSync(file, "utf8")
  expect(html).toContain("&lt;script&gt;")
  expect(html).not.toContain("<script")
  expect(html).toContain("<strong>bold</strong>")
  const wrong = await parlor.run(["export", "--format", "pdf"])
  expect(wrong).toMatchObject({ code: 2, out: "" })
  expect(wrong.err).toContain("Use jsonl, md or html.")
})
