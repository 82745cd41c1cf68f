/** [SEC-5] Bodies that do not match their headers, and malformed HTTP. */
import { createConnection } from "node:net"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { limits } from "@parlor/protocol"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Answer, ask, expectProblem, raw } from "./client.ts"
import { headOf, pathOf } from "./conversations.ts"
import { startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")
let server: TestServer
let before: string

beforeAll(async () => {
  server = await startTestServer()
  await ask(server, "PUT", main)
})

beforeEach(async () => {
  before = await headOf(server, main)
})

afterEach(async () => {
  expect(await headOf(server, main)).toBe(before)
  expect((await ask(server, "GET", "/healthz")).status).toBe(200)
})

afterAll(async () => {
  expect(server.logged.filter((line) => line.includes("request failed"))).toEqual([])
  await server.close()
})

function head(...lines: readonly string[]): string {
  const fixed = [
    `POST ${main}/messages HTTP/1.1`,
    `Host: 127.0.0.1:${server.port}`,
    `Authorization: Bearer ${server.token}`,
    "Content-Type: application/json",
  ]
  return `${[...fixed, ...lines].join("\r\n")}\r\n\r\n`
}

describe("[SEC-5] too much", () => {
  test("of a declared length: refused before it is read", async () => {
    const declared = head(`Content-Length: ${limits.bodyBytes + 1}`)
    expectProblem(await raw(server, declared), { status: 413, code: "request.too-large" })
    const terabyte = head("Content-Length: 1099511627776")
    expectProblem(await raw(server, terabyte), { status: 413, code: "request.too-large" })
  })

  test("in chunks, of undeclared length: refused once it passes the limit, not at its end", async () => {
    const chunk = Buffer.alloc(64 * 1024, "x")
    const { answer, sent } = await pour(head("Transfer-Encoding: chunked"), chunk, 256 * 1024 * 1024)
    expectProblem(answer, { status: 413, code: "request.too-large" })
    expect(sent).toBeLessThan(128 * 1024 * 1024)
  })

  test("an import is bounded too", async () => {
    const declared = head(`Content-Length: ${limits.importBytes + 1}`)
      .replace(`${main}/messages`, "/v1/import?agent=host")
      .replace("application/json", "application/jsonl")
    expectProblem(await raw(server, declared), { status: 413, code: "request.too-large" })
  })
})

describe("[SEC-5] compressed", () => {
  const body = JSON.stringify({ text: "x".repeat(1_000_000) })
  test.each([
    ["gzip", gzipSync(body)],
    ["br", brotliCompressSync(body)],
    ["deflate", gzipSync(body)],
    ["gzip, gzip", gzipSync(gzipSync(body))],
    ["x-nothing", Buffer.from("{}")],
  ])("%s is not opened", async (encoding, bytes) => {
    const answer = await ask(server, "POST", `${main}/messages`, {
      headers: { "content-encoding": encoding },
      body: bytes,
    })
    expectProblem(answer, { status: 415, code: "request.encoding" })
  })
})

describe("[SEC-5] a length that is wrong", () => {
  const bad = (answer: Answer) => {
    expect(answer.status).toBe(400)
    expect(answer.headers["content-type"]).toBe("application/problem+json")
  }

  test("fewer bytes than declared, then nothing", async () => {
    bad(await raw(server, `${head("Content-Length: 50")}{"text":"hi"}`, { halfClose: true }))
  })

  test("more bytes than declared: the rest is not taken as a request", async () => {
    const answer = await raw(server, `${head("Content-Length: 2")}{}{"text":"smuggled"}`)
    expect([400, 422]).toContain(answer.status)
    expect(answer.text).not.toContain('"outcome"')
  })

  test.each([
    ["no number", ["Content-Length: many"]],
    ["below zero", ["Content-Length: -1"]],
    ["two lengths", ["Content-Length: 13", "Content-Length: 14"]],
    ["a length and chunks", ["Content-Length: 13", "Transfer-Encoding: chunked"]],
    ["an unknown encoding", ["Transfer-Encoding: identity2"]],
  ])("%s", async (_about, lines) => {
    bad(await raw(server, `${head(...lines)}{"text":"hi"}`))
  })

  test.each(["zz\r\nhello\r\n0\r\n\r\n", "5\r\nhelloworld\r\n", "-5\r\nhello\r\n", "ffffffffffffffffff\r\n"])(
    "broken chunks: %j",
    async (chunks) => {
      bad(await raw(server, head("Transfer-Encoding: chunked") + chunks))
    },
  )

  test("a reader that goes away in the middle leaves nothing behind", async () => {
    for (let n = 0; n < 20; n++) {
      const socket = createConnection(server.port, "127.0.0.1")
      await new Promise<void>((resolve) => socket.write(`${head("Content-Length: 50")}{"text":`, () => resolve()))
      socket.destroy()
    }
  })
})

describe("[SEC-5] hardly HTTP", () => {
  test("headers that are too long", async () => {
    const answer = await raw(server, head(`X-Long: ${"x".repeat(limits.headerBytes)}`))
    expectProblem(answer, { status: 431, code: "request.headers-too-large" })
    const many = Array.from({ length: 3_000 }, (_, n) => `X-${n}: 1`)
    expectProblem(await raw(server, head(...many)), { status: 431, code: "request.headers-too-large" })
  })

  test.each([
    "\r\n\r\n",
    "nonsense\r\n\r\n",
    "GET\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "GET / HTTP/1.1\nHost\n\n",
    "GET / HTTP/1.1\r\nHo st: x\r\n\r\n",
    "GET / HTTP/1.1\r\nX: a\u0000b\r\n\r\n",
    "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  ])("%j", async (bytes) => {
    const answer = await raw(server, bytes, { halfClose: true })
    if (answer.status === 0) return
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.headers["content-type"]).toBe("application/problem+json")
  })

  test.each(["/v1/agents\\x", "/\u00fc", "/v1/conversations/host/\u00fc", "*", "v1/agents", "http://", "/%", "/a b"])(
    "the address %j",
    async (target) => {
      const line = Buffer.from(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n\r\n`)
      const answer = await raw(server, line)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(answer.headers["content-type"]).toBe("application/problem+json")
    },
  )

  test.each(["TRACE", "OPTIONS", "LINK", "PURGE", "QUERY", "PROPFIND", "M-SEARCH"])("the method %s", async (method) => {
    const answer = await ask(server, method, "/v1/agents")
    expectProblem(answer, { status: 405, code: "method.not-allowed" })
    expect(answer.headers.allow).toBe("GET, HEAD")
  })

  test.each(["CONNECT 127.0.0.1:1", `CONNECT /v1/agents`, "BREW /v1/agents", "get /v1/agents"])("%s", async (start) => {
    const answer = await raw(server, `${start} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n\r\n`)
    expect(answer.status < 500).toBe(true)
    expect(answer.text).not.toContain("The agent host")
  })

  test("an upgrade to another protocol is not accepted", async () => {
    const lines = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 13"]
    const start = `GET ${main}/events HTTP/1.1\r\nHost: 127.0.0.1:${server.port}`
    expect((await raw(server, `${[start, ...lines].join("\r\n")}\r\n\r\n`)).status).not.toBe(101)
  })
})

/** Writes chunks until the server has responded or `most` bytes were sent. */
function pour(start: string, chunk: Buffer, most: number): Promise<{ answer: Answer; sent: number }> {
  return new Promise((resolve, reject) => {
    let sent = 0
    let received = ""
    const framed = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")])
    const socket = createConnection(server.port, "127.0.0.1", () => {
      socket.write(start)
      more()
    })
    const more = (): void => {
      if (received !== "" || socket.destroyed || sent >= most) return
      sent += framed.length
      socket.write(framed, () => setImmediate(more))
    }
    const done = () => {
      const [top = "", text = ""] = received.split("\r\n\r\n")
      const type = /^content-type: (.*)$/im.exec(top)?.[1]?.trim()
      const headers = type === undefined ? {} : { "content-type": type }
      resolve({ answer: { status: Number(top.split(" ")[1] ?? 0), headers, text }, sent })
    }
    socket.on("data", (data) => {
      received += data.toString()
    })
    socket.on("close", done)
    socket.on("error", (error) => (received === "" ? reject(error) : done()))
  })
}
