/** Tool output that is too long to show. */
import { defineTool } from "@parlor/core"
import { calls, says } from "@parlor/core/testing"
import { limits, type ToolPart } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { address, openStage, type Stage, type StageOptions } from "./stage.ts"

let stage: Stage
const open = async (options: StageOptions) => {
  stage = await openStage(options)
  return stage
}
afterEach(() => stage.close())

const long = Array.from({ length: 40_000 }, (_, index) => `line ${index} é`).join("\n")
const talk = (output: string) =>
  defineTool({ name: "talk", description: "", input: z.object({}), repeatable: true, run: async () => output })
const part = async (name: string) =>
  [...(await stage.rows()).messages.values()]
    .flatMap((row) => row.parts)
    .find((one): one is ToolPart => one.type === "tool" && one.name === name)
const toolsOf = (request: number) => stage.model.requests[request]?.tools.map(({ name }) => name)

describe("output past its limit", () => {
  it("[TRN-11] is kept, and the model can read on in it to its end", async () => {
    await open({
      scripts: [
        calls("talk", {}, "c1"),
        calls("read_output", { call: "c1", from: 65_536 }, "c2"),
        calls("read_output", { call: "c1", from: long.length - 10 }, "c3"),
        says("ok"),
      ],
      tools: [talk(long)],
    })
    await stage.send("Talk")
    await stage.idle()
    expect((await part("talk"))?.output).toEqual({
      truncated: true,
      characters: long.length,
      beginning: long.slice(0, 65_536),
      readOn: 'read_output {"call": "c1", "from": 65536}',
    })
    const results = stage.model.requests.flatMap(({ messages }) => {
      const last = messages.at(-1)
      return last?.role === "tools" ? last.results.map(({ output }) => output) : []
    })
    const page = { call: "c1", characters: long.length }
    expect(results.slice(1)).toEqual([
      { ...page, from: 65_536, text: long.slice(65_536, 65_536 + 32_768), next: 65_536 + 32_768 },
      { ...page, from: long.length - 10, text: long.slice(-10), next: null },
    ])
  })

  it("[TRN-11] is kept for people too", async () => {
    await open({ scripts: [calls("talk", {}, "c1"), says("ok")], tools: [talk(long)] })
    await stage.send("Talk")
    await stage.idle()
    const message = [...(await stage.rows()).messages.values()].find(({ role }) => role === "agent")?.id ?? ""
    const whole = await stage.runtime.readOutput(address, message, "c1")
    expect(Buffer.from(whole).toString()).toBe(long)
    await expect(stage.runtime.readOutput(address, message, "c2")).rejects.toMatchObject({ code: "output.unknown" })
    await expect(stage.runtime.readOutput(address, "msg_none", "c1")).rejects.toMatchObject({ code: "output.unknown" })
  })

  it("[TRN-11] the tool to read on with is offered only where something was cut", async () => {
    await open({ scripts: [says("short"), calls("talk", {}, "c1"), says("ok")], tools: [talk(long)] })
    await stage.send("Hi")
    await stage.idle()
    await stage.send("Talk")
    await stage.idle()
    expect([toolsOf(0), toolsOf(1), toolsOf(2)]).toEqual([["talk"], ["talk"], ["talk", "read_output"]])
  })

  it("[TRN-11] so much of it is kept and no more, cut between characters", async () => {
    const endless = "é".repeat(limits.keptOutputBytes)
    await open({ scripts: [calls("talk", {}, "c1"), says("ok")], tools: [talk(endless)] })
    await stage.send("Talk")
    await stage.idle()
    const message = [...(await stage.rows()).messages.values()].find(({ role }) => role === "agent")?.id ?? ""
    const kept = await stage.runtime.readOutput(address, message, "c1")
    expect(kept.length).toBe(limits.keptOutputBytes)
    expect(Buffer.from(kept).toString()).toBe("é".repeat(limits.keptOutputBytes / 2))
  })

  it("[TRN-11] output that fits is shown as it is, and none of it is kept", async () => {
    await open({ scripts: [calls("talk", {}, "c1"), says("ok")], tools: [talk("short")] })
    await stage.send("Talk")
    await stage.idle()
    expect(await part("talk")).toMatchObject({ state: "done", output: "short" })
    expect((await part("talk"))?.kept).toBeUndefined()
  })

  it("[SEC-1] an import names no content that it does not bring, so nobody reads another's that way", async () => {
    await open({ scripts: [calls("talk", {}, "c1"), says("ok")], tools: [talk(long)] })
    await stage.send("Talk")
    await stage.idle()
    const lines: string[] = []
    for await (const line of stage.runtime.exportLines(address)) lines.push(line)
    expect(lines.join()).toContain((await part("talk"))?.kept)
    const other = { ...address, person: "ben" }
    const without = lines.filter((line) => !line.startsWith('{"content"'))
    await stage.runtime.importLines(other, without, { txid: stage.runtime.txid() })
    const { messages } = await stage.runtime.snapshot(other, { messages: 10 })
    const message = messages.find(({ role }) => role === "agent")
    expect(message?.parts).toMatchObject([{ type: "tool", output: { truncated: true } }])
    expect(JSON.stringify(messages)).not.toContain((await part("talk"))?.kept)
    await expect(stage.runtime.readOutput(other, message?.id ?? "", "c1")).rejects.toMatchObject({
      code: "output.unknown",
    })
  })
})
