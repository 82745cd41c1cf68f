import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib"
import { afterAll, expect, test } from "vitest"
import { openPage } from "./page.ts"

const folder = mkdtempSync(join(tmpdir(), "parlor-page-"))
mkdirSync(join(folder, "assets"))
for (const [name, content] of [
  ["index.html", "<html>"],
  ["assets/a.js", "plain"],
  ["assets/a.js.br", brotliCompressSync("plain")],
  ["assets/a.js.gz", gzipSync("plain")],
  ["assets/b.css", "css"],
  ["assets/c.svg", "<svg/>"],
] as const)
  writeFileSync(join(folder, name), content)
afterAll(() => rmSync(folder, { recursive: true }))

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, plain: (body: Uint8Array) => body }

/** The decoded text, its encoding and its type. */
async function read(path: string, accepts?: string): Promise<readonly (string | undefined)[]> {
  const answer = await openPage(folder)(path, accepts)
  if (!(answer?.body instanceof Uint8Array)) return []
  const { "content-encoding": encoding, "content-type": type } = answer.headers
  const decode = DECODERS[(encoding ?? "plain") as keyof typeof DECODERS]
  return [new TextDecoder().decode(decode(answer.body)), encoding, type]
}

async function headersOf(path: string, connects?: () => Promise<readonly string[]>) {
  const page = openPage(folder, connects)
  return (await page(path, "br"))?.headers
}

const script = "text/javascript; charset=utf-8"

test("a file is sent in the best encoding that the build made and the browser accepts", async () => {
  expect(await read("/assets/a.js", "gzip, deflate, br, zstd")).toEqual(["plain", "br", script])
  expect(await read("/assets/a.js", "gzip")).toEqual(["plain", "gzip", script])
  expect(await read("/assets/a.js", "br;q=0, gzip;q=0.5")).toEqual(["plain", "gzip", script])
  expect(await read("/assets/a.js", "br;q=0.0, identity")).toEqual(["plain", undefined, script])
  expect(await read("/assets/a.js")).toEqual(["plain", undefined, script])
  expect(await read("/assets/b.css", "br")).toEqual(["css", undefined, "text/css; charset=utf-8"])
})

test("caches keep the encodings apart, and check files without a hash in their name again", async () => {
  expect(await headersOf("/assets/a.js")).toMatchObject({ vary: "accept-encoding" })
  expect(await headersOf("/")).toMatchObject({ "cache-control": "no-cache" })
  expect(await headersOf("/assets/missing.js")).toBeUndefined()
})

test("files that can be opened by themselves have the page's policy; subresources do not repeat it", async () => {
  const policyOf = async (path: string) => (await headersOf(path))?.["content-security-policy"]
  for (const path of ["/", "/index.html", "/assets/c.svg"])
    expect(await policyOf(path), path).toContain("frame-ancestors 'none'")
  for (const path of ["/assets/a.js", "/assets/b.css"]) expect(await policyOf(path), path).toBeUndefined()
  expect(await headersOf("/assets/a.js")).toMatchObject({ "x-content-type-options": "nosniff" })
})

test("[SEC-39] the page connects to its own server and to what sign-in needs, and nowhere else", async () => {
  const policyWith = async (...connects: readonly string[]) =>
    (await headersOf("/", async () => connects))?.["content-security-policy"]?.split("; ")
  expect(await policyWith()).toContain("connect-src 'self'")
  expect(await policyWith("https://login.example.com/token")).toContain(
    "connect-src 'self' https://login.example.com/token",
  )
})

test("[SEC-13] files are served from memory: later changes of the folder have no effect", async () => {
  const copy = mkdtempSync(join(tmpdir(), "parlor-page-"))
  writeFileSync(join(copy, "index.html"), "<html>")
  const page = openPage(copy)
  rmSync(copy, { recursive: true })
  expect((await page("/"))?.body).toEqual(Buffer.from("<html>"))
})

test("[SEC-13] a compressed file is decompressed once, however many clients ask for it uncompressed", async () => {
  const page = openPage(folder)
  const answers = await Promise.all(Array.from({ length: 3 }, () => page("/assets/a.js")))
  const [first, ...others] = answers.map((answer) => answer?.body)
  expect(first).toEqual(Buffer.from("plain"))
  for (const other of others) expect(other).toBe(first)
})
