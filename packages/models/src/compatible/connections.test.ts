/** What becomes of connections to a model's server, seen from the server. */
import type { ServerResponse } from "node:http"
import type { Model } from "@parlor/core"
import { afterEach, describe, expect, test, vi } from "vitest"
import { asking, chunk, eventStream, type RawServer, ran, rawServer } from "../../test/requests.ts"
import { chatCompletionsModel } from "./model.ts"

let server: RawServer
afterEach(async () => {
  vi.useRealTimers()
  await server.close()
})

const done = `${chunk({ content: "ok" }, "stop")}data: [DONE]\n\n`
const answers = (response: ServerResponse): unknown => eventStream(response).end(done)
const resets = (response: ServerResponse): unknown => response.socket?.resetAndDestroy()
const closes = (response: ServerResponse): unknown => response.socket?.end()
const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A server that does one of these for each request, in order. The connection of each is noted. */
async function serving(script: readonly ((response: ServerResponse) => unknown)[], change = (url: string) => url) {
  const sockets: unknown[] = []
  server = await rawServer((response) => {
    const act = script[sockets.length]
    sockets.push(response.socket)
    act?.(response)
  })
  const baseUrl = change(server.url)
  return { model: chatCompletionsModel({ name: "lean", baseUrl, model: "m", window: 1_000 }), sockets }
}

/** One run that has to go well, and the moment its connection takes to be free again. */
async function fine(model: Model): Promise<void> {
  expect((await ran(model, asking("x"))).error).toBeUndefined()
  await immediate()
}

