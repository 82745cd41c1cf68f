/** [SEC-13], [SEC-14] The connection limits, and what happens to connections with many parallel requests. */
import { connect, type Socket } from "node:net"
import { limits } from "@parlor/protocol"
import { afterEach, expect, test } from "vitest"
import { ask, expectProblem, type Following, follow } from "./client.ts"
import { eventually, pathOf } from "./conversations.ts"
import { startTestServer, type TestServer, type TestServerOptions } from "./server.ts"

const stream = `${pathOf("host", "main")}/events?offset=-1&live=sse`
let server: TestServer
const sockets: Socket[] = []
const streams: Following[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const following of streams.splice(0)) following.leave()
  await server.close()
})

async function start(edge: TestServerOptions["edge"]): Promise<void> {
  server = await startTestServer({ ...(edge === undefined ? {} : { edge }) })
}

type Raw = { readonly socket: Socket; readonly text: () => string; readonly isClosed: () => boolean }

async function connected(from?: string): Promise<Raw> {
  let text = ""
  let isClosed = false
  const socket = connect({
    port: server.port,
    host: "127.0.0.1",
    ...(from === undefined ? {} : { localAddress: from }),
  })
  sockets.push(socket)
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1")
  })
  socket.on("error", () => {})
  socket.once("close", () => {
    isClosed = true
  })
  await new Promise((resolve) => socket.once("connect", resolve))
  return { socket, text: () => text, isClosed: () => isClosed }
}

function request(path: string, token = server.token): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${token}\r\n\r\n`
}

async function followed(count: number, token = server.token): Promise<readonly number[]> {
  const opened = await Promise.all(Array.from({ length: count }, () => follow(server, stream, { token })))
  streams.push(...opened)
  return opened.map(({ status }) => status)
}

test("[SEC-13] idle connections make room for new ones, of the same address and in all", async () => {
  await start({ connections: 20, connectionsPerAddress: 10 })
  const idle: Raw[] = []
  for (let n = 0; n < 30; n++) idle.push(await connected())
  await eventually(() => idle.filter(({ isClosed }) => isClosed()).length).toBe(20)
  expect(idle.slice(0, 20).every(({ isClosed }) => isClosed())).toBe(true)
  const elsewhere: Raw[] = []
  for (let n = 0; n < 30; n++) elsewhere.push(await connected("127.0.0.2"))
  await eventually(() => elsewhere.filter(({ isClosed }) => !isClosed()).length).toBe(10)
  expect((await ask(server, "GET", "/v1/agents")).status).toBe(200)
})

test("[SEC-13] an address whose connections are all busy is refused more; others are not, and leaving makes room", async () => {
  await start({ connections: 30, connectionsPerAddress: 10 })
  expect(await followed(10)).toEqual(Array(10).fill(200))
  const refused = await connected()
  await eventually(refused.text).toMatch(/^HTTP\/1.1 503 .*server\.busy/s)
  await eventually(refused.isClosed).toBe(true)
  const elsewhere = await connected("127.0.0.2")
  elsewhere.socket.write(request("/v1/agents"))
  await eventually(elsewhere.text).toMatch(/^HTTP\/1.1 200/)
  streams.splice(0, 1)[0]?.leave()
  await eventually(async () => (await ask(server, "GET", "/v1/agents").catch(() => ({ status: 0 }))).status).toBe(200)
})

test("[SEC-13] behind a trusted proxy an address is bounded by its requests, and the proxy is not bounded", async () => {
  await start({ connections: 60, connectionsPerAddress: 5, trustedProxies: ["127.0.0.1"] })
  const from = (address: string) => ({ headers: { "x-forwarded-for": address } })
  for (const address of ["203.0.113.1", "203.0.113.2", "203.0.113.3"])
    for (let n = 0; n < 5; n++) {
      const following = await follow(server, stream, from(address))
      streams.push(following)
      expect(following.status).toBe(200)
    }
  expect((await follow(server, stream, from("203.0.113.1"))).status).toBe(503)
  const ok = await follow(server, stream, from("203.0.113.4"))
  streams.push(ok)
  expect(ok.status).toBe(200)
})

test("[SEC-13] requests on one connection are answered one after another, in order; too many waiting close it", async () => {
  await start(undefined)
  const few = await connected()
  few.socket.write(request("/v1/agents") + request("/openapi.json") + request("/v1/none") + request("/v1/agents"))
  await eventually(() => few.text().match(/HTTP\/1\.1 \d+/g)).toEqual([200, 200, 404, 200].map((n) => `HTTP/1.1 ${n}`))
  expect((await ask(server, "PUT", pathOf("host", "main"))).status).toBe(200)
  const waiting = await connected()
  waiting.socket.write(request(stream) + request("/v1/agents").repeat(limits.pipelinedRequests))
  await eventually(waiting.text).toContain("upToDate")
  expect(waiting.text().match(/HTTP\/1\.1 \d+/g)).toHaveLength(1)
  expect(waiting.isClosed()).toBe(false)
  waiting.socket.write(request("/v1/agents"))
  await eventually(waiting.isClosed).toBe(true)
})

test("[SEC-14] a stream that is reset before it was answered keeps no place", async () => {
  await start(undefined)
  const token = await server.addKey({ scopes: ["read"] })
  for (let round = 0; round < 6; round++) {
    const raws = await Promise.all(Array.from({ length: 25 }, () => connected()))
    for (const { socket } of raws) socket.write(request(stream, token), () => socket.resetAndDestroy())
    await eventually(() => raws.every(({ isClosed }) => isClosed())).toBe(true)
  }
  await eventually(async () => {
    const statuses = await followed(limits.streamsPerKey, token)
    for (const following of streams.splice(0)) following.leave()
    return statuses.every((status) => status === 200)
  }).toBe(true)
})

test("[SEC-14] keys take no place of the person's own, and one key not those of all", async () => {
  await start(undefined)
  const keys = await Promise.all([1, 2, 3, 4].map(() => server.addKey({ scopes: ["read"] })))
  for (const [n, token] of keys.entries()) {
    const statuses = await followed(limits.streamsPerKey + 1, token)
    const refused = statuses.filter((status) => status === 429).length
    expect(refused).toBe(n < 3 ? 1 : limits.streamsPerKey + 1)
  }
  expect(await followed(3)).toEqual([200, 200, 200])
})

test("[SEC-14] revoking a key frees its places at once", async () => {
  await start(undefined)
  const body = { name: "reader", scopes: ["read"], actFor: null, expiresAt: null }
  const made = JSON.parse((await ask(server, "POST", "/v1/keys", { body })).text) as { id: string; secret: string }
  await followed(limits.streamsPerKey, made.secret)
  expectProblem(await ask(server, "GET", stream, { token: made.secret }), { status: 429, code: "rate.exceeded" })
  expect((await ask(server, "DELETE", `/v1/keys/${made.id}`)).status).toBe(204)
  await Promise.all(streams.map(({ ended }) => ended))
  const others = await Promise.all([1, 2, 3].map(() => server.addKey({ scopes: ["read"] })))
  for (const token of others) expect(new Set(await followed(limits.streamsPerKey, token))).toEqual(new Set([200]))
})
