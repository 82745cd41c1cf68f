/** A model without measure meets a named limit, and the turn says so. */
import type { Model, ModelEvent } from "@parlor/core"
import { finish, MemoryStore, requestDefects, type Script, says } from "@parlor/core/testing"
import { systemClock } from "@parlor/server"
import { afterEach, describe, expect, it } from "vitest"
import { openStage, type Stage, type StageOptions } from "../scenario/stage.ts"
import { weather } from "./stand.ts"

let stage: Stage
afterEach(() => stage.close())

async function turnOf(scripts: readonly Script[], options: StageOptions = {}) {
  stage = await openStage({
    store: new MemoryStore(systemClock),
    scripts,
    tools: [weather],
    settings: { stallMs: 200, retry: { tries: 2, baseMs: 5, maxMs: 5 } },
    ...options,
  })
  await stage.send("Go")
  const rows = await stage.until((now) => now.status.get("status")?.turn === null)
  const [turn] = [...rows.turns.values()]
  if (turn === undefined) throw new Error("there was no turn")
  expect(stage.model.requests.flatMap(requestDefects)).toEqual([])
  return turn
}

const call = (id: string, input: string): ModelEvent => ({ type: "tool", call: id, name: "weather", input })

describe("a model without measure", () => {
  it("[TRN-10] an answer that never ends is broken off, kept, and not tried again", async () => {
    const endless = Array.from({ length: 30 }, () => ({ type: "text", text: "x".repeat(50_000) }) as const)
    const turn = await turnOf([endless], { fallback: says("again") })
    expect(turn.error?.detail).toBe("The model's reply is longer than 1000000 characters and was stopped.")
    expect(stage.model.requests).toHaveLength(1)
    expect((await stage.transcript()).at(-1)).toHaveLength("agent (failed): ".length + 1_000_000)
  })

  it("[TRN-11] too many calls at once are a fault, and none is run", async () => {
    const turn = await turnOf([Array.from({ length: 200 }, (_, i) => call(`c${i}`, "{}"))], { fallback: says("again") })
    expect(turn.error?.detail).toBe("The model's reply calls more than 128 tools at once and was stopped.")
    expect(await stage.transcript()).toEqual(["person: Go"])
  })

  it("[TRN-10] tools for ever end at the limit of steps", async () => {
    const turn = await turnOf([], { fallback: [call("same", '{"city":"Oslo"}'), finish("tools")] })
    expect(turn).toMatchObject({ state: "failed", steps: 64, error: { code: "turn.too-many-steps" } })
    const ids = stage.model.requests.at(-1)?.messages.flatMap((m) => (m.role === "tools" ? m.results : []))
    expect(new Set(ids?.map((result) => result.call)).size).toBe(63)
  })

  it("[TRN-10] empty chunks are no sign of life", async () => {
    const humming: Model = {
      name: "humming",
      window: 1_000,
      async run(_, { signal, onEvent }) {
        for (let i = 0; i < 100 && !signal.aborted; i++) {
          onEvent({ type: "text", text: "" })
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      },
    }
    const turn = await turnOf([], { agent: { model: humming } })
    expect(turn).toMatchObject({ state: "failed", error: { detail: "The model was silent for 0.2 s." } })
  })

  it.each([
    ["deep", `{"city":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, "nested deeper than 64"],
    ["huge", `{"city":"${"x".repeat(600_000)}"}`, "longer than 500000"],
    ["no JSON", '{"city', "not valid JSON"],
    ["half a character", '{"city":7,"\\ud83d":1}', "city"],
  ])("[TRN-11] a tool input that is %s is a result the model sees", async (_, input, why) => {
    const turn = await turnOf([[call("c1", input), finish("tools")], says("Sorry.")])
    expect(turn.state).toBe("done")
    expect(JSON.stringify(stage.model.requests[1]?.messages.at(-1))).toContain(why)
    expect(JSON.stringify(await stage.log()).length).toBeLessThan(30_000)
  })
})
