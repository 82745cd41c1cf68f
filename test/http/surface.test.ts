/** The HTTP API as a whole: its description, methods, page, and shutdown. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { finish, gate } from "@parlor/core/testing"
import { type Route, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, expectProblem, follow, jsonOf } from "./client.ts"
import { converse, pathOf, send } from "./conversations.ts"
import { startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")
let server: TestServer
let pages: string

beforeAll(async () => {
  pages = mkdtempSync(join(tmpdir(), "parlor-page-"))
  mkdirSync(join(pages, "assets"))
  writeFileSync(join(pages, "index.html"), "<!doctype html><title>Parlor</title>")
  writeFileSync(join(pages, "assets", "page.js"), "export {}")
  server = await startTestServer({ pageFolder: pages })
  await converse(server, main, "Hello")
})

afterAll(async () => {
  await server.close()
  rmSync(pages, { recursive: true })
})

type Operation = { operationId: string; security: unknown[]; responses: Record<string, unknown> }

test("the OpenAPI document lists exactly the routes there are", async () => {
  const document = jsonOf(await ask(server, "GET", "/openapi.json", { token: null })) as {
    openapi: string
    paths: Record<string, Record<string, Operation>>
  }
  expect(document.openapi).toMatch(/^3\.1\./)
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  )
  const there = (Object.entries(routes) as [string, Route][]).map(
    ([name, { method, path }]) => `${name} ${method} ${path.replaceAll(/:(\w+)\*?/g, "{$1}")}`,
  )
  expect(listed.sort()).toEqual(there.sort())
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const operation = document.paths[route.path.replaceAll(/:(\w+)\*?/g, "{$1}")]?.[route.method.toLowerCase()]
    expect(operation?.security, name).toHaveLength(route.needs === "nothing" ? 0 : 1)
    expect(Object.keys(operation?.responses ?? {}), name).toContain(String(route.answer?.status ?? 200))
  }
})

describe("methods", () => {
  test.each(["POST", "PUT", "DELETE", "PATCH"])(
    "[LOG-7] %s on a stream is refused: changes go through commands",
    async (method) => {
      for (const path of [`${main}/events`, "/v1/feed"]) {
        const answer = await ask(server, method, path, { body: "[]" })
        expectProblem(answer, { status: 405, code: "method.not-allowed" }, path)
        expect(answer.headers.allow).toBe("GET, HEAD")
      }
    },
  )

  test("what is allowed is said", async () => {
    const answer = await ask(server, "POST", main, { body: {} })
    expect(answer.headers.allow?.split(", ").sort()).toEqual(["DELETE", "GET", "HEAD", "PATCH", "PUT"])
  })

  test("HEAD gives what GET gives, without the body", async () => {
    for (const path of ["/v1/agents", main, `${main}/messages`, "/v1/conversations", "/healthz", "/"]) {
      const [head, get] = [await ask(server, "HEAD", path), await ask(server, "GET", path)]
      expect([head.status, head.text], path).toEqual([get.status, ""])
      expect(head.headers["content-type"], path).toBe(get.headers["content-type"])
    }
    expect((await ask(server, "HEAD", "/v1/agents", { token: null })).status).toBe(401)
    expect((await ask(server, "HEAD", "/nowhere")).status).toBe(404)
  })

  test("[LOG-7] HEAD of a stream says where it ends", async () => {
    const [head, get] = [await ask(server, "HEAD", `${main}/events`), await ask(server, "GET", `${main}/events`)]
    expect(head.status).toBe(200)
    expect(head.headers["stream-next-offset"]).toBe(get.headers["stream-next-offset"])
    expect((await ask(server, "HEAD", `${main}/events?live=sse&offset=-1`)).status).toBe(200)
  })
})

test("it is up, says its version, and says so without a token", async () => {
  const answer = await ask(server, "GET", "/healthz", { token: null })
  expect(jsonOf(answer)).toEqual({ ok: true, version: "0.0.0-test" })
})

test("it says which server it is and what it can do, without a token", async () => {
  const answer = await ask(server, "GET", "/v1/version", { token: null })
  expect(jsonOf(answer)).toMatchObject({
    name: "parlor",
    version: "0.0.0-test",
    protocols: expect.arrayContaining(["durable-streams"]),
    features: expect.arrayContaining(["branches", "rollback"]),
  })
})

describe("the page", () => {
  test("is served as it lies there, with a strict policy", async () => {
    const page = await ask(server, "GET", "/", { token: null })
    expect(page.text).toContain("<title>Parlor</title>")
    expect(page.headers["content-security-policy"]).toContain("default-src 'self'")
    expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'")
    const script = await ask(server, "GET", "/assets/page.js", { token: null })
    expect(script.headers["cache-control"]).toContain("immutable")
    expect(script.headers["content-type"]).toContain("text/javascript")
    expect(script.headers["x-content-type-options"]).toBe("nosniff")
  })

  test.each([
    "/../package.json",
    "/%2e%2e/package.json",
    "/assets/../../x",
    "/assets/..%2f..%2fetc/passwd",
    "/assets",
    "/index.html%00",
    "/assets//page.js",
  ])("has nothing at %s", async (path) => {
    expectProblem(await ask(server, "GET", path, { token: null }), { status: 404, code: "route.unknown" })
  })
})

describe("stopping the server", () => {
  test("ends streams and long-polls, answers what is under way, and keeps what was accepted", async () => {
    const other = await startTestServer()
    const held = gate()
    other.script([{ type: "text", text: "begun" }, held, finish()])
    await send(other, main, "Hello")
    const following = await follow(other, `${main}/events?offset=-1&live=sse`)
    await following.until((text) => text.includes("begun"))
    const polling = follow(other, "/v1/feed?offset=now&live=long-poll").catch((error: unknown) => error)
    await ask(other, "GET", "/v1/agents")
    const before = Date.now()
    await other.close()
    expect(Date.now() - before).toBeLessThan(5_000)
    await following.ended
    await polling
    await expect(ask(other, "GET", "/healthz")).rejects.toThrow()
    held.open()
    expect(other.logged.filter((line) => /request failed|drive failed/.test(line))).toEqual([])
  })
})
