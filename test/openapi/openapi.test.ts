/** The OpenAPI document as other programs read it: linters, generators, and the clients they generate. */
import { spawn } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Route, type RouteName, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, jsonOf } from "../http/client.ts"
import { startTestServer, type TestServer } from "../http/server.ts"
import { defectsOf, type OpenApi } from "./defects.ts"
import { generate } from "./generate.ts"
import { CLIENTS, TSCONFIG } from "./generated-clients.ts"
import { lint } from "./lint.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = join(root, "node_modules", ".cache", "parlor", `openapi-${process.pid}`)
const TIMEOUT_MS = 120_000

let server: TestServer
let document: OpenApi
const all = Object.entries(routes) as [RouteName, Route][]

beforeAll(async () => {
  server = await startTestServer()
  document = jsonOf(await ask(server, "GET", "/openapi.json", { token: null })) as OpenApi
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

describe("[API-15] the document", () => {
  test("has no empty schema, no schema twice, and no reference to nothing", () => {
    expect(defectsOf(document)).toEqual([])
  })

  test("defects are found", () => {
    const twice = { type: "object", properties: { a: { type: "string" }, b: { type: "number" } } }
    const schemas = { One: twice, Two: { type: "array", items: twice }, Three: { $ref: "#/components/schemas/Four" } }
    const paths = { "/": { get: { summary: "" } } }
    const broken = { paths, components: { schemas: { ...schemas, Five: { anyOf: [{}] } } } }
    expect(defectsOf(broken as unknown as OpenApi).map((defect) => defect.split(":", 1)[0])).toEqual([
      "empty",
      "reference to nothing",
      "twice",
    ])
  })

  test("says of every operation its group, its right, its headers, its errors and, with a body, an example", () => {
    for (const [name, route] of all) {
      const operation = document.paths[route.path.replaceAll(/:(\w+)\*?/g, "{$1}")]?.[route.method.toLowerCase()]
      expect(operation?.operationId).toBe(name)
      expect(operation?.tags, name).toHaveLength(1)
      expect(document.tags.map((tag) => tag.name)).toContain(operation?.tags[0])
      expect(Object.keys(operation?.responses ?? {}), name).toEqual(expect.arrayContaining(["403", "default"]))
      const parameters = (operation?.parameters ?? []).map(({ $ref = "" }) => $ref.split("/").at(-1))
      const isCalled = route.needs !== "nothing" && route.needs !== "signature"
      expect(parameters.includes("Parlor-Person"), name).toBe(isCalled)
      if (isCalled) expect(operation?.description, name).toContain(`\`${route.needs}\``)
      const isCommand = isCalled && route.method !== "GET" && route.repeats !== "never"
      expect(parameters.includes("Idempotency-Key"), name).toBe(isCommand)
      if (route.body === undefined) continue
      const { usual } = operation?.requestBody?.content["application/json"]?.examples ?? {}
      expect(route.body.safeParse(usual?.value), name).toMatchObject({ success: true })
    }
    expect(headersOf("writeFile")).toEqual(expect.arrayContaining(["If-Match", "If-None-Match"]))
    expect(headersOf("followConversation")).toContain("Last-Event-ID")
    expect(headersOf("send")).toContain("Prefer")
    expect(document.servers).toEqual([{ url: "/", description: "This server" }])
    expect(Object.keys(document.components.securitySchemes ?? {})).toEqual(["bearer", "signature"])
  })

  function headersOf(name: RouteName): readonly (string | undefined)[] {
    const { path, method } = routes[name]
    const operation = document.paths[path.replaceAll(/:(\w+)\*?/g, "{$1}")]?.[method.toLowerCase()]
    return (operation?.parameters ?? []).map(({ $ref = "" }) => $ref.split("/").at(-1))
  }
})

describe("[API-16] other programs", () => {
  test("Redocly and Spectral report nothing", { timeout: TIMEOUT_MS }, async () => {
    expect(await lint(document)).toEqual([])
    const info = { title: "Broken", version: "1" }
    const broken = { openapi: "3.1.0", info, paths: { "/broken/{id}": { get: { responses: {} } } } }
    const found = await lint(broken as unknown as OpenApi)
    for (const linter of ["redocly", "spectral"]) expect(found.some((line) => line.startsWith(linter))).toBe(true)
  })

  test("clients of openapi-typescript, orval and hey-api compile, send and read", { timeout: TIMEOUT_MS }, async () => {
    mkdirSync(folder, { recursive: true })
    const baseUrl = `http://127.0.0.1:${server.port}`
    await generate(document, { folder, baseUrl })
    writeFileSync(join(folder, "clients.ts"), CLIENTS)
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG))
    const compiled = await run([join(root, "node_modules", "typescript", "bin", "tsc"), "-p", folder])
    expect(compiled).toEqual({ code: 0, said: "" })
    const used = await run(["--import", "tsx", join(folder, "clients.ts")], { BASE: baseUrl, TOKEN: server.token })
    expect(used.code, used.said).toBe(0)
    expect(JSON.parse(used.said)).toEqual({
      "openapi-typescript": expected("openapi-typescript"),
      orval: expected("orval"),
      "hey-api": expected("hey-api"),
    })
  })

  const expected = (name: string) => ({
    state: "done",
    text: "A small answer, said in a few words.",
    asked: `Hello from ${name}`,
    messages: 2,
    refused: "conversation.unknown",
  })
})

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return new Promise<{ code: number | null; said: string }>((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } })
    let said = ""
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (bytes: Buffer) => {
        said += bytes.toString()
      })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, said }))
  })
}