describe("connections of the lean adapter", () => {
  test("a hundred answers stream at once, each over a connection of its own, and all are kept", async () => {
    const waiting: ServerResponse[] = []
    const together = (response: ServerResponse): void => {
      eventStream(response).write(chunk({ content: "a" }))
      if (waiting.push(response) === 100) for (const one of waiting.splice(0)) one.end(done)
    }
    const { model, sockets } = await serving(Array(200).fill(together))
    const hundred = async () => {
      const all = await Promise.all(Array.from({ length: 100 }, () => ran(model, asking("x"))))
      expect(all.filter(({ error }) => error !== undefined)).toEqual([])
      await immediate()
    }
    await hundred()
    expect(new Set(sockets).size).toBe(100)
    await hundred()
    expect(sockets.length).toBe(200)
    expect(new Set(sockets).size).toBe(100)
  })

  test.each([
    ["resets", resets],
    ["closes", closes],
  ])(
    "[TRN-10] a request on a used connection that the server %s is sent once more, on a fresh one",
    async (_, drops) => {
      const { model, sockets } = await serving([answers, drops, answers, answers])
      await fine(model)
      await fine(model)
      await fine(model)
      expect(sockets.length).toBe(4)
      expect(sockets[1]).toBe(sockets[0])
      expect(sockets[2]).not.toBe(sockets[0])
      expect(sockets[3]).toBe(sockets[2])
    },
  )

  test.each([
    ["resets", resets],
    ["closes", closes],
  ])("[TRN-10] a first request on a connection that the server %s is a fault", async (_, drops) => {
    const { model, sockets } = await serving([drops, answers])
    const { error } = await ran(model, asking("x"))
    expect(error).toMatchObject({ name: "ModelFault", transient: true })
    expect((error as Error).message).toBe("The connection to the model provider failed (ECONNRESET).")
    expect(sockets.length).toBe(1)
  })

  test("[TRN-10] a request is not sent a third time", async () => {
    const { model, sockets } = await serving([answers, resets, resets, answers])
    await fine(model)
    expect((await ran(model, asking("x"))).error).toMatchObject({ name: "ModelFault", transient: true })
    expect(sockets.length).toBe(3)
  })

  test("[TRN-10] a request whose answer had begun is not sent again", async () => {
    const begins = (response: ServerResponse): void => {
      response.socket?.write("HTTP/1.1 200 OK\r\ncontent-ty", () => response.socket?.end())
    }
    const { model, sockets } = await serving([answers, begins, answers])
    await fine(model)
    expect((await ran(model, asking("x"))).error).toMatchObject({ name: "ModelFault", transient: true })
    expect(sockets.length).toBe(2)
  })

  test.each([
    ["closed", (socket: ServerResponse["socket"]) => socket?.end()],
    ["reset", (socket: ServerResponse["socket"]) => socket?.resetAndDestroy()],
  ])(
    "[TRN-10] an idle connection %s by the server in the moment of the next request costs no fault",
    async (_, drop) => {
      const { model, sockets } = await serving([answers, answers])
      await fine(model)
      drop(sockets[0] as ServerResponse["socket"])
      await fine(model)
      expect(sockets[1]).not.toBe(sockets[0])
    },
  )

  test("an answer that ends a while after [DONE] leaves its connection to the next", async () => {
    let ending: ServerResponse | undefined
    const lingers = (response: ServerResponse): void => {
      ending = eventStream(response)
      ending.write(done)
    }
    const { model, sockets } = await serving([lingers, lingers])
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    await fine(model)
    await vi.advanceTimersByTimeAsync(1_999)
    const free = new Promise((resolve) => ending?.on("finish", resolve))
    ending?.end()
    await free
    await immediate()
    await vi.advanceTimersByTimeAsync(1)
    await fine(model)
    expect(sockets[1]).toBe(sockets[0])
  })

  test("an answer that stays open after [DONE] has its connection closed after two seconds", async () => {
    let closed: Promise<unknown> | undefined
    const lingers = (response: ServerResponse): void => {
      closed = new Promise((resolve) => response.on("close", resolve))
      eventStream(response).write(done)
    }
    const { model, sockets } = await serving([lingers, answers])
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    await fine(model)
    await vi.advanceTimersByTimeAsync(2_000)
    await closed
    await fine(model)
    expect(sockets[1]).not.toBe(sockets[0])
  })

  test("a listener that throws, and a stream that cannot be read, close the connection", async () => {
    const closed: Promise<unknown>[] = []
    const writes = (text: string) => (response: ServerResponse) => {
      closed.push(new Promise((resolve) => response.on("close", resolve)))
      eventStream(response).write(text)
    }
    const { model } = await serving([writes(chunk({ content: "a" })), writes("data: {\n\n")])
    const throwing = () => {
      throw new RangeError("full")
    }
    const { signal } = new AbortController()
    await expect(model.run(asking("x"), { signal, onEvent: throwing })).rejects.toThrow(RangeError)
    expect((await ran(model, asking("x"))).error).toMatchObject({ name: "ModelFault", transient: true })
    expect(closed.length).toBe(2)
    await Promise.all(closed)
  })

  test("[TRN-4] what is aborted before it was sent is never sent, on a fresh connection and on a kept one", async () => {
    const { model, sockets } = await serving([answers, answers, answers])
    const aborted = async (): Promise<void> => {
      const controller = new AbortController()
      const running = ran(model, asking("x"), controller.signal)
      controller.abort("enough")
      expect(await running).toEqual({ events: [], error: "enough" })
    }
    await aborted()
    await fine(model)
    await aborted()
    await fine(model)
    expect(sockets.length).toBe(2)
  })

  test("a complaint that was read to its end leaves its connection to the next", async () => {
    const { model, sockets } = await serving([
      (response) => response.writeHead(429, { "Retry-After": "2" }).end('{"error":{"message":"later"}}'),
      answers,
    ])
    expect((await ran(model, asking("x"))).error).toMatchObject({ transient: true, retryAfterMs: 2_000 })
    await immediate()
    await fine(model)
    expect(sockets[1]).toBe(sockets[0])
  })

  test("a redirect is a complaint and is not followed", async () => {
    const { model, sockets } = await serving([
      (response) => response.writeHead(307, { location: "/v1/chat/completions" }).end(),
      answers,
    ])
    const { error } = await ran(model, asking("x"))
    expect(error).toMatchObject({ transient: false, message: "The model provider answered 307." })
    expect(sockets.length).toBe(1)
  })

  test("hints that come before the answer are no answer", async () => {
    const hinting = (then: (response: ServerResponse) => unknown) => (response: ServerResponse) =>
      response.writeEarlyHints({ link: "</x>; rel=preload" }, () => then(response))
    const { model } = await serving([hinting(answers), hinting(closes)])
    await fine(model)
    const { error } = await ran(model, asking("x"))
    expect((error as Error).message).toBe("The connection to the model provider failed (ECONNRESET).")
  })

  test("the path, the query and the credentials of the address are sent", async () => {
    let asked: ServerResponse["req"] | undefined
    const { model } = await serving(
      [
        (response) => {
          asked = response.req
          eventStream(response).end(done)
        },
      ],
      (url) => `${url.replace("//", "//ann:p%40ss@")}/deep/?version=1`,
    )
    await fine(model)
    expect(asked?.url).toBe("/v1/deep/chat/completions?version=1")
    expect(asked?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from("ann:p@ss").toString("base64")}`,
      "content-type": "application/json",
      accept: "text/event-stream",
      connection: "keep-alive",
    })
    expect(asked?.headers).toHaveProperty("content-length")
    expect(asked?.headers).not.toHaveProperty("accept-encoding")
  })
})
