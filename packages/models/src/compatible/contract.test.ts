/** Both adapters for OpenAI-compatible servers, held to the same cases over a real socket. */
import { LLMock } from "@copilotkit/aimock"
import { type Model, ModelFault } from "@parlor/core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import {
  afterWeather,
  asking,
  chunk,
  eventStream,
  joined,
  type RawServer,
  ran,
  rawServer,
  weatherTool,
} from "../../test/requests.ts"
import { resolveModel } from "../providers.ts"

const key = "sk-test-0123456789"

describe.each(["lean", "ai-sdk"])("the %s adapter for OpenAI-compatible servers", (adapter) => {
  const model = (url: string): Promise<Model> =>
    resolveModel("compatible/some/model", {
      OPENAI_BASE_URL: url,
      OPENAI_API_KEY: key,
      PARLOR_COMPATIBLE_ADAPTER: adapter,
    })

  describe("against a mock of the API", () => {
    const mock = new LLMock({ port: 0, chunkSize: 5 })
    beforeAll(async () => {
      mock.onMessage("hello", { content: "Hello to you, 世界! 👋", reasoning: "A greeting." })
      mock.on(
        { userMessage: "weather", hasToolResult: false },
        {
          toolCalls: [{ name: "weather", arguments: '{"city":"Oslo"}', id: "call_1" }],
        },
      )
      mock.on({ userMessage: "weather", hasToolResult: true }, { content: "Four degrees." })
      mock.onMessage("busy", { error: { message: "Slow down", type: "rate_limit" }, status: 429, retryAfter: 3 })
      mock.onMessage("locked", { error: { message: `Bad key ${key}` }, status: 401 })
      mock.onMessage("broken", { content: "word ".repeat(50) }, { truncateAfterChunks: 8, latency: 5 })
      await mock.start()
    })
    afterAll(() => mock.stop())
    const mocked = (): Promise<Model> => model(`${mock.url}/v1`)

    test("[TRN-16] text and reasoning stream and the usage is reported", async () => {
      const { events, error } = await ran(await mocked(), asking("hello"))
      expect(error).toBeUndefined()
      expect(joined(events)).toMatchObject([
        { type: "reasoning", text: "A greeting." },
        { type: "text", text: "Hello to you, 世界! 👋" },
        { type: "finish", reason: "stop" },
      ])
      expect(events.length).toBeGreaterThan(5)
      const finish = events.at(-1)
      expect(finish?.type === "finish" && finish.usage.outputTokens).toBeGreaterThan(0)
    })

    test("[TRN-16] a tool is called, and the next step answers from its result", async () => {
      const first = await ran(await mocked(), asking("weather in Oslo?", { tools: [weatherTool] }))
      expect(first.events).toMatchObject([
        { type: "tool", call: "call_1", name: "weather", input: '{"city":"Oslo"}' },
        { type: "finish", reason: "tools" },
      ])
      const second = await ran(await mocked(), asking("", { tools: [weatherTool], messages: afterWeather }))
      expect(joined(second.events)).toMatchObject([{ type: "text", text: "Four degrees." }, { type: "finish" }])
    })

    test("[TRN-10] 429 is transient and says when to come back", async () => {
      const { error } = await ran(await mocked(), asking("busy"))
      expect(error).toBeInstanceOf(ModelFault)
      expect(error).toMatchObject({ transient: true, retryAfterMs: 3_000 })
    })

    test("[TRN-10] 401 is permanent and keeps the key to itself", async () => {
      const { error } = await ran(await mocked(), asking("locked"))
      expect(error).toMatchObject({ name: "ModelFault", transient: false })
      expect((error as ModelFault).message).toMatch(/401: Bad/)
      expect(JSON.stringify(error) + String(error) + (error as ModelFault).stack).not.toContain(key)
    })

    test("[TRN-10] a stream that breaks off is transient, and what was said stays said", async () => {
      const { events, error } = await ran(await mocked(), asking("broken"))
      expect(error).toMatchObject({ name: "ModelFault", transient: true })
      expect(joined(events)).toMatchObject([{ type: "text", text: expect.stringContaining("word") }])
    })
  })

  describe("against a server of bare bytes", () => {
    let server: RawServer | undefined
    afterEach(() => server?.close())
    const serving = async (answer: Parameters<typeof rawServer>[0]): Promise<Model> => {
      server = await rawServer(answer)
      return model(`${server.url}/`)
    }

    test("[TRN-16] the request holds instructions, messages, tools and asks for usage", async () => {
      const target = await serving((response) => {
        eventStream(response).end(`${chunk({ content: "ok" }, "stop")}data: [DONE]\n\n`)
      })
      const failed = { call: "call_2", name: "weather", outcome: "failed", output: "no such city" } as const
      const messages = [...afterWeather, { role: "tools", results: [failed] } as const]
      await ran(target, asking("", { messages, tools: [weatherTool] }))
      expect(server?.requests).toEqual([
        {
          model: "some/model",
          stream: true,
          stream_options: { include_usage: true },
          tool_choice: "auto",
          tools: [
            {
              type: "function",
              function: { name: "weather", description: weatherTool.description, parameters: weatherTool.inputSchema },
            },
          ],
          messages: [
            { role: "system", content: "Be brief." },
            { role: "user", content: "weather in Oslo?" },
            {
              role: "assistant",
              content: "Let me look.",
              tool_calls: [
                { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
              ],
            },
            { role: "tool", tool_call_id: "call_1", content: '{"celsius":4}' },
            { role: "tool", tool_call_id: "call_2", content: "no such city" },
          ],
        },
      ])
    })

    test("[TRN-4] an abort rejects at once with the signal's reason, closes the connection, and nothing follows", async () => {
      const closed = latch()
      const target = await serving((response) => {
        response.on("close", closed.open)
        eventStream(response).write(chunk({ content: "a" }))
      })
      const controller = new AbortController()
      const events: unknown[] = []
      const running = target.run(asking("x"), {
        signal: controller.signal,
        onEvent: (event) => {
          events.push(event)
          controller.abort("enough")
        },
      })
      await expect(running).rejects.toBe("enough")
      await closed.opened
      expect(events).toEqual([{ type: "text", text: "a" }])
    })

    test("[TRN-4] an abort before the first byte ends the request", async () => {
      const asked = latch()
      const closed = latch()
      const target = await serving((response) => {
        response.on("close", closed.open)
        asked.open()
      })
      const controller = new AbortController()
      const running = ran(target, asking("x"), controller.signal)
      await asked.opened
      controller.abort("enough")
      expect(await running).toEqual({ events: [], error: "enough" })
      await closed.opened
      expect(await ran(target, asking("x"), AbortSignal.abort("early"))).toEqual({ events: [], error: "early" })
    })

    test.each([
      ["a connection reset halfway", (text: string) => text, true],
      ["an end without a finish", (text: string) => `${text}data: [DONE]\n\n`, false],
      ["malformed JSON", (text: string) => `${text}data: {"choices": [\n\ndata: [DONE]\n\n`, false],
      [
        "an error in the stream",
        (text: string) => `${text}data: {"error":{"message":"GPU lost","code":500}}\n\n`,
        false,
      ],
    ])("[TRN-10] %s is a transient fault", async (_, bytes, reset) => {
      const target = await serving((response) => {
        eventStream(response).write(bytes(chunk({ content: "a" })), () => reset && response.destroy())
        if (!reset) response.end()
      })
      const { events, error } = await ran(target, asking("x"))
      expect(error).toBeInstanceOf(ModelFault)
      expect(error).toMatchObject({ transient: true })
      expect(events).toEqual([{ type: "text", text: "a" }])
    })

    test("[TRN-10] nobody listening is a transient fault", async () => {
      const target = await serving(() => {})
      await server?.close()
      const { error } = await ran(target, asking("x"))
      expect(error).toMatchObject({ name: "ModelFault", transient: true })
    })

    test("what a listener throws rejects the run as it is", async () => {
      const target = await serving((response) => {
        eventStream(response).write(chunk({ content: "a" }))
      })
      const running = target.run(asking("x"), {
        signal: new AbortController().signal,
        onEvent: () => {
          throw new RangeError("full")
        },
      })
      await expect(running).rejects.toThrow(RangeError)
    })
  })
})

/** Something that happens once and can be waited for. */
function latch(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
