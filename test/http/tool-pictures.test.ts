/** [TRN-27] Pictures that tools return, over HTTP, on both stores. */
import { Parlor } from "@parlor/client"
import { defineTool } from "@parlor/core"
import { calls, says } from "@parlor/core/testing"
import type { ToolPart } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { ask, expectProblem } from "./client.ts"
import { converse, pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8DwHwyBNBgAAEnICfdn8ptYAAAAAElFTkSuQmCC"

const shoot = defineTool({
  name: "shoot",
  description: "Takes a screenshot.",
  input: z.object({}),
  repeatable: true,
  run: async () => ({ content: [{ type: "image", data: PNG, mimeType: "image/png" }] }),
})

describe.each(STORES)("[TRN-27] a picture of a tool, on %s", (kind) => {
  let server: TestServer
  let parlor: Parlor

  beforeAll(async () => {
    server = await startTestServer({ kind, agent: { tools: [shoot] } })
    parlor = new Parlor({ baseUrl: `http://127.0.0.1:${server.port}`, token: server.token })
    server.script(calls("shoot", {}, "call_1"), says("There it is."))
    await converse(server, pathOf("host", "main"), "Show me the page")
  })
  afterAll(() => server.close())

  async function called(branch = "main") {
    const { messages } = await parlor.conversation("host", branch).open({ messages: 10 })
    const found = messages.flatMap(({ id, parts }) =>
      parts.filter((part): part is ToolPart => part.type === "tool").map((part) => ({ message: id, part })),
    )[0]
    if (found === undefined) throw new Error("no tool was called")
    return found
  }
  const bytesOf = async (branch = "main") => {
    const { message } = await called(branch)
    const picture = await parlor.conversation("host", branch).picture(message, "call_1", 0)
    return { type: picture.type, base64: Buffer.from(await picture.arrayBuffer()).toString("base64") }
  }

  test("is stored once, read by its owner, and its base64 text reaches neither the log nor the model", async () => {
    const { part } = await called()
    expect(part.pictures).toMatchObject([{ mediaType: "image/png", bytes: Buffer.from(PNG, "base64").length }])
    expect(await bytesOf()).toEqual({ type: "image/png", base64: PNG })
    expect(JSON.stringify(part)).not.toContain(PNG)
    expect(JSON.stringify(server.requests)).toContain("The person sees this picture")
    expect(JSON.stringify(server.requests)).not.toContain(PNG)
  })

  test("is unknown to others, and where there is none", async () => {
    const { message } = await called()
    const path = `/v1/conversations/host/main/messages/${message}/outputs/call_1?picture=`
    expectProblem(await ask(server, "GET", `${path}1`), { status: 404, code: "output.unknown" })
    expectProblem(await ask(server, "GET", `${path}-1`), { status: 422, code: "request.invalid" })
    const other = await server.addKey({ person: "other", scopes: ["read"] })
    expect((await ask(server, "GET", `${path}0`, { token: other })).status).toBe(404)
  })

  test("is part of an export; without its content, an import leaves it out", async () => {
    const lines: string[] = []
    for await (const line of parlor.conversation("host").export()) lines.push(line)
    await parlor.importLines("host", "copy", lines.join("\n"))
    expect(await bytesOf("copy")).toEqual({ type: "image/png", base64: PNG })
    const without = lines.filter((line) => !line.startsWith('{"content"'))
    await parlor.importLines("host", "bare", without.join("\n"))
    expect((await called("bare")).part.pictures).toBeUndefined()
  })
})
