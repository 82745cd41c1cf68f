import type { ModelFault } from "@parlor/core"
import { afterEach, describe, expect, test } from "vitest"
import { asking, chunk, eventStream, type RawServer, ran, rawServer } from "../../test/requests.ts"
import { chatCompletionsModel } from "./model.ts"

let server: RawServer
afterEach(() => server.close())

async function serving(answer: Parameters<typeof rawServer>[0]) {
  server = await rawServer(answer)
  return chatCompletionsModel({ name: "lean", baseUrl: `${server.url}?version=1`, model: "m", window: 1_000 })
}

const done = `${chunk({ content: "ok" }, "stop")}data: [DONE]\n\n`

describe("the lean adapter", () => {
  test("[TRN-15] connections are kept and used again", async () => {
    const sockets = new Set<unknown>()
    const model = await serving((response) => {
      sockets.add(response.socket)
      eventStream(response).end(done)
    })
    for (let i = 0; i < 3; i++) {
      expect((await ran(model, asking("x"))).error).toBeUndefined()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(sockets.size).toBe(1)
  })

  test("[TRN-10] a kept connection that the server has closed meanwhile costs no fault", async () => {
    let answers = 0
    const model = await serving((response) => {
      if (++answers === 2) response.socket?.resetAndDestroy()
      else eventStream(response).end(done)
    })
    await ran(model, asking("x"))
    await new Promise((resolve) => setImmediate(resolve))
    expect((await ran(model, asking("x"))).error).toBeUndefined()
    expect(answers).toBe(3)
  })

  test("[TRN-16] the answer is over at [DONE], even if the server keeps the connection open", async () => {
    const model = await serving((response) => {
      eventStream(response).write(done)
    })
    const { events, error } = await ran(model, asking("x"))
    expect(error).toBeUndefined()
    expect(events.at(-1)).toMatchObject({ type: "finish" })
  })

  test.each([
    ["a JSON error under 200", "application/json", '{"error":{"message":"no","code":"invalid_api_key"}}', false],
    ["broken JSON under 200", "application/json", "{malformed", true],
    ["an answer that does not stream", "application/json", '{"choices":[]}', false],
    ["a page", "text/html", "<h1>Login</h1>", true],
  ])("[TRN-10] %s is a fault", async (_, type, body, transient) => {
    const model = await serving((response) => {
      response.writeHead(200, { "content-type": type }).end(body)
    })
    const { error } = await ran(model, asking("x"))
    expect(error).toMatchObject({ name: "ModelFault", transient })
  })

  test("[TRN-10] an endless error page is not read to its end", async () => {
    const model = await serving(async (response) => {
      response.writeHead(502, { "content-type": "text/html" })
      while (!response.destroyed) {
        response.write("x".repeat(64 * 1024))
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    const { error } = await ran(model, asking("x"))
    expect((error as ModelFault).message).toBe("The model provider answered 502.")
  })
})
