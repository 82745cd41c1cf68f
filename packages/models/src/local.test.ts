import http from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, test } from "vitest"
import { asking, chunk, eventStream, joined, ran } from "../test/requests.ts"
import { findLocalServers } from "./local.ts"
import { offersFor } from "./offers.ts"
import { resolveModel } from "./providers.ts"

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

type Asked = { readonly path: string; readonly headers: http.IncomingHttpHeaders }

async function serving(handle: http.RequestListener, port = 0) {
  const asked: Asked[] = []
  const server = http.createServer((request, response) => {
    asked.push({ path: request.url ?? "", headers: request.headers })
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port: taken } = server.address() as AddressInfo
  return { asked, port: taken, url: `http://127.0.0.1:${taken}/v1` }
}

const ollama: http.RequestListener = (request, response) => {
  if (request.url === "/v1/models") {
    response.writeHead(200, { "content-type": "application/json" })
    response.end(
      JSON.stringify({ object: "list", data: [{ id: "qwen3:8b", object: "model" }, { id: 7 }, { id: "a\u0000" }] }),
    )
  } else {
    eventStream(response)
    response.end(`${chunk({ content: "From here." })}${chunk({}, "stop")}data: [DONE]\n\n`)
  }
}

describe("model servers on this machine", () => {
  test("[MOD-13] are found, offered as local/<id> and used, without a key", async () => {
    const server = await serving(ollama)
    const env = { PARLOR_LOCAL_MODELS: server.url, OPENAI_API_KEY: "sk-secret-0123456789" }
    const local = findLocalServers(env)
    const offers = offersFor(["local/*"], env, { local })
    expect(await local.searched).toEqual([{ name: server.url, url: server.url, models: ["qwen3:8b"] }])
    expect(offers()).toMatchObject([{ name: "local/qwen3:8b" }])
    const model = await resolveModel("local/qwen3:8b", env, { local })
    const { events, error } = await ran(model, asking("hello"))
    expect(error).toBeUndefined()
    expect(joined(events)[0]).toEqual({ type: "text", text: "From here." })
    expect(server.asked.map(({ path }) => path)).toEqual(["/v1/models", "/v1/chat/completions"])
    expect(JSON.stringify(server.asked)).not.toContain("secret")
  })

  test("[MOD-13] one that starts later is found when its model is first used", async () => {
    const first = await serving(ollama)
    for (const close of closing.splice(0)) close()
    const local = findLocalServers({ PARLOR_LOCAL_MODELS: first.url })
    expect(await local.searched).toEqual([])
    const model = await resolveModel("local/qwen3:8b", {}, { local })
    expect((await ran(model, asking("hello"))).error).toMatchObject({
      transient: false,
      message: expect.stringContaining("Start Ollama"),
    })
    await serving(ollama, first.port)
    expect((await ran(model, asking("hello"))).error).toBeUndefined()
  })

  test("[MOD-13] a silent server, an error and something else are passed over within 300 ms", async () => {
    const places = await Promise.all([
      serving(() => undefined),
      serving((_, response) => response.writeHead(404).end()),
      serving((_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()),
      serving((_, response) => response.end("<html>")),
      serving((_, response) => response.end(JSON.stringify({ data: "x".repeat(300_000) }))),
    ])
    const before = performance.now()
    const local = findLocalServers({ PARLOR_LOCAL_MODELS: places.map(({ url }) => url).join(",") })
    expect(await local.searched).toEqual([])
    expect(performance.now() - before).toBeLessThan(2_000)
    expect(places.map(({ asked }) => asked.length)).toEqual([1, 1, 1, 1, 1])
  })

  test("[MOD-13] nothing is asked when it is turned off, and only this machine can be asked", async () => {
    expect(await findLocalServers({ PARLOR_LOCAL_MODELS: "off" }).searched).toEqual([])
    for (const url of [
      "http://10.0.0.7:11434/v1",
      "https://127.0.0.1/v1",
      "http://127.0.0.1.example.com/v1",
      "nonsense",
    ])
      expect(() => findLocalServers({ PARLOR_LOCAL_MODELS: url })).toThrow("is not an http address of this machine")
  })
})
