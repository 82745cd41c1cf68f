import { type ModelEvent, ModelFault } from "@parlor/core"
import { describe, expect, test } from "vitest"
import { type FakeClock, fakeClock } from "../../test/fake-clock.ts"
import { asking, joined, weatherTool } from "../../test/requests.ts"
import { demoModel } from "./demo.ts"

function start(text: string, clock: FakeClock, options: { tools?: readonly (typeof weatherTool)[] } = {}) {
  const events: ModelEvent[] = []
  const controller = new AbortController()
  const running = demoModel({ clock }).run(asking(text, options), {
    signal: controller.signal,
    onEvent: (event) => events.push(event),
  })
  const outcome = running.then(
    () => "ended",
    (error: unknown) => error,
  )
  return { events, controller, outcome }
}

describe("the demo model", () => {
  test("[TRN-16] words come one by one at a pace", async () => {
    const clock = fakeClock()
    const { events, outcome } = start("count to 40", clock)
    clock.advance(10)
    expect(events).toEqual([])
    clock.advance(90)
    expect(events.map((event) => event.type === "text" && event.text)).toEqual(["1, ", "2, ", "3, ", "4, ", "5, "])
    clock.advance(60_000)
    expect(await outcome).toBe("ended")
    expect(joined(events)).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "stop", usage: { outputTokens: 38 } })
  })

  test("[TRN-16] counting slowly says four numbers in a second", () => {
    const clock = fakeClock()
    const { events } = start("count slowly to 50", clock)
    clock.advance(1_000)
    expect(events).toHaveLength(4)
  })

  test("[TRN-4] an abort ends it at once, and nothing follows", async () => {
    const clock = fakeClock()
    const { events, controller, outcome } = start("count to 40", clock)
    clock.advance(100)
    controller.abort("stopped")
    expect(clock.waiting()).toBe(0)
    clock.advance(10_000)
    expect(await outcome).toBe("stopped")
    expect(events).toHaveLength(5)
  })

  test("[TRN-4] a signal that is aborted already is obeyed", async () => {
    const clock = fakeClock()
    const run = demoModel({ clock }).run(asking("hello"), { signal: AbortSignal.abort("early"), onEvent: () => {} })
    await expect(run).rejects.toBe("early")
    expect(clock.waiting()).toBe(0)
  })

  test("[TRN-16] a tool call ends the step with the reason `tools`", async () => {
    const clock = fakeClock()
    const { events, outcome } = start('use weather {"city":"Oslo"}', clock, { tools: [weatherTool] })
    clock.advance(10_000)
    expect(await outcome).toBe("ended")
    expect(events.at(-2)).toMatchObject({ type: "tool", name: "weather", input: '{"city":"Oslo"}' })
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "tools" })
  })

  test("[TRN-16] reasoning is reported and counted", async () => {
    const clock = fakeClock()
    const { events, outcome } = start("think about the sea", clock)
    clock.advance(60_000)
    expect(await outcome).toBe("ended")
    expect(joined(events).map(({ type }) => type)).toEqual(["reasoning", "text", "finish"])
    const finish = events.at(-1)
    expect(finish?.type === "finish" && finish.usage.reasoningTokens).toBeGreaterThan(50)
  })

  test("[TRN-10] asked to fail halfway it says something and rejects with a transient fault", async () => {
    const clock = fakeClock()
    const { events, outcome } = start("fail halfway", clock)
    clock.advance(60_000)
    const fault = await outcome
    expect(fault).toBeInstanceOf(ModelFault)
    expect(fault).toMatchObject({ transient: true })
    expect(joined(events)).toEqual([{ type: "text", text: "I will get about this far and then " }])
  })

  test("[TRN-10] asked to fail twice it fails two tries of the same request and answers the third, each time anew", async () => {
    const clock = fakeClock()
    const model = demoModel({ clock })
    const tried = async (text: string): Promise<unknown> => {
      const run = model.run(asking(text), { signal: new AbortController().signal, onEvent: () => {} })
      const outcome = run.then(
        () => "answered",
        (error: unknown) => (error instanceof ModelFault && error.transient ? "failed" : error),
      )
      clock.advance(10_000)
      return outcome
    }
    const outcomes: unknown[] = []
    for (let i = 0; i < 6; i++) outcomes.push(await tried("fail twice"))
    expect(outcomes).toEqual(["failed", "failed", "answered", "failed", "failed", "answered"])
    expect([await tried("fail once"), await tried("fail twice"), await tried("fail once")]).toEqual([
      "failed",
      "failed",
      "answered",
    ])
  })

  test("what a listener throws rejects the run and is not lost", async () => {
    const clock = fakeClock()
    const run = demoModel({ clock }).run(asking("hello"), {
      signal: new AbortController().signal,
      onEvent: () => {
        throw new RangeError("full")
      },
    })
    clock.advance(100)
    await expect(run).rejects.toThrow(RangeError)
  })
})
