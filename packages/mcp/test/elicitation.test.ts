/** Servers that ask the person while one of their tools runs (API-49). */
import { calls, says } from "@parlor/core/testing"
import { afterEach, describe, expect, it, vi } from "vitest"
import { everything, modern } from "./servers.ts"
import { openStage, type Stage, type StageOptions } from "./stage.ts"

vi.setConfig({ testTimeout: 90_000 })

let stage: Stage
afterEach(() => stage.close())

async function staged(options: StageOptions): Promise<void> {
  stage = await openStage(options)
  for (const name of Object.keys(options.servers)) await stage.server(name, ({ state }) => state === "ready")
}

describe("a server that asks", () => {
  it("[API-49] over 2026-07-28: each question is an ask of the conversation, and the answers return to the call", async () => {
    await staged({
      servers: { modern },
      scripts: [calls("modern__order", {}), calls("modern__order", {}, "call_2"), says("Ordered.")],
    })
    await stage.send("order")
    for (const [size, sure, said] of [
      ["large", false, "large: decline"],
      ["small", true, "small: accept"],
    ] as const) {
      const first = await stage.asked()
      expect(first).toMatchObject({ kind: "form", title: "The MCP server modern asks: Which size?" })
      expect(first.call).not.toBeNull()
      await stage.answer({ size })
      await expect.poll(async () => (await stage.asked()).kind).toBe("approval")
      await stage.answer(sure)
      await expect.poll(async () => JSON.stringify(await stage.calls())).toContain(said)
    }
    await stage.idle()
    expect((await stage.calls()).map(({ state }) => state)).toEqual(["done", "done"])
  })

  it("[API-49] over an older version: a wrong answer is refused, and the right one returns to the call", async () => {
    const name = "everything__trigger-elicitation-request"
    await staged({ servers: { everything }, scripts: [calls(name, {}), says("Thanks.")] })
    await stage.send("ask me")
    const ask = await stage.asked()
    expect(ask.title).toBe("The MCP server everything asks: Please provide inputs for the following fields:")
    await expect(stage.answer({ integer: 7 })).rejects.toMatchObject({ code: "ask.invalid" })
    await expect(stage.answer({ name: "Ada", integer: 700 })).rejects.toMatchObject({ code: "ask.invalid" })
    await stage.answer({ name: "Ada", integer: 7, titledSingleSelectEnum: "hero-2" })
    await stage.idle()
    const [call] = await stage.calls()
    expect(JSON.stringify(call?.output)).toContain("Name: Ada")
    expect(JSON.stringify(call?.output)).toContain("Favorite Integer: 7")
  })

  it("[API-49] the question is withdrawn with the turn, and the server stays usable", async () => {
    await staged({
      servers: { modern },
      scripts: [calls("modern__order", {}), says("Stopped?")],
    })
    await stage.send("order")
    await stage.asked()
    const { runtime } = stage
    await runtime.stop(
      { agent: "host", person: "me", branch: "main" },
      { turn: undefined, onQueue: undefined, txid: runtime.txid() },
    )
    await stage.idle()
    expect([...(await stage.rows()).asks.values()].map(({ state }) => state)).toEqual(["withdrawn"])
    expect((await stage.server("modern", () => true)).state).toBe("ready")
  })
})
