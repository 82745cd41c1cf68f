/** Parlor behind the real nginx and the real Caddy, with the configurations that we ship. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { type IncomingMessage, request } from "node:http"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Parlor } from "@parlor/client"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { findProgram } from "../../scripts/programs.mjs"
import { root } from "../../scripts/setup.mjs"
import { type SteeredModel, startSteeredModel } from "../e2e/model.ts"
import { type ServerProcess, spawnServer, TOKEN } from "../faults/server-process.ts"

const HOST = "parlor.example.com"
/** The client's address. The proxy connects from 127.0.0.1, which is the trusted one. */
const CLIENT = "127.0.0.7"
const PATIENT = { timeout: 30_000 }
const ATTACHMENT_BYTES = 3 * 1024 * 1024

const folder = mkdtempSync(join(tmpdir(), "parlor-proxies-"))
let model: SteeredModel
let server: ServerProcess
let direct: string
beforeAll(async () => {
  model = await startSteeredModel()
  const env = { PARLOR_ALLOWED_HOSTS: HOST, PARLOR_TRUSTED_PROXIES: "127.0.0.1", PARLOR_LOG: "warn" }
  server = spawnServer({ dataFolder: join(folder, "data"), modelUrl: model.url, env })
  direct = await server.ready
}, 60_000)
afterAll(async () => {
  await server.stop()
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})

const open: IncomingMessage[] = []
let proxy: ChildProcess | undefined
afterEach(async () => {
  for (const response of open.splice(0)) response.destroy()
  const ended = proxy && new Promise((resolve) => proxy?.once("exit", resolve))
  // nginx ends its workers; Caddy would wait for streams.
  proxy?.kill(proxy.spawnfile.endsWith("nginx") ? "SIGTERM" : "SIGKILL")
  await ended
  proxy = undefined
})

describe.each(["nginx", "caddy"] as const)("[OPS-6] %s", (name) => {
  test("passes every event on at once, and retries the next server, with the client's address and no metrics", async (context) => {
    const program = findProgram(name)
    if ("missing" in program) return context.skip(program.missing)
    const [port, gone] = [await freePort(), await freePort()]
    const upstreams = [`127.0.0.1:${gone}`, new URL(direct).host]
    proxy = (name === "nginx" ? startNginx : startCaddy)(program.path, port, upstreams)
    let said = ""
    proxy.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString()
    })
    await expect.poll(() => statusOf(port, "/livez"), { ...PATIENT, message: said }).toBe(200)

    // One of the two servers refuses connections: no request fails.
    for (let number = 0; number < 10; number++) expect(await statusOf(port, "/readyz")).toBe(200)

    const branch = `/v1/conversations/host/${name}`
    const talk = new Parlor({ baseUrl: direct, token: TOKEN }).conversation("host", name)
    await talk.make()
    const stream = await ask(port, `${branch}/events?offset=-1&live=sse`)
    expect(stream.statusCode).toBe(200)
    let heard = ""
    stream.setEncoding("utf8").on("data", (text: string) => {
      heard += text
    })
    await talk.send("hello")
    const answer = await model.next()
    for (const word of ["alpha", "beta", "gamma"]) {
      // The model says nothing more until this word has arrived: a buffer would hold it back for good.
      answer.say(`${word} `)
      await expect.poll(() => heard, PATIENT).toContain(word)
    }
    answer.end()

    const bytes = Buffer.alloc(ATTACHMENT_BYTES, "x")
    const headers = { "content-type": "text/plain" }
    expect((await ask(port, "/v1/attachments?name=big.txt", { method: "POST", headers, body: bytes })).statusCode).toBe(
      201,
    )

    expect(await statusOf(port, "/metrics")).toBe(404)
    expect((await fetch(`${direct}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200)

    const wrong = { authorization: "Bearer parlor_this-key-does-not-exist-0000000000", "x-forwarded-for": "9.9.9.9" }
    const before = server.output().length
    await expect
      .poll(async () => {
        expect((await ask(port, "/v1/agents", { headers: wrong })).statusCode).toBe(401)
        return server.output().slice(before)
      }, PATIENT)
      .toContain(`"address":"${CLIENT}"`)
    expect(server.output().slice(before)).not.toContain("9.9.9.9")
  }, 90_000)
})

function startNginx(path: string, port: number, upstreams: readonly string[]): ChildProcess {
  const home = join(folder, "nginx")
  mkdirSync(home)
  const shipped = readFileSync(join(root, "deploy", "nginx", "parlor.conf"), "utf8")
  const server = "server 127.0.0.1:4141 max_fails=1 fail_timeout=2s;"
  expect(shipped).toContain(server)
  const site = shipped
    .replace(server, upstreams.map((address) => server.replace("127.0.0.1:4141", address)).join("\n"))
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_.*\n/gm, "")
  writeFileSync(join(home, "site.conf"), site)
  const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${home}/${kind};`)
  writeFileSync(
    join(home, "nginx.conf"),
    `${process.getuid?.() === 0 ? "user root;" : ""}
     daemon off; worker_processes 1; pid ${home}/pid; error_log stderr warn;
     events { worker_connections 256; }
     http { access_log off; ${temp.join(" ")} include ${home}/site.conf; }`,
  )
  return spawn(path, ["-p", home, "-c", join(home, "nginx.conf")], { stdio: ["ignore", "ignore", "pipe"] })
}

function startCaddy(path: string, port: number, upstreams: readonly string[]): ChildProcess {
  const home = join(folder, "caddy")
  mkdirSync(home)
  // Other runs on this machine may have an admin endpoint.
  const shipped = readFileSync(join(root, "deploy", "caddy", "Caddyfile"), "utf8")
  writeFileSync(join(home, "Caddyfile"), `{\n\tadmin off\n}\n${shipped}`)
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    ...{ PARLOR_DOMAIN: `http://${HOST}:${port}`, PARLOR_UPSTREAMS: upstreams.join(" ") },
  }
  return spawn(path, ["run", "--config", join(home, "Caddyfile"), "--adapter", "caddyfile"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  })
}

type Asking = { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: Buffer }

/** A request through the proxy, from the client's address and for the public name. */
function ask(
  port: number,
  path: string,
  { method = "GET", headers = {}, body }: Asking = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = { authorization: `Bearer ${TOKEN}`, host: HOST, ...headers }
    const asked = request(
      { host: "127.0.0.1", port, path, method, headers: sent, localAddress: CLIENT },
      (response) => {
        open.push(response)
        resolve(response)
      },
    )
    asked.on("error", reject)
    asked.end(body)
  })
}

async function statusOf(port: number, path: string): Promise<number | undefined> {
  try {
    const response = await ask(port, path)
    response.resume()
    return response.statusCode
  } catch {
    return undefined
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
