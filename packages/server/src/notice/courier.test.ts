/** No packet leaves this machine: each test provides DNS lookup and dialing. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { afterEach, describe, expect, it } from "vitest"
import { newSecret } from "../hook/secret.ts"
import { type CourierParts, createCourier } from "./courier.ts"
import type { Dial, Resolve } from "./dial.ts"

const secret = newSecret()
const parcel = { secret, id: "msg_1", at: Date.now(), body: '{"type":"turn.finished"}' }

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

type Got = { readonly url: string | undefined; readonly headers: IncomingHttpHeaders; readonly body: string }

/** A local server; returns its port and the requests it received. */
async function listen(answer: (status: (code: number, headers?: Record<string, string>) => void) => void) {
  const got: Got[] = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text) => {
      body += text
    })
    request.on("end", () => {
      got.push({ url: request.url, headers: request.headers, body })
      answer((code, headers = {}) => response.writeHead(code, headers).end("an answer nobody reads"))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { got, port: (server.address() as AddressInfo).port }
}

/** Records what would be dialed, and connects to nothing. */
function recording(names: Readonly<Record<string, readonly string[]>> = {}, parts: CourierParts = {}) {
  const dialled: string[] = []
  const asked: string[] = []
  const dial: Dial = async ({ address, port, secureFor }) => {
    dialled.push(`${address} ${port} ${secureFor ?? "plain"}`)
    throw Object.assign(new Error("not connected"), { code: "ENOTCONN" })
  }
  const resolve: Resolve = async (host) => {
    asked.push(host)
    return names[host] ?? []
  }
  return { dialled, asked, courier: createCourier({ resolve, dial, ...parts }) }
}

describe("outgoing webhooks", () => {
  it("are signed so that the published library accepts them, and contain only what is needed", async () => {
    const { got, port } = await listen((status) => status(204))
    const courier = createCourier({ allowed: [`127.0.0.1:${port}`] })
    expect(await courier.take({ ...parcel, url: `http://127.0.0.1:${port}/n?a=1` })).toEqual({ ok: true })
    const [{ headers, body, url }] = got as [Got]
    expect(url).toBe("/n?a=1")
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({ type: "turn.finished" })
    expect(headers.host).toBe(`127.0.0.1:${port}`)
    expect(Object.keys(headers).sort()).toEqual(
      ["connection", "content-length", "content-type", "host", "user-agent"].concat([
        "webhook-id",
        "webhook-signature",
        "webhook-timestamp",
      ]),
    )
  })

  it.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://0/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
    "http://168.63.129.16/",
    "http://10.0.0.1:8080/",
    "http://192.168.1.1/",
    "http://172.20.0.1/",
    "http://224.0.0.1/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://intranet/",
    "http://metadata.google.internal/",
    "http://printer.local/",
    "http://①②⑦.0.0.1/",
    "http://127。0。0。1/",
    "https://user:pass@example.com/",
    "http://example.com#@127.0.0.1/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "//example.com/",
    "not a url",
    "",
  ])("[SEC-7] nothing goes to %s", async (url) => {
    const { courier, dialled, asked } = recording({ localhost: ["127.0.0.1"] })
    expect(courier.defect(url)).toBeTypeOf("string")
    expect(await courier.take({ ...parcel, url })).toMatchObject({ ok: false, never: true, code: "notice.url" })
    expect([dialled, asked]).toEqual([[], []])
  })

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["a private network", ["10.1.2.3"]],
    ["link-local", ["169.254.1.1"]],
    ["metadata", ["169.254.169.254"]],
    ["metadata over IPv6", ["fd00:ec2::254"]],
    ["carrier-grade NAT", ["100.64.1.1"]],
    ["mapped", ["::ffff:10.0.0.1"]],
    ["NAT64", ["64:ff9b::a00:1"]],
    ["6to4", ["2002:a00:1::1"]],
    ["a public and a private address", ["93.184.216.34", "192.168.0.1"]],
    ["a private and a public address", ["::1", "93.184.216.34"]],
  ])("[SEC-7] a name that resolves to %s is refused", async (_what, addresses) => {
    const { courier, dialled } = recording({ "example.com": addresses })
    expect(courier.defect("https://example.com/")).toBeUndefined()
    const delivery = await courier.take({ ...parcel, url: "https://example.com/" })
    expect(delivery).toMatchObject({ ok: false, never: true, code: "notice.url" })
    expect(dialled).toEqual([])
  })

  it("[SEC-7] the checked address is dialed: a name that resolves differently the second time is looked up once", async () => {
    let times = 0
    const rebinding: Resolve = async () => (++times === 1 ? ["93.184.216.34"] : ["127.0.0.1"])
    const { courier, dialled } = recording({}, { resolve: rebinding })
    const delivery = await courier.take({ ...parcel, url: "https://rebind.example.com:8443/x" })
    expect(delivery).toMatchObject({
      ok: false,
      never: false,
      code: "notice.unreachable",
      detail: expect.stringContaining("ENOTCONN"),
    })
    expect(times).toBe(1)
    expect(dialled).toEqual(["93.184.216.34 8443 rebind.example.com"])
  })

  it("[SEC-7] of many addresses a few are tried, and all are checked", async () => {
    const addresses = ["93.184.216.34", "2606:2800::1", "93.184.216.35", "93.184.216.36"]
    const { courier, dialled } = recording({ "example.com": addresses })
    await courier.take({ ...parcel, url: "http://example.com/" })
    expect(dialled).toEqual(addresses.slice(0, 3).map((address) => `${address} 80 plain`))
  })

  it("[SEC-7] a redirect is not followed, wherever it leads", async () => {
    const inner = await listen((status) => status(200))
    const outer = await listen((status) => status(302, { location: `http://127.0.0.1:${inner.port}/secret` }))
    const courier = createCourier({ allowed: [`127.0.0.1:${outer.port}`, `127.0.0.1:${inner.port}`] })
    const delivery = await courier.take({ ...parcel, url: `http://127.0.0.1:${outer.port}/` })
    expect(delivery).toMatchObject({
      ok: false,
      never: false,
      detail: "The server responded 302. Redirects are not followed.",
    })
    expect(inner.got).toEqual([])
  })

  it("[SEC-7] the operator can allow hosts; others stay blocked", async () => {
    const { courier, dialled } = recording(
      { "hooks.internal": ["10.0.0.9"], other: ["10.0.0.9"] },
      { allowed: ["hooks.internal:9000", "localhost"] },
    )
    expect(courier.defect("http://hooks.internal:9000/")).toBeUndefined()
    expect(courier.defect("http://hooks.internal:9001/")).toBeTypeOf("string")
    await courier.take({ ...parcel, url: "http://hooks.internal:9000/" })
    await courier.take({ ...parcel, url: "http://other:9000/" })
    expect(dialled).toEqual(["10.0.0.9 9000 plain"])
  })

  it.each([
    [200, { ok: true }],
    [404, { ok: false, never: false, detail: "The server responded 404." }],
    [410, { ok: false, never: true, code: "notice.gone" }],
    [500, { ok: false, never: false, detail: "The server responded 500." }],
  ])("an answer of %s is understood", async (code, wanted) => {
    const { port } = await listen((status) => status(code))
    const courier = createCourier({ allowed: ["127.0.0.1"] })
    expect(await courier.take({ ...parcel, url: `http://127.0.0.1:${port}/` })).toMatchObject(wanted)
  })

  it("a server that never responds, a name that is never found and a closed port end in time", async () => {
    const { port } = await listen(() => {})
    const limits = { allowed: ["127.0.0.1"], limitMs: 200 }
    const slow = await createCourier(limits).take({ ...parcel, url: `http://127.0.0.1:${port}/` })
    expect(slow).toMatchObject({ ok: false, never: false, detail: "No response within 0.2 s." })
    const lost = recording({}, { resolve: () => new Promise(() => {}), limitMs: 50 })
    expect(await lost.courier.take({ ...parcel, url: "https://example.com/" })).toMatchObject({
      ok: false,
      never: false,
    })
    const { got, port: gone } = await listen((status) => status(200))
    servers.pop()?.close()
    const nobody = await createCourier(limits).take({ ...parcel, url: `http://127.0.0.1:${gone}/` })
    expect(nobody).toMatchObject({ ok: false, never: false, detail: expect.stringContaining("ECONNREFUSED") })
    expect(got).toEqual([])
  })
})
