import type { ModelRequest, ToolSpec } from "@parlor/core"
import { describe, expect, test } from "vitest"
import { asking } from "../../test/requests.ts"
import { bodyWriter } from "./wire.ts"

const tool = (name: string): ToolSpec => ({ name, description: `${name} "it"`, inputSchema: { type: "object" } })
const [read, write] = [tool("read"), tool("write")]

describe("the body of a request", () => {
  const pieces = bodyWriter("m")
  const sent = (request: ModelRequest) => JSON.parse(Buffer.concat(pieces(request)).toString())
  const names = (tools: readonly ToolSpec[]) =>
    sent(asking("hi", { tools })).tools?.map((one: { function: { name: string } }) => one.function.name)

  test("[TRN-16] holds the tools of its own request, whatever the last one had", () => {
    expect(names([read])).toEqual(["read"])
    expect(names([read, write])).toEqual(["read", "write"])
    expect(names([write, read])).toEqual(["write", "read"])
    expect(names([])).toBeUndefined()
    expect(names([{ ...read, name: "other" }])).toEqual(["other"])
  })

  test("tools that are the same as before are not written out again", () => {
    const [, first] = pieces(asking("one", { tools: [read, write] }))
    const [, again] = pieces(asking("two", { tools: [read, write] }))
    expect(again).toBe(first)
  })

  test("[TRN-16] says nothing of tools where there are none", () => {
    expect(sent(asking("hi"))).toEqual({
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "hi" },
      ],
    })
  })
})
